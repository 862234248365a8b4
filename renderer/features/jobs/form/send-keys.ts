import type { KeyboardEvent } from "react";

/**
 * Ctrl or Cmd with Enter sends a form from wherever in it the focus stands. Taken on the way down: a field with a list
 * of its own takes every Enter for a wish to open that list.
 */
export const sendKeys = (send: () => void) => ({
  onKeyDownCapture: (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) send();
  },
});
