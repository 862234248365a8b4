import { Button } from "../../../components/button.tsx";
import { Origin } from "../../../components/origin.tsx";
import { plural } from "../../../lib/formatting.ts";
import { Leaving } from "./leaving.tsx";
import type { Refused } from "./refused-at.ts";
import { RefusedForm } from "./refused-form.tsx";
import type { FormLeaving } from "./use-leaving.ts";

interface FormFootProps {
  readonly error: Error | null;
  readonly refused: Refused | null;
  /** The job the form is about, if there is one already. */
  readonly jobId?: string;
  /** Turns what was typed into a change of a job that has the identity already. */
  readonly onUpdate?: (jobId: string) => Promise<void>;
  readonly leaving: FormLeaving;
  /** What is asked when the form is left: what was not sent. */
  readonly words: string;
  readonly kept: { readonly isContinued: boolean; readonly beginAnew: () => void; readonly forget: () => void };
  readonly onClose: () => void;
  /** How many pictures are still being sent. */
  readonly onTheirWay: number;
  readonly note: string;
  readonly button: string;
  readonly busy: boolean;
}

const Continued = ({ onAnew }: { onAnew: () => void }) => (
  <span className="t12 t2 grow">
    Goes on from what was not sent.{" "}
    <button type="button" className="lnk" onClick={onAnew}>
      Begin anew
    </button>
  </span>
);

/** The foot of a job's form: what was refused, what sending does, the buttons; or the question whether to leave. */
export const FormFoot = (props: FormFootProps) => {
  const { error, refused, jobId, onUpdate, leaving, kept, onClose, onTheirWay, note, button, busy } = props;
  const discard = () => {
    kept.forget();
    onClose();
  };
  return (
    <div className="jobs-form-foot">
      <RefusedForm
        error={error}
        refused={refused}
        onLeave={onClose}
        {...(jobId ? { jobId } : {})}
        {...(onUpdate ? { onUpdate } : {})}
      />
      {leaving.isAsking ? (
        <Leaving
          words={onTheirWay > 0 ? `${plural(onTheirWay, "picture")} on the way will be stopped.` : props.words}
          onStay={leaving.stay}
          onKeep={onClose}
          onDiscard={discard}
        />
      ) : (
        <div className="row jobs-dialog-foot">
          {onTheirWay > 0 ? (
            <span className="t12 t2 grow">{plural(onTheirWay, "picture")} on the way…</span>
          ) : kept.isContinued ? (
            <Continued onAnew={kept.beginAnew} />
          ) : (
            <span className="t12 t3 grow">
              {note} <Origin of="contract" />
            </span>
          )}
          <Button onClick={leaving.leave}>Cancel</Button>
          <Button type="submit" look="primary" keys="mod+enter" busy={busy} disabled={onTheirWay > 0}>
            {button}
          </Button>
        </div>
      )}
    </div>
  );
};
