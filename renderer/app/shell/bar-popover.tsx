import { Popover } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import type { ReactElement, ReactNode } from "react";
import { Boundary } from "../boundary.tsx";

/** Escape closes it also when what had the focus in it went away, as a button does that has nothing more to do. */
const useEscape = (open: boolean, onClose: () => void) =>
  useWindowEvent("keydown", (event) => {
    if (open && event.key === "Escape" && document.activeElement === document.body) onClose();
  });

/**
 * What opens under a button of the top bar. Focus goes into it, stays in it while it is open and returns to the button;
 * the keys of the place rest meanwhile. The button says itself whether it is expanded.
 */
export const BarPopover = ({
  label,
  width,
  open,
  onChange,
  button,
  children,
  align = "start",
}: {
  /** What it is, for screen readers. */
  label: string;
  width: number;
  open: boolean;
  onChange: (open: boolean) => void;
  button: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
}) => {
  useEscape(open, () => onChange(false));
  return (
    <Popover
      opened={open}
      onChange={onChange}
      position={`bottom-${align}`}
      offset={6}
      width={`min(${width}px, calc(100vw - 16px))`}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown role="dialog" aria-modal={true} aria-label={label} className="bar-popover">
        <Boundary title={label}>{children}</Boundary>
      </Popover.Dropdown>
    </Popover>
  );
};
