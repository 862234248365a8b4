import { useSyncExternalStore } from "react";

/** When the service answered last, in milliseconds of real time. */
let answeredAt = 0;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The service answered just now, whatever it was. */
export const noteAnswer = (): void => {
  answeredAt = Date.now();
  for (const listener of listeners) listener();
};

/** Whether the service answered after a moment at which it did not. */
export const useAnsweredSince = (at: number): boolean => useSyncExternalStore(subscribe, () => answeredAt > at);
