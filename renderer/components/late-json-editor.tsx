import { late } from "../lib/late.ts";
import { loading } from "./loading.tsx";

/** The editor for JSON; its code is fetched when it is first drawn. */
export const LateJsonEditor = late(
  async () => (await import("./json-editor.tsx")).JsonEditor,
  loading("the editor", 4),
).Part;
