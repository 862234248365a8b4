import { hrefs } from "../../../app/places.ts";
import { LinkButton } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { type FieldName, type Refused, refusedAt } from "./job-form.ts";

/** What the service said about a form, and what to say at which field. */
export const readRefusal = (error: Error | null): { readonly refused: Refused | null; readonly errorAt: (field: FieldName) => string | null } => {
  const refused = error instanceof ServiceFailure ? refusedAt(error) : null;
  return { refused, errorAt: (field) => (refused?.field === field ? refused.sentence : null) };
};

/** The refusal itself, beside the button that was pressed; a job that is in the way can be opened. */
export const RefusedForm = ({ error, refused, onLeave }: { error: Error | null; refused: Refused | null; onLeave: () => void }) => {
  if (!error) return null;
  if (!(error instanceof ServiceFailure)) return <p role="alert" className="t12 st bad">{error.message}</p>;
  return (
    <div className="jobs-refused">
      <Refusal failure={error}>
        {refused?.otherJob && (
          // The dialog closes on the way.
          <span onClickCapture={onLeave}><LinkButton small href={hrefs.job(refused.otherJob)}>Open that job</LinkButton></span>
        )}
      </Refusal>
    </div>
  );
};
