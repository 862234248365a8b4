import { useCallback, useState } from "react";

const read = (key: string): string | null => {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** A small choice of the person (a width, a filter) that survives reloads; `parse` refuses what it does not know with null. */
export const useRemembered = <T>(
  key: string,
  initial: T,
  parse: (text: string) => T | null,
): readonly [T, (value: T) => void] => {
  const name = `explorer.${key}`;
  const [value, setValue] = useState<T>(() => {
    const text = read(name);
    return text === null ? initial : (parse(text) ?? initial);
  });
  const remember = useCallback(
    (next: T) => {
      setValue(next);
      try {
        window.localStorage.setItem(name, String(next));
      } catch {
        // Storage can be denied; the choice then lasts as long as the window.
      }
    },
    [name],
  );
  return [value, remember];
};
