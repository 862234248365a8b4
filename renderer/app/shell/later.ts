import { late } from "../../lib/late.ts";

/** Parts of the frame that nobody sees before opening them. */
export const { Part: WorldsPanel } = late(async () => (await import("./worlds/worlds-panel.tsx")).WorldsPanel);
export const { Part: ClockPanel } = late(async () => (await import("./clock/clock-panel.tsx")).ClockPanel);
export const { Part: WireDrawer } = late(async () => (await import("./wire/wire-drawer.tsx")).WireDrawer);
