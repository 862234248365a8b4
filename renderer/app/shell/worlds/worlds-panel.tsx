import { CopyWorldForm, NewWorldForm } from "./world-form.tsx";
import { WorldList } from "./world-list.tsx";
import type { WorldsMode } from "./worlds-ui.ts";

/** What opens under the world's name: the list, or the form of a new one or a copy in its place. */
export const WorldsPanel = ({ mode }: { mode: WorldsMode }) => {
  if (mode.is === "new") return <NewWorldForm />;
  return mode.is === "copy" ? <CopyWorldForm key={mode.world} world={mode.world} /> : <WorldList />;
};
