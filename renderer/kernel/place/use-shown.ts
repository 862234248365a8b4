import { type RefObject, useLayoutEffect, useRef } from "react";

/** For what has `tabIndex={-1}` and heads a section that an address names: the section comes to the top, and it has the focus. */
export const useShown = <E extends HTMLElement = HTMLHeadingElement>(isShown: boolean): RefObject<E | null> => {
  const heading = useRef<E>(null);
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
