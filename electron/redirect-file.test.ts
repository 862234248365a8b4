import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeRedirectFile } from "./redirect-file.ts";

it.skipIf(process.platform === "win32")("writes a browser page that only its owner can read", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = writeRedirectFile(folder, 'http://127.0.0.1:1/#token="<x>');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.readFileSync(file, "utf8")).toContain("url=http://127.0.0.1:1/#token=&quot;&lt;x>");
});
