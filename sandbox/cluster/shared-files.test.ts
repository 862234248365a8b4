import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { worldSnapshotsFolder } from "../rules/worlds/snapshot-name.ts";
import { worldFileName } from "../rules/worlds/world-name.ts";
import { SnapshotFiles } from "../snapshots/snapshot-files.ts";
import { MediaFiles } from "../uploads/media-files.ts";
import type { Row, SharedDatabase } from "./database.ts";
import { SharedFiles } from "./shared-files.ts";

const acme = { name: "acme", owner: "us", epoch: 2, seq: 1 };

/** Creates a node's files in a temporary folder, with a fake database. */
const nodeOn = (database: Partial<Pick<SharedDatabase, "run" | "put" | "get">>) => {
  const around = fs.mkdtempSync(path.join(os.tmpdir(), "shared-files-"));
  onTestFinished(() => fs.rmSync(around, { recursive: true, force: true }));
  const root = path.join(around, "data");
  const snapshots = new SnapshotFiles(path.join(root, "snapshots"), false);
  const files = new SharedFiles(database as SharedDatabase, root, new MediaFiles(root), snapshots, () => [acme]);
  const write = (name: string): void => {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, name);
    files.changed(file);
  };
  return { files, write, root };
};

test.each(["fails", "goes on"] as const)(
  "files stored by the next node stay when the previous node lost the world during a store, which %s",
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
    // Stands for any other call on this node, in any world.
    await files.push();
    expect(said).toEqual([]);
  },
);

test.each([
  "media/w-acme.sqlite/../../../outside.png",
  "media/w-acme.sqlite/../../worlds/w-acme.sqlite",
  "/etc/outside",
  "scenarios/..\\..\\outside.json",
  "scenarios/",
  "service.sqlite",
])("a row with the foreign path %j writes and deletes nothing", async (name) => {
  const content = Buffer.from("outside");
  const row = { path: name, blob: createHash("sha256").update(content).digest("hex") };
  const { files, root } = nodeOn({ run: async () => [row], put: async () => undefined, get: async () => content });
  const before = fs.readdirSync(path.dirname(root)).concat(fs.readdirSync(root));
  await expect(files.pull(["acme"])).rejects.toThrow("delete that row");
  expect(fs.readdirSync(path.dirname(root)).concat(fs.readdirSync(root))).toEqual(before);
  expect(fs.existsSync(path.join(root, "worlds"))).toBe(false);
});

test("a change during its store is stored again", async () => {
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
  expect(said.filter((text) => text.includes("INSERT")).length).toBe(2);
});

test("a change is stored once", async () => {
  const run = vi.fn(async (): Promise<Row[]> => []);
  const { files, write } = nodeOn({ run, put: async () => undefined });
  write("scenarios/one.json");
  await files.push();
  await files.push();
  expect(run).toHaveBeenCalledTimes(1);
});

test("a snapshot is stored with a check of the owner, and a former owner is told", async () => {
  const said: (readonly unknown[])[] = [];
  const answers: Row[][] = [[{ held: 1 }], []];
  const { files, write, root } = nodeOn({
    run: async (_text, values = []): Promise<Row[]> => {
      said.push(values);
      return answers[said.length - 1] ?? [];
    },
    put: async () => undefined,
  });
  const folder = `snapshots/${worldSnapshotsFolder("acme")}/kept.snapshot`;
  const names = [`${folder}/about.json`, `${folder}/world.sqlite`];
  for (const name of names) {
    fs.mkdirSync(path.join(root, folder), { recursive: true });
    fs.writeFileSync(path.join(root, name), name);
  }
  files.changed(path.join(root, folder));
  await files.push();
  const blobs = names.map((name) => createHash("sha256").update(name).digest("hex"));
  expect(said).toEqual([[folder, names, blobs, "acme", "us", 2]]);
  files.changed(path.join(root, folder));
  await expect(files.push()).rejects.toThrow("The world acme is moving to another node");
  // Every push fails until the world has left.
  files.leave("acme");
  write(`media/${worldFileName("other")}/one.png`);
  await files.push();
  expect(said.length).toBe(2);
});
