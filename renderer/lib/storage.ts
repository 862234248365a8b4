import { createJSONStorage } from "zustand/middleware";

/** Where the explorer keeps what is the person's own: this window over a reload, or this browser, for all its windows. */
export type Kept = "window" | "browser";

/** A browser can deny storage, or have no more room: what is kept then lasts as long as the page. */
const attempt = <T>(of: Kept, work: (storage: Storage) => T): T | null => {
  try {
    return work(of === "window" ? window.sessionStorage : window.localStorage);
  } catch {
    return null;
  }
};

export const recall = (of: Kept, key: string): string | null => attempt(of, (storage) => storage.getItem(key));

/** Null forgets it. */
export const keep = (of: Kept, key: string, value: string | null): void => {
  attempt(of, (storage) => (value === null ? storage.removeItem(key) : storage.setItem(key, value)));
};

export const keysIn = (of: Kept): readonly string[] => attempt(of, (storage) => Object.keys(storage)) ?? [];

export const forgetAll = (of: Kept): void => {
  attempt(of, (storage) => storage.clear());
};

/** For a store that is kept. What finds no room leaves nothing behind of what was kept before. */
export const keptIn = <State>(of: Kept) =>
  createJSONStorage<State>(() => ({
    getItem: (key) => recall(of, key),
    setItem: (key, value) => {
      keep(of, key, null);
      keep(of, key, value);
    },
    removeItem: (key) => keep(of, key, null),
  }));
