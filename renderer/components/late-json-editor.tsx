import { late } from "../lib/late.ts";
import { Skeletons } from "./read.tsx";

/** The JSON editor; its code is fetched at the first render. */
export const LateJsonEditor = late(
  async () => (await import("./json-editor.tsx")).JsonEditor,
  () => <Skeletons what="the editor" rows={4} />,
).Part;
