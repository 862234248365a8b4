/** Gives the focus to an element where what closes has it, or had it. */
export const giveFocusBack = (to: HTMLElement | null | undefined): void => {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || activeElement.closest("[role=dialog]"))
    to?.focus({ preventScroll: true });
};

/** What took the focus after the last step, and how fitting it was. */
let taken: { readonly element: Element; readonly rank: number } | null = null;
/** Whether an address was left and nothing was pressed since. */
let isStepping = false;

/**
 * As the `ref` of what can go while it has the focus: then what it is in has it, else the place. Where it goes because of
 * a step the place has it, so that what the step led to can take it.
 */
export const handsFocusOn = (element: HTMLElement | null) => () => {
  if (!element?.contains(document.activeElement)) return;
  const within = isStepping ? null : element.parentElement?.closest<HTMLElement>("[tabindex]");
  (within ?? document.getElementById("place"))?.focus({ preventScroll: true });
};

/** An address within the explorer is left for another: what that shows may take the focus where it got lost. */
export const beginStep = (): void => {
  isStepping = true;
  taken = null;
};
const end = () => {
  isStepping = false;
};

/** Going back and forth are steps too. Whoever presses something does not want to be moved. Returns what removes it. */
export const listenForSteps = (): (() => void) => {
  const options = { capture: true };
  window.addEventListener("popstate", beginStep, options);
  for (const event of ["pointerdown", "keydown"]) window.addEventListener(event, end, options);
  return () => {
    window.removeEventListener("popstate", beginStep, options);
    for (const event of ["pointerdown", "keydown"]) window.removeEventListener(event, end, options);
  };
};

/**
 * The place or its pane as a whole has it where a click hit nothing in particular: that says nothing of what was opened in it. What
 * lies behind something else has it for no longer than a moment.
 */
const isLost = (active: Element | null): boolean =>
  active === null || active.matches("body, #place, [data-acts-in]") || active.closest("[inert]") !== null;

const take = (element: HTMLElement | null, rank: number): void => {
  if (!element || !isStepping || element.closest("[inert]") || !element.checkVisibility()) return;
  const { activeElement } = document;
  if (!isLost(activeElement) && !(taken?.element === activeElement && taken.rank < rank)) return;
  element.focus({ preventScroll: true });
  if (document.activeElement === element) taken = { element, rank };
};

/**
 * Keys and screen readers never stand on nothing after a step: where what had the focus is gone, the row or the tab that
 * is open takes it, else the heading of what is open, else the place.
 */
export const opensAt = (element: HTMLElement | null): void => take(element, 2);
/** As the `ref` of a heading, which has `tabIndex={-1}`. */
export const headsIt = (element: HTMLElement | null): void => take(element, 1);
export const placeTakesIt = (): void => take(document.getElementById("place"), 0);
