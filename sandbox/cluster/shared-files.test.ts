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
  return { files, write, root, snapshots };
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

test("a change stays to be stored when another world leaves, and a deleted file is stored as deleted", async () => {
  const run = vi.fn(async (_text: string, _values?: readonly unknown[]): Promise<Row[]> => []);
  const { files, write, root } = nodeOn({ run, put: async () => undefined });
  write("scenarios/one.json");
  files.leave("other");
  await files.push();
  fs.rmSync(path.join(root, "scenarios/one.json"));
  files.changed(path.join(root, "scenarios/one.json"));
  await files.push();
  expect(run.mock.calls.map(([, values]) => values?.slice(0, 2))).toEqual([
    ["scenarios/one.json", ["scenarios/one.json"]],
    ["scenarios/one.json", []],
  ]);
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

/** A node with a database of files, by path. */
const nodeWithFiles = () => {
  const stored = new Map<string, string>();
  const idOf = (content: string): string => createHash("sha256").update(content).digest("hex");
  const get = vi.fn(async (id: string) => Buffer.from([...stored.values()].find((one) => idOf(one) === id) ?? "other"));
  const run = vi.fn(async (text: string, [asked]: readonly unknown[] = []): Promise<Row[]> => {
    const isAsked = (name: string): boolean =>
      Array.isArray(asked) ? asked.some((folder) => name.startsWith(`${folder}/`)) : name.includes(`/${asked}.`);
    return text.startsWith("SELECT")
      ? [...stored].filter(([name]) => isAsked(name)).map(([name, content]) => ({ path: name, blob: idOf(content) }))
      : [{ held: 1 }];
  });
  const node = nodeOn({ run, get, put: async () => undefined });
  const read = (name: string): string | null => {
    const file = path.join(node.root, name);
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
  };
  return { ...node, stored, get, run, read };
};
const ofAcme = `media/${worldFileName("acme")}`;

test("fetches the files of a world and all scenarios once, and deletes those that others deleted", async () => {
  const { files, stored, get, read, root } = nodeWithFiles();
  const snapshot = `snapshots/${worldSnapshotsFolder("acme")}/kept.snapshot/about.json`;
  const other = `media/${worldFileName("acme2")}/one.png`;
  for (const name of [`${ofAcme}/one.png`, snapshot, "scenarios/one.json", other])
    stored.set(name, `content of ${name}`);
  await files.pull(["acme"]);
  for (const name of [`${ofAcme}/one.png`, snapshot, "scenarios/one.json"])
    expect(read(name)).toBe(`content of ${name}`);
  expect(read(other)).toBeNull();
  expect(fs.statSync(path.join(root, "scenarios/one.json")).mode & 0o777).toBe(0o600);
  await files.pull(["acme"]);
  expect(get).toHaveBeenCalledTimes(3);
  await files.pull(["acme2"]);
  stored.clear();
  await files.pull([]);
  expect([read("scenarios/one.json"), read(`${ofAcme}/one.png`), read(other)]).toEqual([
    ...[null, `content of ${ofAcme}/one.png`, `content of ${other}`],
  ]);
  await files.pull(["acme"]);
  expect([read(`${ofAcme}/one.png`), read(snapshot), read(other)]).toEqual([null, null, `content of ${other}`]);
});

test("fetches a changed file again, and refuses one that isn't whole", async () => {
  const { files, stored, get, read } = nodeWithFiles();
  stored.set("scenarios/one.json", "first");
  await files.pull([]);
  stored.set("scenarios/one.json", "second");
  get.mockResolvedValueOnce(Buffer.from("sec"));
  await expect(files.pull([])).rejects.toThrow("is not stored as a whole");
  expect(read("scenarios/one.json")).toBe("first");
  await files.pull([]);
  expect(read("scenarios/one.json")).toBe("second");
});

test("a description of another world's snapshot goes when that is deleted, if all were asked for", async () => {
  const { files, stored, read, snapshots } = nodeWithFiles();
  const about = `snapshots/${worldSnapshotsFolder("other")}/kept.snapshot/about.json`;
  const record = JSON.stringify({ world: "other", name: "kept" });
  stored.set(about, record);
  expect(snapshots.all()).toEqual([]);
  await files.pull([], true);
  expect([read(about), snapshots.all().length]).toEqual([record, 1]);
  stored.clear();
  await files.pull([]);
  expect(read(about)).toBe(record);
  await files.pull([], true);
  expect([read(about), snapshots.all().length]).toEqual([null, 0]);
});

test("a picture is fetched once, whatever its world", async () => {
  const { files, stored, run, read } = nodeWithFiles();
  stored.set("scenarios/one.json", "{}");
  await files.pull([]);
  run.mockClear();
  stored.set(`${ofAcme}/picture.png`, "png");
  await files.pullPicture("picture");
  await files.pullPicture("picture");
  expect([read(`${ofAcme}/picture.png`), run.mock.calls.length]).toEqual(["png", 1]);
  expect(read("scenarios/one.json"), "other files stay").toBe("{}");
  // It is known as stored: the world's next pull doesn't fetch it again.
  files.leave("acme2");
  expect(read(`${ofAcme}/picture.png`)).toBe("png");
  files.leave("acme");
  expect(read(`${ofAcme}/picture.png`)).toBeNull();
  await files.pullPicture("picture");
  expect(read(`${ofAcme}/picture.png`)).toBe("png");
});

test("fetches no file that this node stored, but those of a world that it lost", async () => {
  const { files, write, stored, get, read } = nodeWithFiles();
  write("scenarios/one.json");
  await files.push();
  stored.set("scenarios/one.json", "scenarios/one.json");
  await files.pull([]);
  expect(get).not.toHaveBeenCalled();
  const name = `media/${worldFileName("other")}/one.png`;
  stored.set(name, "theirs");
  await files.pull(["other"]);
  write(name);
  await files.push();
  await files.pull(["other"]);
  expect(read(name)).toBe("theirs");
});
