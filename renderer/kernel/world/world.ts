import { useSyncExternalStore } from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import { controlToken, currentWorld, subscribeSession } from "../../lib/session.ts";

/** The world in this window's address. */
export const useWorld = (): string => useLocationProperty(currentWorld, currentWorld);

/** The control token, or null without a working one. */
export const useControlToken = (): string | null => useSyncExternalStore(subscribeSession, controlToken);
