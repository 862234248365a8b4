import { late } from "../lib/late.ts";
import { Loading } from "./loading.tsx";

/** The editor for JSON; its code is fetched when it is first drawn. */
export const LateJsonEditor = late(
  async () => (await import("./json-editor.tsx")).JsonEditor,
  () => <Loading what="the editor" rows={4} />,
).Part;
