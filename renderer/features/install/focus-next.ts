import { type RefObject, useEffect, useRef } from "react";

/**
 * A step that was taken vanishes with its button; the focus goes on to the next step's, which also brings that into
 * view. Nothing moves when the pane is first drawn.
 */
export const useFocusNext = (stage: string): RefObject<HTMLElement | null> => {
  const pane = useRef<HTMLElement>(null);
  const before = useRef(stage);
  useEffect(() => {
    if (before.current === stage) return;
    before.current = stage;
    pane.current?.querySelector<HTMLElement>("[data-next] button")?.focus();
  }, [stage]);
  return pane;
};
