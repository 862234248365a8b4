import { useRef, useState } from "react";
import { parsedJson } from "./parsed-json.ts";
import { keep, recall } from "./storage.ts";

/** Where a draft is written down: in this window over a reload, and where it is to outlive the window too, for all. */
const stores = [
  { prefix: "explorer.draft.", of: "window" },
  { prefix: "explorer.unsent.", of: "browser" },
] as const;

/** What a draft is called; `outlives` says whether it is kept when its window is closed. */
export interface DraftName {
  readonly name: string;
  readonly outlives?: "window";
}
const storesOf = ({ outlives }: DraftName) => (outlives === "window" ? stores : stores.slice(0, 1));

/** Work in progress as it was last written down: by this window, else by one that may be closed. Null where none was. */
export const readDraft = (draft: DraftName): unknown => {
  for (const { prefix, of } of storesOf(draft)) {
    const value = parsedJson(recall(of, prefix + draft.name) ?? "null");
    if (value !== null && value !== undefined) return value;
  }
  return null;
};

/** Writes work in progress down; null forgets it. */
export const writeDraft = (draft: DraftName, value: unknown): void => {
  for (const { prefix, of } of storesOf(draft))
    keep(of, prefix + draft.name, value === null ? null : JSON.stringify(value));
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

interface DraftWays<T> {
  readonly initial: () => T;
  /** Reads what was written down; null where it does not fit. */
  readonly read: (stored: unknown) => T | null;
  /** Whether there is anything to lose; what is not worth keeping is not written down. */
  readonly isWorth: (draft: T) => boolean;
}

/** A form's work, kept until it is sent or given up. Another name is meant for another form: `key` it by that. */
export const useDraft = <T>(name: DraftName, { initial, read, isWorth }: DraftWays<T>) => {
  const [began] = useState(() => {
    const stored = readDraft(name);
    return stored === null ? null : read(stored);
  });
  const [isContinued, setContinued] = useState(began !== null);
  const [draft, setDraft] = useState<T>(() => began ?? initial());
  const now = useRef(draft);
  const set = (next: T) => {
    now.current = next;
    setDraft(() => next);
  };
  const forget = () => writeDraft(name, null);
  return {
    draft,
    /** Makes the next out of what it is now: two changes in one moment both stay. */
    change: (next: (now: T) => T) => {
      set(next(now.current));
      writeDraft(name, isWorth(now.current) ? now.current : null);
    },
    /** Whether it goes on from what was not sent earlier. */
    isContinued,
    /** Begins again with nothing but what is there. */
    beginAnew: () => {
      forget();
      setContinued(false);
      set(initial());
    },
    forget,
  };
};
