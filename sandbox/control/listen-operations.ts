import { listenAnswer } from "../contract/control/listen-operations.ts";
import { type BoundControl, control } from "./handler.ts";

/** What the laptops of `sandbox listen` say. */
export const listenControls: readonly BoundControl[] = [
  control(listenAnswer, ({ deliveries, worldName }, { world: _world, id, ...answered }) => ({
    ok: deliveries.listeners.answered(worldName, id.toLowerCase(), answered),
  })),
];
