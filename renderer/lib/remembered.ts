import { useCallback, useState } from "react";
import { keep, recall } from "./storage.ts";

/** A small choice (a width, a filter) that survives reloads; `parse` returns null for unknown values. */
export const useRemembered = <T>(
  key: string,
  initial: T,
  parse: (text: string) => T | null,
): readonly [T, (value: T) => void] => {
  const name = `explorer.${key}`;
  const [value, setValue] = useState<T>(() => {
    const text = recall("browser", name);
    return text === null ? initial : (parse(text) ?? initial);
  });
  const remember = useCallback(
    (next: T) => {
      setValue(next);
      keep("browser", name, String(next));
    },
    [name],
  );
  return [value, remember];
};
