import fs from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { MediaFiles } from "./media-files.ts";

it("finds the files of every world, whatever else is in the folder", () => {
  const data = temporaryFolder();
  onTestFinished(() => fs.rmSync(data, { recursive: true, force: true }));
  const world = new MediaFiles(data).getFolder("team");
  fs.mkdirSync(world);
  fs.writeFileSync(path.join(world, "an-id.png"), "");
  fs.writeFileSync(path.join(data, "media", ".DS_Store"), "");
  expect(new MediaFiles(data).find("an-id")).toEqual({ root: world, name: "an-id.png" });
});

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");

it("receives a file during a reset of its world, and leaves nothing if it is discarded", async () => {
  const data = temporaryFolder();
  onTestFinished(() => fs.rmSync(data, { recursive: true, force: true }));
  const files = new MediaFiles(data);
  const content = new PassThrough();
  const receiving = files.receive(content);
  content.end(PNG);
  files.deleteWorld("team");
  const received = await receiving;
  files.deleteWorld("team");
  expect(received.size).toBe(PNG.length);
  expect(fs.readFileSync(received.file).equals(PNG)).toBe(true);
  files.discard(received);
  expect(fs.readdirSync(path.join(data, "media"))).toEqual([]);
});

it("removes unfinished files at the start", () => {
  const data = temporaryFolder();
  onTestFinished(() => fs.rmSync(data, { recursive: true, force: true }));
  new MediaFiles(data);
  fs.writeFileSync(path.join(data, "media", "half.part"), "");
  new MediaFiles(data);
  expect(fs.readdirSync(path.join(data, "media"))).toEqual([]);
});
