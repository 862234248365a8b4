import type { ModalProps } from "@mantine/core";
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from "react";
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
    <div className="stack dialog-coming" role="status" style={{ maxWidth: size }}>
      <h2 className="t15">{title}</h2>
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
    // What is chosen in the search can open another dialog: it was in the search, which is gone. Or nothing had it.
    if (before instanceof HTMLElement)
      giveFocusBack(before.isConnected && before !== document.body ? before : document.getElementById("place"));
  }, [opened]);
};

/** A dialog over the page. Its code is fetched when it opens first; opened again before it has closed, it begins anew. */
export const Dialog = ({ children, ...props }: DialogProps) => {
  const { opened } = props;
  const [openings, setOpenings] = useState({ opened, count: opened ? 1 : 0 });
  if (opened !== openings.opened) setOpenings({ opened, count: openings.count + (opened ? 1 : 0) });
  useReturn(opened);
  return (
    openings.count > 0 && (
      <frame.Part {...props} returnFocus={false}>
        <Fragment key={openings.count}>{children}</Fragment>
      </frame.Part>
    )
  );
};
