import { useEffect, useRef } from "react";
import { useLocation } from "wouter";

/** What is fetched or leaves slowly takes part of this; after it the place as a whole gets the focus. */
const WAITS_MS = 1_500;
const LOOKS_EVERY_MS = 50;

/** The place as a whole has it where a click hit nothing in particular: that says nothing of what was opened in it. */
const isLost = (): boolean => {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.id === "place";
};

const [PLACE, ID, TAB] = [1, 2, 3];
const part = (path: string, index: number): string => path.split("/")[index] ?? "";

/** What takes the focus, the first that is there, for a step from one address to another. */
const selectorsFor = (from: string, to: string): readonly string[] => {
  const same = (index: number) => part(from, index) === part(to, index);
  const detail = ['.list [aria-current="true"]', ".detail h2", ".detail h1"];
  if (!same(PLACE)) return ["#place"];
  if (part(to, ID) === "") return [`#place [data-key="${CSS.escape(part(from, ID))}"]`];
  return same(ID) && !same(TAB) ? ['#place [role="tab"][aria-selected="true"]', ...detail] : detail;
};

const focusOn = (selector: string): boolean => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found || found.closest("[inert]") || !found.checkVisibility()) return false;
  // Headings take it only from here.
  if (found.tabIndex < 0 && !found.hasAttribute("tabindex")) found.tabIndex = -1;
  found.focus({ preventScroll: true });
  return document.activeElement === found;
};

/** Watches for a while whether the focus got lost with what had it, and puts it where the address leads. */
const keepFocus = (from: string, to: string): (() => void) => {
  const selectors = selectorsFor(from, to);
  const began = performance.now();
  const look = () => {
    const late = performance.now() - began > WAITS_MS;
    if (isLost() && (selectors.some(focusOn) || (late && focusOn("#place")))) stop();
    else if (late) stop();
  };
  const timer = setInterval(look, LOOKS_EVERY_MS);
  const frame = requestAnimationFrame(look);
  const stop = () => {
    clearInterval(timer);
    cancelAnimationFrame(frame);
    for (const event of ["pointerdown", "keydown"]) window.removeEventListener(event, stop, true);
  };
  // Whoever goes on does not want to be moved.
  for (const event of ["pointerdown", "keydown"]) window.addEventListener(event, stop, true);
  return stop;
};

/**
 * Keys and screen readers never stand on nothing after a step through the explorer: where what had the focus is gone, the
 * row that is open has it, else the heading of what is open, else the place.
 */
export const useFocusAfter = (): void => {
  const [path] = useLocation();
  const was = useRef(path);
  useEffect(() => {
    const from = was.current;
    was.current = path;
    return from === path ? undefined : keepFocus(from, path);
  }, [path]);
};
