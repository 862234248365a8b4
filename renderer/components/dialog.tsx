import type { ModalProps } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";
import { late } from "../lib/late.ts";

const frame = late(async () => (await import("./dialog-frame.tsx")).DialogFrame);

/**
 * A dialog over the page. Its code, and what is late in it, is fetched when it opens first; `meanwhile` is there until
 * then.
 */
export const Dialog = ({ meanwhile, ...props }: ModalProps & { readonly meanwhile?: ReactNode }) => {
  const [isNeeded, setNeeded] = useState(props.opened);
  if (props.opened && !isNeeded) setNeeded(true);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={props.opened && meanwhile}>
      <frame.Part {...props} />
    </Suspense>
  );
};
