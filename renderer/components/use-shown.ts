import { type RefObject, useLayoutEffect, useRef } from "react";

/** For a heading with `tabIndex={-1}` that an address names: it is brought in sight and has the focus. */
export const useShown = (isShown: boolean): RefObject<HTMLHeadingElement | null> => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!isShown) return;
    heading.current?.scrollIntoView({ block: "center" });
    heading.current?.focus({ preventScroll: true });
  }, [isShown]);
  return heading;
};
