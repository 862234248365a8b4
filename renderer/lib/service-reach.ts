import { useSyncExternalStore } from "react";

/** Time of the service's last response, in milliseconds of real time. */
let answeredAt = 0;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Records that the service responded, whatever the status. */
export const noteResponse = (): void => {
  answeredAt = Date.now();
  for (const listener of listeners) listener();
};

/** Returns whether the service has responded since a failure at this time. */
export const useAnsweredSince = (at: number): boolean => useSyncExternalStore(subscribe, () => answeredAt > at);
