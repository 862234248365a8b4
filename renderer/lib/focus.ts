/** Focuses an element if the closing element has or had focus; a dialog that stays open keeps it. */
export const restoreFocus = (to: HTMLElement | null | undefined): void => {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || activeElement.closest("[inert] [role=dialog]"))
    to?.focus({ preventScroll: true });
};

/** The element that took focus after the last navigation, and its priority. */
let lastFocus: { readonly element: Element; readonly rank: number } | null = null;
/** True if a navigation happened and no key or button was pressed since. */
let isStepping = false;

/** Returns the focus to an element as something over the page closes; after a navigation to the place instead. */
export const giveFocusBack = (to: Element | null): void => {
  const isThere = to instanceof HTMLElement && to.isConnected && to !== document.body && !isStepping;
  restoreFocus(isThere ? to : document.getElementById("place"));
};

/**
 * As the `ref` of an element that can be removed while focused: passes the focus to its container, else to the place.
 * After a navigation the place gets it, so that the new content can take it.
 */
export const passFocusOnRemoval = (element: HTMLElement | null) => () => {
  if (!element?.contains(document.activeElement)) return;
  const within = isStepping ? null : element.parentElement?.closest<HTMLElement>("[tabindex]");
  (within ?? document.getElementById("place"))?.focus({ preventScroll: true });
};

/** Marks the start of a navigation: the new content may take a lost focus. */
export const beginStep = (): void => {
  isStepping = true;
  lastFocus = null;
};
const end = () => {
  isStepping = false;
};

/**
 * Treats Back and Forward as navigations. A press of the user ends one, so that the focus doesn't move. Returns a
 * function that removes the listeners.
 */
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
 * Focus on the place or its pane comes from a click on nothing, so content may take it. So may content from an element
 * that is behind another one.
 */
const isLost = (active: Element | null): boolean =>
  active === null || active.matches("body, #place, [data-acts-in]") || active.closest("[inert]") !== null;

const take = (element: HTMLElement | null, rank: number): void => {
  if (!element || !isStepping || element.closest("[inert]") || !element.checkVisibility()) return;
  const { activeElement } = document;
  if (!isLost(activeElement) && !(lastFocus?.element === activeElement && lastFocus.rank < rank)) return;
  element.focus({ preventScroll: true });
  if (document.activeElement === element) lastFocus = { element, rank };
};

/**
 * Keeps the focus on something after a navigation: if the focused element is gone, the open row or tab takes it, else
 * the heading of the detail, else the place.
 */
export const focusOpenItem = (element: HTMLElement | null): void => take(element, 2);
/** As the `ref` of a heading, which has `tabIndex={-1}`. */
export const focusHeading = (element: HTMLElement | null): void => take(element, 1);
export const focusPlace = (): void => take(document.getElementById("place"), 0);
