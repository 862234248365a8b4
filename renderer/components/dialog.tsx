import type { ModalProps } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { giveFocusBack } from "../lib/focus.ts";
import { late } from "../lib/late.ts";
import { useLater } from "./loading.tsx";

interface DialogProps extends ModalProps {
  /** There until the dialog's code is. */
  readonly meanwhile?: ReactNode;
}

interface ComingProps {
  readonly title: ReactNode;
  /** In pixels. */
  readonly size?: number;
}

const Coming = ({ title, size = 620 }: ComingProps) =>
  useLater() && (
    <div className="dialog-coming" role="status" style={{ maxWidth: size }}>
      <h2>{title}</h2>
      <span className="bone" />
    </div>
  );

/** What stands in for a dialog whose code is late: its title. */
export const DialogComing = ({ opened, ...props }: ComingProps & { readonly opened: boolean }) =>
  opened && <Coming {...props} />;

const frame = late<DialogProps>(
  async () => (await import("./dialog-frame.tsx")).DialogFrame,
  ({ opened, title, meanwhile = <Coming title={title} /> }) => opened && meanwhile,
);

/** Gives the focus back to what had it when the dialog was opened, whenever its code came. */
const useReturn = (opened: boolean) => {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const before = opener.current;
    opener.current = opened ? document.activeElement : null;
    // What is chosen in the search can open another dialog: it was in the search, which is gone.
    if (before instanceof HTMLElement) giveFocusBack(before.isConnected ? before : document.getElementById("place"));
  }, [opened]);
};

/** A dialog over the page. Its code is fetched when it opens first. */
export const Dialog = (props: DialogProps) => {
  const [isNeeded, setNeeded] = useState(props.opened);
  if (props.opened && !isNeeded) setNeeded(true);
  useReturn(props.opened);
  return isNeeded && <frame.Part {...props} returnFocus={false} />;
};
