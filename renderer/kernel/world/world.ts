import { useSyncExternalStore } from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import { controlToken, currentWorld, subscribeSession } from "../../lib/session.ts";

/** The world this window looks at: the one its address names. */
export const useWorld = (): string => useLocationProperty(currentWorld, currentWorld);

/** The control token, or null when this window has none that works. */
export const useControlToken = (): string | null => useSyncExternalStore(subscribeSession, controlToken);
