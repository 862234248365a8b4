import { type RefObject, useLayoutEffect, useState } from "react";

/** Whether an element is narrower than so many CSS pixels, kept true while it changes its size. */
export const useNarrow = (box: RefObject<HTMLElement | null>, below: number): boolean => {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setNarrow(element.clientWidth > 0 && element.clientWidth < below);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, below]);
  return narrow;
};
