import type { ModalProps } from "@mantine/core";
import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from "react";
import { late } from "../lib/late.ts";

const frame = late(async () => (await import("./dialog-frame.tsx")).DialogFrame);

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

/**
 * A dialog over the page. Its code, and what is late in it, is fetched when it opens first; `meanwhile` is there until
 * then.
 */
export const Dialog = ({ meanwhile, ...props }: ModalProps & { readonly meanwhile?: ReactNode }) => {
  const [isNeeded, setNeeded] = useState(props.opened);
  if (props.opened && !isNeeded) setNeeded(true);
  useReturn(props.opened);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={props.opened && meanwhile}>
      <frame.Part {...props} returnFocus={false} />
    </Suspense>
  );
};
