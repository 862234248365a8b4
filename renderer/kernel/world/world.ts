import { useLocationProperty } from "wouter/use-browser-location";
import { currentWorld } from "../../lib/session.ts";

/** The world in this window's address. */
export const useWorld = (): string => useLocationProperty(currentWorld, currentWorld);
