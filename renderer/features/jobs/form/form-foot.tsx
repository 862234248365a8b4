import { useEffect, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Origin } from "../../../components/origin.tsx";
import { giveFocusBack } from "../../../lib/focus.ts";
import { plural } from "../../../lib/formatting.ts";
import { ServiceFailure, ServiceUnreachable } from "../../../lib/service-failure.ts";
import jobs from "../jobs.module.css";
import styles from "./form.module.css";
import { RefusedForm, type RefusedFormProps } from "./refusal.tsx";

/** How a form is left: at once when there is nothing to lose, else after it was asked. */
export const useLeaving = (opened: boolean, onClose: () => void) => {
  // Not a state: Escape may come before what hears it was made anew with it.
  const unsent = useRef(false);
  const [isAsking, setAsking] = useState(false);
  // However the form was left, it is asked anew the next time.
  if (!opened && isAsking) setAsking(false);
  return {
    /** Whether the question stands. */
    isAsking,
    /** Asked for by Escape, by a click beside the form, by its buttons. While the question stands, takes it back. */
    leave: () => (unsent.current ? setAsking((asking) => !asking) : onClose()),
    stay: () => setAsking(false),
    /** Whether something in it was not sent; said by the form. */
    unsent,
  };
};

export type FormLeaving = ReturnType<typeof useLeaving>;

interface LeavingProps {
  /** "Your change of J-20418 was not sent." */
  readonly words: string;
  readonly onStay: () => void;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Asked in the place of a form's buttons, when it is closed with something in it that was not sent. */
const Leaving = ({ words, onStay, onKeep, onDiscard }: LeavingProps) => {
  const stay = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = stay.current?.closest("form");
    const before = document.activeElement;
    stay.current?.querySelector("button")?.focus();
    return () => {
      const field = before instanceof HTMLElement && form?.contains(before) ? before : null;
      giveFocusBack(field ?? form?.querySelector<HTMLElement>("[type=submit]"));
    };
  }, []);
  return (
    <div className={`row wrap ${styles.buttons}`} role="alertdialog" aria-label={words}>
      <span className="grow w5">{words}</span>
      <div ref={stay} className="row">
        <Button onClick={onStay}>Go on</Button>
      </div>
      <Button look="danger" onClick={onDiscard}>
        Discard
      </Button>
      <Button look="primary" onClick={onKeep}>
        Keep for later
      </Button>
    </div>
  );
};

interface FormFootProps extends Omit<RefusedFormProps, "onLeave"> {
  readonly leaving: FormLeaving;
  /** What is not done when the form is left: "The new job". */
  readonly what: string;
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

/** What came of the last sending, which nothing else in the form says once it is left. */
const cameOf = (error: Error | null): string => {
  if (error instanceof ServiceUnreachable) return "was sent, and no answer came";
  return error instanceof ServiceFailure ? "was refused" : "was not sent";
};

/** The foot of a job's form: what was refused, what sending does, the buttons; or the question whether to leave. */
export const FormFoot = (props: FormFootProps) => {
  const { error, jobId, onUpdate, leaving, kept, onClose, onTheirWay, note, button, busy } = props;
  const discard = () => {
    kept.forget();
    onClose();
  };
  return (
    <div className={`${jobs.dialogFoot} ${styles.formFoot}`}>
      <RefusedForm error={error} onLeave={onClose} jobId={jobId} onUpdate={onUpdate} />
      {leaving.isAsking ? (
        <Leaving
          words={
            onTheirWay > 0
              ? `${plural(onTheirWay, "picture")} on the way will be stopped.`
              : `${props.what} ${cameOf(error)}.`
          }
          onStay={leaving.stay}
          onKeep={onClose}
          onDiscard={discard}
        />
      ) : (
        <div className={`row ${styles.buttons}`}>
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
