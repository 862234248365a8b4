import { useMutation } from "@tanstack/react-query";
import { hrefs } from "../../../app/places.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { type FieldName, fieldNames, jobFields } from "../../../domain/job/fields.tsx";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import jobs from "../jobs.module.css";

interface Refused {
  /** The field the message names by its path; null when it names none. */
  readonly field: FieldName | null;
  readonly sentence: string;
  /** Another job the message names, which is in the way. */
  readonly otherJob: string | null;
}

/** Where a refusal belongs: a 422 names its field by JSON pointer at the beginning of its message (D3). */
export const refusedAt = (failure: ServiceFailure): Refused => {
  const pointer = /^(\/\S*)/.exec(failure.message)?.[1];
  const named = fieldNames.find((name) => pointer?.startsWith(jobFields[name].at)) ?? null;
  const field = failure.code === "work_provider_not_found" ? "providerId" : named;
  const otherJob = /\bjob ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i.exec(failure.message)?.[1] ?? null;
  return { field, sentence: failure.message, otherJob };
};

/** What to say at which field of a form that was refused. */
export const errorsAt = (error: Error | null): ((field: FieldName) => string | null) => {
  const refused = error instanceof ServiceFailure ? refusedAt(error) : null;
  return (field) => (refused?.field === field ? refused.sentence : null);
};

export interface RefusedFormProps {
  readonly error: Error | null;
  readonly onLeave: () => void;
  /** The job the form is about: no need to offer to open it. */
  readonly jobId?: string | undefined;
  /** Turns what was typed into a change of the job that has the identity. */
  readonly onUpdate?: ((jobId: string) => Promise<void>) | undefined;
}

/** A job that has the identity already: the service names `if_` as the way, and the change of that job has it. */
const UpdateThat = ({ jobId, onUpdate }: { jobId: string; onUpdate: (jobId: string) => Promise<void> }) => {
  const update = useMutation({ mutationFn: () => onUpdate(jobId) });
  return (
    <>
      {update.error && <span className="t12 st bad">{update.error.message}</span>}
      <Button
        small
        look="primary"
        busy={update.isPending}
        title="Opens the edit form of that job with your values and if_: {exists: “update”}"
        onClick={() => update.mutate()}
      >
        Update that job instead
      </Button>
    </>
  );
};

/** The refusal, beside the button that was pressed. What it says of a field stands at the field; a job in the way can be opened. */
export const RefusedForm = ({ error, onLeave, jobId, onUpdate }: RefusedFormProps) => {
  if (!error) return null;
  if (!(error instanceof ServiceFailure))
    return (
      <p role="alert" className="t12 st bad">
        {error.message}
      </p>
    );
  const { field, otherJob: other } = refusedAt(error);
  const open = other !== null && other !== jobId && (
    // The dialog closes on the way.
    <span onClickCapture={onLeave}>
      <LinkButton small href={hrefs.job(other)}>
        Open that job
      </LinkButton>
    </span>
  );
  if (field) {
    return (
      <div className={`${jobs.refused} row`} role="alert">
        <HttpStatus status={error.status} />
        <span className="m11">{error.code}</span>
        <span className="t12 grow">
          Nothing was written
          {field === "external" && other !== null ? ", because this ID is already used." : ". Fix the marked field."}
        </span>
        {open}
        {field === "external" && other !== null && onUpdate && <UpdateThat jobId={other} onUpdate={onUpdate} />}
      </div>
    );
  }
  return (
    <div className={jobs.refused}>
      <Refusal failure={error}>{open}</Refusal>
    </div>
  );
};
