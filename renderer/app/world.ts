import { useSyncExternalStore } from "react";
import { controlToken, currentWorld, subscribeSession } from "../lib/session.ts";

/** The world this window looks at. */
export const useWorld = (): string => useSyncExternalStore(subscribeSession, currentWorld);

/** The control token, or null when this window has none that works. */
export const useControlToken = (): string | null => useSyncExternalStore(subscribeSession, controlToken);
