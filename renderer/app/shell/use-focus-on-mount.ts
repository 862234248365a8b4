import { type RefObject, useEffect, useRef } from "react";

/** Moves focus to the first thing the selector finds when a part of a popover takes another's place. */
export const useFocusOnMount = <E extends HTMLElement>(selector: string): RefObject<E | null> => {
  const box = useRef<E>(null);
  useEffect(() => {
    const target = box.current?.querySelector<HTMLElement>(selector);
    target?.focus();
    if (target instanceof HTMLInputElement) target.select();
  }, [selector]);
  return box;
};
