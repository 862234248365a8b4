import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { worldFileName } from "../rules/world-name.ts";
import { SnapshotFiles } from "../snapshots/snapshot-files.ts";
import { MediaFiles } from "../uploads/media-files.ts";
import type { Row, SharedDatabase } from "./database.ts";
import { SharedFiles } from "./shared-files.ts";

/** Files of a node, in a folder that is gone afterwards, and what it says to a database of which a test says how it does. */
const nodeOn = (database: Pick<SharedDatabase, "run" | "put">) => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "shared-files-"));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const snapshots = new SnapshotFiles(path.join(root, "snapshots"), false);
  const files = new SharedFiles(database as SharedDatabase, root, new MediaFiles(root), snapshots);
  const write = (name: string): void => {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, name);
    files.changed(file);
  };
  return { files, write };
};

test.each(["fails", "goes on"] as const)(
  "what a world has stored at its next node stays, where it left this one while a picture of it was stored, which %s",
  async (how) => {
    const said: [string, readonly unknown[]][] = [];
    const asked = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const { files, write } = nodeOn({
      run: async (text, values = []): Promise<Row[]> => {
        said.push([text, values]);
        return [];
      },
      put: (): Promise<void> => {
        asked.resolve();
        return stored.promise;
      },
    });
    write(`media/${worldFileName("acme")}/one.png`);
    const pushed = files.push().catch((error: unknown) => error);
    await asked.promise;
    files.leave("acme");
    if (how === "fails") stored.reject(new Error("no answer"));
    else stored.resolve();
    await pushed;
    // Any other call on this node, in whatever world.
    await files.push();
    expect(said).toEqual([]);
  },
);

test("what changes again while it is stored is stored again", async () => {
  const said: string[] = [];
  const asked = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const { files, write } = nodeOn({
    run: async (text): Promise<Row[]> => {
      said.push(text);
      return [];
    },
    put: (): Promise<void> => {
      asked.resolve();
      return stored.promise;
    },
  });
  write("scenarios/one.json");
  const pushed = files.push();
  await asked.promise;
  write("scenarios/one.json");
  stored.resolve();
  await pushed;
  await files.push();
  expect(said.filter((text) => text.startsWith("INSERT")).length).toBe(2);
});
