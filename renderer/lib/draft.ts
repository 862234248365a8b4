const nameOf = (key: string): string => `explorer.draft.${key}`;

/** Work in progress as it was last written down in this window, or null. */
export const readDraft = (key: string): unknown => {
  try {
    return JSON.parse(window.sessionStorage.getItem(nameOf(key)) ?? "null");
  } catch {
    return null;
  }
};

/** Writes work in progress down, so that a reload of this window does not lose it; null forgets it. */
export const writeDraft = (key: string, value: unknown): void => {
  try {
    if (value === null) window.sessionStorage.removeItem(nameOf(key));
    else window.sessionStorage.setItem(nameOf(key), JSON.stringify(value));
  } catch {
    // Storage can be denied; the work then lasts as long as the page.
  }
};

/** What was written down, as far as it still fits: known fields with text, or null where null was possible. */
export const restoredDraft = <T extends object>(initial: T, stored: unknown): T => {
  if (typeof stored !== "object" || stored === null) return initial;
  const known = Object.keys(initial).flatMap((field): [string, unknown][] => {
    const value: unknown = Reflect.get(stored, field);
    return typeof value === "string" || value === null ? [[field, value]] : [];
  });
  return { ...initial, ...Object.fromEntries(known) };
};
