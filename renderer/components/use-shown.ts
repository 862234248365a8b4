import { type RefObject, useLayoutEffect, useRef } from "react";

/** For a heading with `tabIndex={-1}` that an address names: what it heads comes to the top, and it has the focus. */
export const useShown = (isShown: boolean): RefObject<HTMLHeadingElement | null> => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!isShown) return;
    const box = heading.current?.closest(".scroll");
    const section = heading.current?.closest("section");
    // By itself the section would move what lies around the box as well.
    if (box && section) box.scrollTop += section.getBoundingClientRect().top - box.getBoundingClientRect().top;
    heading.current?.focus({ preventScroll: true });
  }, [isShown]);
  return heading;
};
