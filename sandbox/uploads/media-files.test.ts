import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { MediaFiles } from "./media-files.ts";

it("finds the files of every world again, whatever else lies beside the worlds' folders", () => {
  const data = temporaryFolder();
  onTestFinished(() => fs.rmSync(data, { recursive: true, force: true }));
  const world = new MediaFiles(data).folderOf("team");
  fs.mkdirSync(world);
  fs.writeFileSync(path.join(world, "an-id.png"), "");
  fs.writeFileSync(path.join(data, "media", ".DS_Store"), "");
  expect(new MediaFiles(data).find("an-id")).toEqual({ root: world, name: "an-id.png" });
});
