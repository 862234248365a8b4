import { useKeys } from "../../../components/use-keys.ts";
import { late } from "../../../lib/late.ts";
import { searching } from "./store.ts";

/** Its code is fetched once the frame is there. */
const Dialog = late(async () => (await import("./palette-body.tsx")).PaletteDialog).Part;

/** Ctrl/Cmd+K (and +P): places, jobs, orders, calls, commands. */
export const Palette = () => {
  useKeys("Everywhere", [{ keys: ["mod+k", "mod+p"], label: "Search or jump to", run: searching.toggle }]);
  return <Dialog />;
};
