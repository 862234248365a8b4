import { lazy } from "react";

/** Parts of the frame that are fetched when they are first opened, or once the first place is drawn and of use. */
const parts = {
  worlds: () => import("./worlds/worlds-panel.tsx"),
  clock: () => import("./clock/clock-panel.tsx"),
  wire: () => import("./wire/wire-drawer.tsx"),
};

export const WorldsPanel = lazy(async () => ({ default: (await parts.worlds()).WorldsPanel }));
export const ClockPanel = lazy(async () => ({ default: (await parts.clock()).ClockPanel }));
export const WireDrawer = lazy(async () => ({ default: (await parts.wire()).WireDrawer }));

const AFTER_FIRST_USE_MS = 1_500;

/** So that opening one needs no service: it may be away just then. Returns what takes it back. */
export const loadFrameLater = (): (() => void) => {
  const timer = setTimeout(() => {
    for (const load of Object.values(parts)) load().catch(() => undefined);
  }, AFTER_FIRST_USE_MS);
  return () => clearTimeout(timer);
};
