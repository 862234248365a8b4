import { late } from "../late.ts";

/** Parts of the frame that are fetched when they are first opened, or once the first place is drawn and of use. */
const worlds = late(async () => (await import("./worlds/worlds-panel.tsx")).WorldsPanel);
const clock = late(async () => (await import("./clock/clock-panel.tsx")).ClockPanel);
const wire = late(async () => (await import("./wire/wire-drawer.tsx")).WireDrawer);

export const WorldsPanel = worlds.Part;
export const ClockPanel = clock.Part;
export const WireDrawer = wire.Part;

const AFTER_FIRST_USE_MS = 1_500;

/** So that opening one needs no service: it may be away just then. Returns what takes it back. */
export const loadFrameLater = (): (() => void) => {
  const timer = setTimeout(() => {
    for (const { preload } of [worlds, clock, wire]) void preload();
  }, AFTER_FIRST_USE_MS);
  return () => clearTimeout(timer);
};
