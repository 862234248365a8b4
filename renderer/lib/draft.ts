import { useRef, useState } from "react";
import { parsedJson } from "./parsed-json.ts";
import { keep, recall } from "./storage.ts";

/** Storage of drafts: per window, to survive a reload; and shared, if the draft should outlive its window. */
const stores = [
  { prefix: "explorer.draft.", of: "window" },
  { prefix: "explorer.unsent.", of: "browser" },
] as const;

/** The name of a draft; `outlives` keeps it after its window is closed. */
export interface DraftName {
  readonly name: string;
  readonly outlives?: "window";
}
const storesOf = ({ outlives }: DraftName) => (outlives === "window" ? stores : stores.slice(0, 1));

/** Reads the last stored draft: this window's, otherwise one of a closed window. Null without one. */
export const readDraft = (draft: DraftName): unknown => {
  for (const { prefix, of } of storesOf(draft)) {
    const value = parsedJson(recall(of, prefix + draft.name) ?? "null");
    if (value !== null && value !== undefined) return value;
  }
  return null;
};

/** Stores a draft; null deletes it. */
export const writeDraft = (draft: DraftName, value: unknown): void => {
  for (const { prefix, of } of storesOf(draft))
    keep(of, prefix + draft.name, value === null ? null : JSON.stringify(value));
};

/** Returns the stored fields that still fit: known fields with null or a value of their initial type. */
export const restoredDraft = <T extends object>(initial: T, stored: unknown): T => {
  if (typeof stored !== "object" || stored === null) return initial;
  const known = Object.keys(initial).flatMap((field): [string, unknown][] => {
    const value: unknown = Reflect.get(stored, field);
    const usual: unknown = Reflect.get(initial, field);
    // An initial null allows every plain value.
    const fits = usual === null ? Object(value) !== value : typeof value === typeof usual;
    return value === null || (value !== undefined && fits) ? [[field, value]] : [];
  });
  return { ...initial, ...Object.fromEntries(known) };
};

interface DraftWays<T> {
  readonly initial: () => T;
  /** Validates a stored draft; null if it doesn't fit. */
  readonly read: (stored: unknown) => T | null;
  /** Returns whether the draft is worth storing. */
  readonly isWorth: (draft: T) => boolean;
}

/** A form's draft, stored until it is sent or discarded. Another name is another form: `key` the component by it. */
export const useDraft = <T>(name: DraftName, { initial, read, isWorth }: DraftWays<T>) => {
  const [restored] = useState(() => {
    const stored = readDraft(name);
    return stored === null ? null : read(stored);
  });
  const [isContinued, setContinued] = useState(restored !== null);
  const [draft, setDraft] = useState<T>(() => restored ?? initial());
  const now = useRef(draft);
  const set = (next: T) => {
    now.current = next;
    setDraft(() => next);
  };
  const forget = () => writeDraft(name, null);
  return {
    draft,
    /** Updates from the latest value, so that two changes in one render both apply. */
    change: (next: (now: T) => T) => {
      set(next(now.current));
      writeDraft(name, isWorth(now.current) ? now.current : null);
    },
    /** True if an unsent draft was restored. */
    isContinued,
    /** Starts over with the initial value. */
    startOver: () => {
      forget();
      setContinued(false);
      set(initial());
    },
    forget,
  };
};

/**
 * A draft of a form with plain fields, stored once one differs from its initial value. It outlives its window.
 *
 * @param fits whether restored fields can be shown
 */
export const useFieldsDraft = <T extends object>(name: string, initial: T, fits: (draft: T) => boolean = () => true) =>
  useDraft<T>(
    { name, outlives: "window" },
    {
      initial: () => initial,
      read: (stored) => {
        const restored = restoredDraft(initial, stored);
        return fits(restored) ? restored : null;
      },
      isWorth: (draft) =>
        Object.keys(initial).some((field) => Reflect.get(draft, field) !== Reflect.get(initial, field)),
    },
  );
