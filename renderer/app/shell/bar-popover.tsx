import { Popover } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { giveFocusBack } from "../../lib/focus.ts";
import { Boundary } from "../boundary.tsx";

/** Escape closes it also before the focus is in it, and when what had it there went away. */
const useEscape = (open: boolean, onClose: () => void) =>
  useWindowEvent("keydown", ({ key, target }) => {
    const isWithin = target instanceof Element && target.closest("[role=dialog], [role=menu]") !== null;
    if (open && key === "Escape" && !isWithin) onClose();
  });

/** Not to what had it before: the world that was in sight then may be another one by now. */
const useReturn = (open: boolean, target: RefObject<HTMLElement | null>) => {
  const wasOpen = useRef(open);
  useLayoutEffect(() => {
    if (wasOpen.current && !open)
      giveFocusBack(target.current?.closest("button") ?? target.current?.querySelector("button"));
    wasOpen.current = open;
  }, [open, target]);
};

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
  const target = useRef<HTMLElement>(null);
  useEscape(open, () => onChange(false));
  useReturn(open, target);
  return (
    <Popover
      opened={open}
      onChange={onChange}
      position={`bottom-${align}`}
      offset={6}
      width={`min(${width}px, calc(100vw - 16px))`}
      // At once: the next key already means the place again.
      transitionProps={{ duration: 80, exitDuration: 0 }}
      trapFocus
      withRoles={false}
    >
      <Popover.Target ref={target}>{button}</Popover.Target>
      <Popover.Dropdown role="dialog" aria-modal={true} aria-label={label} className="bar-popover" tabIndex={-1}>
        <Boundary title={label}>{children}</Boundary>
      </Popover.Dropdown>
    </Popover>
  );
};
