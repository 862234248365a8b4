import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * For a `tabIndex={-1}` head of a section that an address names: scrolls the section to the top and focuses the head.
 */
export const useScrollIntoView = <E extends HTMLElement = HTMLHeadingElement>(
  isShown: boolean,
): RefObject<E | null> => {
  const heading = useRef<E>(null);
  useLayoutEffect(() => {
    if (!isShown) return;
    const box = heading.current?.closest(".scroll");
    const section = heading.current?.closest("section");
    // scrollIntoView would also scroll the ancestors of the box.
    if (box && section) box.scrollTop += section.getBoundingClientRect().top - box.getBoundingClientRect().top;
    heading.current?.focus({ preventScroll: true });
  }, [isShown]);
  return heading;
};
