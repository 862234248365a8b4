import { Modal, type ModalProps } from "@mantine/core";
import { Fragment, type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { giveFocusBack, restoreFocus } from "../lib/focus.ts";

/**
 * Returns the focus to the element that had it before the dialog opened, or to the place if that element is gone. The
 * dialog itself may be removed while it is open, with the thing that it changes.
 */
const useReturn = (opened: boolean) => {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const before = opener.current;
    opener.current = opened ? document.activeElement : null;
    // The element is gone if another dialog opened this one, such as the search.
    if (before instanceof HTMLElement)
      restoreFocus(before.isConnected && before !== document.body ? before : document.getElementById("place"));
  }, [opened]);
  useEffect(
    () => () => {
      if (opener.current !== null) giveFocusBack(opener.current);
    },
    [],
  );
};

/** Dialog state in `history.state`: the dialogs that are open at this entry, or that one was closed here. */
interface Step {
  readonly dialogs?: readonly string[];
  readonly isSpare?: boolean;
}
const stepNow = (): Step => {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null ? state : {};
};

/** Adds a history entry while the dialog is open: Back closes the dialog and keeps the page. */
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
      // Closed without Back: going back now could undo a navigation. The next dialog reuses the entry.
      const { dialogs = [], ...rest } = stepNow();
      history.replaceState({ ...rest, dialogs: dialogs.filter((one) => one !== name), isSpare: true }, "");
    };
  }, [isStep, name]);
};

interface DialogProps extends ModalProps {
  /** The dialog's open state is in the address, so Back already closes it. */
  readonly isInAddress?: boolean;
}

/**
 * A dialog over the page. Reopened while closing, it starts fresh. It is inert while closing, because the library
 * focuses the first field after a delay that can end late.
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

/** Actions of a dialog; they stay visible at its lower edge while the content scrolls. */
export const DialogFoot = ({ children }: { children: ReactNode }) => (
  <div className="acts-end dialog-foot">{children}</div>
);
