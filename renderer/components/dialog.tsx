import type { ModalProps } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { late } from "../lib/late.ts";

interface DialogProps extends ModalProps {
  /** There until the dialog's code is. */
  readonly meanwhile?: ReactNode;
}

const frame = late<DialogProps>(
  async () => (await import("./dialog-frame.tsx")).DialogFrame,
  ({ opened, meanwhile }) => opened && meanwhile,
);

/** Gives the focus back to what had it when the dialog was opened, whenever its code came. */
const useReturn = (opened: boolean) => {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (opened) {
      opener.current = activeElement;
      return;
    }
    const isLeft = activeElement === null || activeElement === document.body || activeElement.closest("[role=dialog]");
    if (isLeft && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    opener.current = null;
  }, [opened]);
};

/** A dialog over the page. Its code is fetched when it opens first. */
export const Dialog = (props: DialogProps) => {
  const [isNeeded, setNeeded] = useState(props.opened);
  if (props.opened && !isNeeded) setNeeded(true);
  useReturn(props.opened);
  return isNeeded && <frame.Part {...props} returnFocus={false} />;
};
