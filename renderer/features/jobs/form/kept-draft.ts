import { useCallback, useRef, useState } from "react";
import { readDraft, writeDraft } from "../../../lib/draft.ts";

const nameOf = (key: string): string => `explorer.unsent.${key}`;

/** What a window that was closed has left. */
const readLeft = (key: string): unknown => {
  try {
    return JSON.parse(window.localStorage.getItem(nameOf(key)) ?? "null");
  } catch {
    return null;
  }
};

const writeLeft = (key: string, value: unknown): void => {
  try {
    if (value === null) window.localStorage.removeItem(nameOf(key));
    else window.localStorage.setItem(nameOf(key), JSON.stringify(value));
  } catch {
    // Storage can be denied or full; the work then lasts as long as the window.
  }
};

/** Writes unsent work down for a form that is about to be opened. */
export const keepDraft = (key: string, value: unknown): void => {
  writeDraft(key, value);
  writeLeft(key, value);
};

/** Forgets unsent work everywhere. */
export const forgetDraft = (key: string): void => keepDraft(key, null);

/** Unsent work as it was last written down: by this window, else by one that may be closed. Null when there is none. */
export const keptDraft = <T>(key: string, read: (stored: unknown) => T | null): T | null => {
  const own = readDraft(key);
  if (own !== null) return read(own);
  const left = readLeft(key);
  return left === null ? null : read(left);
};

interface KeptDraft<T> {
  readonly draft: T;
  /** Makes the next out of what it is now: two changes in one moment both stay. */
  readonly change: (next: (now: T) => T) => void;
  /** Whether it goes on from what was not sent earlier. */
  readonly isContinued: boolean;
  /** Begins again with nothing but what is there. */
  readonly beginAnew: () => void;
  readonly forget: () => void;
}

interface DraftWays<T> {
  readonly initial: () => T;
  /** Reads what was written down; null when it does not fit. */
  readonly read: (stored: unknown) => T | null;
  /** Whether there is anything to lose; what is not worth keeping is not written down. */
  readonly isWorth: (draft: T) => boolean;
}

/** A form's work, kept over a reload and over closing the window until it is sent or given up. */
export const useKeptDraft = <T>(key: string, { initial, read, isWorth }: DraftWays<T>): KeptDraft<T> => {
  const [began] = useState(() => keptDraft(key, read));
  const [isContinued, setContinued] = useState(began !== null);
  const [draft, setDraft] = useState<T>(() => began ?? initial());
  const now = useRef(draft);
  now.current = draft;
  const change = useCallback(
    (next: (now: T) => T) => {
      now.current = next(now.current);
      setDraft(now.current);
      keepDraft(key, isWorth(now.current) ? now.current : null);
    },
    [key, isWorth],
  );
  const forget = useCallback(() => forgetDraft(key), [key]);
  const beginAnew = () => {
    forget();
    setContinued(false);
    setDraft(initial());
  };
  return { draft, change, isContinued, beginAnew, forget };
};
