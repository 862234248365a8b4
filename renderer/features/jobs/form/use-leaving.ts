import { useRef, useState } from "react";

/** How a form is left: at once when there is nothing to lose, else after it was asked. */
export interface FormLeaving {
  /** Whether the question stands. */
  readonly isAsking: boolean;
  /** Asked for by Escape, by a click beside the form, by its buttons. While the question stands, takes it back. */
  readonly leave: () => void;
  readonly stay: () => void;
  /** The form says with every drawing whether something in it was not sent. */
  readonly tell: (unsent: boolean) => void;
}

export const useLeaving = (opened: boolean, onClose: () => void): FormLeaving => {
  const unsent = useRef(false);
  const [isAsking, setAsking] = useState(false);
  // However the form was left, it is asked anew the next time.
  if (!opened && isAsking) setAsking(false);
  return {
    isAsking,
    leave: () => {
      if (unsent.current) setAsking((asking) => !asking);
      else onClose();
    },
    stay: () => setAsking(false),
    tell: (isUnsent) => {
      unsent.current = isUnsent;
    },
  };
};
