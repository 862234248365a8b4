import { Modal, type ModalProps } from "@mantine/core";
import { Fragment, type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { giveFocusBack } from "../lib/focus.ts";

/** Gives the focus back to what had it when the dialog opened, or to the place where that is gone or nothing had it. */
const useReturn = (opened: boolean) => {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const before = opener.current;
    opener.current = opened ? document.activeElement : null;
    // What is chosen in the search can open another dialog: it was in the search, which is gone. Or nothing had it.
    if (before instanceof HTMLElement)
      giveFocusBack(before.isConnected && before !== document.body ? before : document.getElementById("place"));
  }, [opened]);
};

/** What a step of the window's history says of dialogs: which are open at it, or that one was and nothing came since. */
interface Step {
  readonly dialogs?: readonly string[];
  readonly isSpare?: boolean;
}
const stepNow = (): Step => {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null ? state : {};
};

/** An open dialog is a step of the window's history of its own: going back closes it, and leaves the page beneath. */
const useStep = (isStep: boolean, close: () => void) => {
  const name = useId();
  const goneBack = useEffectEvent(close);
  useEffect(() => {
    if (!isStep) return;
    const { history } = window;
    const isOn = () => stepNow().dialogs?.includes(name) === true;
    const { isSpare, ...state } = stepNow();
    const opened = { ...state, dialogs: [...(state.dialogs ?? []), name] };
    if (isSpare) history.replaceState(opened, "");
    else history.pushState(opened, "");
    const stepped = () => {
      if (!isOn()) goneBack();
    };
    window.addEventListener("popstate", stepped);
    return () => {
      window.removeEventListener("popstate", stepped);
      if (!isOn()) return;
      // Closed in another way: to go back now would undo what it may lead to. The next one takes the step over.
      const { dialogs = [], ...rest } = stepNow();
      history.replaceState({ ...rest, dialogs: dialogs.filter((one) => one !== name), isSpare: true }, "");
    };
  }, [isStep, name]);
};

interface DialogProps extends ModalProps {
  /** Going back closes it by itself: the address says that it is open. */
  readonly isInAddress?: boolean;
}

/**
 * A dialog over the page. Opened again before it has closed, it begins anew. While it closes it is inert: the library
 * gives its first field the focus a moment after it opened, and may be late.
 */
export const Dialog = ({ children, isInAddress = false, ...props }: DialogProps) => {
  const { opened, onClose } = props;
  const [openings, setOpenings] = useState({ opened, count: 0 });
  if (opened !== openings.opened) setOpenings({ opened, count: openings.count + (opened ? 1 : 0) });
  useReturn(opened);
  useStep(opened && !isInAddress, onClose);
  return (
    <Modal {...props} inert={!opened} returnFocus={false}>
      <Fragment key={openings.count}>{children}</Fragment>
    </Modal>
  );
};

/** What a dialog can do: it stays in sight at its lower edge while what is above it scrolls. */
export const DialogFoot = ({ children }: { children: ReactNode }) => (
  <div className="acts-end dialog-foot">{children}</div>
);
