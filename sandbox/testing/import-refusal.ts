import fs from "node:fs";
import path from "node:path";
import { importDocument } from "../snapshots/import-document.ts";
import { WorkRefusal } from "../snapshots/work.ts";
import { temporaryFolder } from "./harness.ts";

/**
 * Processes a body of `snapshots.import` without a worker thread, which is faster for many bodies.
 * @returns the refusal's message, or null
 */
export const importRefusal = (body: object): string | null => {
  const folder = temporaryFolder();
  const file = (name: string): string => path.join(folder, name);
  fs.writeFileSync(file("body.json"), JSON.stringify(body));
  const [from, to, media] = [file("body.json"), file("world.sqlite"), file("media")];
  try {
    importDocument({ from, to, media, credentials: null }, () => undefined);
    return null;
  } catch (error) {
    if (!(error instanceof WorkRefusal)) throw error;
    return error.message;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
};
