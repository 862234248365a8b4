import { Modal, type ModalProps } from "@mantine/core";
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from "react";
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

/**
 * A dialog over the page. Opened again before it has closed, it begins anew. While it closes it is inert: the library
 * gives its first field the focus a moment after it opened, and may be late.
 */
export const Dialog = ({ children, ...props }: ModalProps) => {
  const { opened } = props;
  const [openings, setOpenings] = useState({ opened, count: 0 });
  if (opened !== openings.opened) setOpenings({ opened, count: openings.count + (opened ? 1 : 0) });
  useReturn(opened);
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
