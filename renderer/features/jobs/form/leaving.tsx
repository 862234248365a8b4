import { useEffect, useRef } from "react";
import { Button } from "../../../components/button.tsx";

interface LeavingProps {
  /** "Your changes of J-20418 were not sent." */
  readonly words: string;
  readonly onStay: () => void;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Asked in the place of a form's buttons, when it is closed with something in it that was not sent. */
export const Leaving = ({ words, onStay, onKeep, onDiscard }: LeavingProps) => {
  const stay = useRef<HTMLDivElement>(null);
  useEffect(() => stay.current?.querySelector("button")?.focus(), []);
  return (
    <div className="row wrap jobs-dialog-foot" role="alertdialog" aria-label={words}>
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
