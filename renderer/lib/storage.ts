import { createJSONStorage } from "zustand/middleware";

/** Storage of the user's data: this window, to survive a reload; or this browser, for all its windows. */
export type StorageArea = "window" | "browser";

/** A browser can deny storage or be full; values then last as long as the page. */
const attempt = <T>(of: StorageArea, work: (storage: Storage) => T): T | null => {
  try {
    return work(of === "window" ? window.sessionStorage : window.localStorage);
  } catch {
    return null;
  }
};

export const recall = (of: StorageArea, key: string): string | null => attempt(of, (storage) => storage.getItem(key));

/** Null deletes the value. */
export const keep = (of: StorageArea, key: string, value: string | null): void => {
  attempt(of, (storage) => (value === null ? storage.removeItem(key) : storage.setItem(key, value)));
};

export const keysIn = (of: StorageArea): readonly string[] => attempt(of, (storage) => Object.keys(storage)) ?? [];

export const deleteAll = (of: StorageArea): void => {
  attempt(of, (storage) => storage.clear());
};

/** Storage for a zustand store. A value that doesn't fit also deletes the older one. */
export const createStateStorage = <State>(of: StorageArea) =>
  createJSONStorage<State>(() => ({
    getItem: (key) => recall(of, key),
    setItem: (key, value) => {
      keep(of, key, null);
      keep(of, key, value);
    },
    removeItem: (key) => keep(of, key, null),
  }));
