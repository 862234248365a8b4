import { late } from "../lib/late.ts";
import { Skeletons } from "./read.tsx";

/** The editor for JSON; its code is fetched when it is first drawn. */
export const LateJsonEditor = late(
  async () => (await import("./json-editor.tsx")).JsonEditor,
  () => <Skeletons what="the editor" rows={4} />,
).Part;
