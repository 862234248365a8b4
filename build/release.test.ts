import { execFile } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readReleases } from "./lib/releases.mjs";

const release = (...args: string[]) =>
  promisify(execFile)(process.execPath, ["build/release.mjs", ...args]).catch((error) => error);
const manifest: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "release-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("copies only release files, with their checksums", async () => {
  for (const name of [
    "app.AppImage",
    "app.dmg.blockmap",
    "builder-debug.yml",
    "latest-linux.yml",
    "sbom-app.spdx.json",
  ]) {
    writeFileSync(path.join(folder, name), name);
  }
  const to = path.join(folder, "release");
  await release("collect", folder, to, "Linux");
  expect(readdirSync(to).toSorted()).toEqual(["SHA256SUMS-Linux", "app.AppImage", "sbom-app.spdx.json"]);
  const sum = createHash("sha256").update("app.AppImage").digest("hex");
  expect(readFileSync(path.join(to, "SHA256SUMS-Linux"), "utf8")).toContain(`${sum}  app.AppImage\n`);
});

test("an app needs both a release address and a public key, or neither", () => {
  const keyOf = (type: "ed25519" | "x25519") =>
    generateKeyPairSync(type as "ed25519")
      .privateKey.export({ type: "pkcs8", format: "pem" })
      .toString();
  const url = "https://example.com/releases";
  expect(readReleases({ RELEASES_URL: url, RELEASE_SIGNING_KEY: "" })).toBeNull();
  const made = readReleases({ RELEASES_URL: url, RELEASE_SIGNING_KEY: keyOf("ed25519") });
  expect(made).toEqual({ url, publicKey: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/) });
  expect(() => readReleases({ RELEASE_SIGNING_KEY: keyOf("ed25519") })).toThrow("RELEASES_URL");
  expect(() => readReleases({ RELEASES_URL: url, RELEASE_SIGNING_KEY: keyOf("x25519") })).toThrow("openssl genpkey");
});

test("refuses an empty folder", async () => {
  expect(await release("collect", folder, folder, "Linux")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("npm run package"),
  });
});

test("refuses a tag of another version", async () => {
  const { code, stderr } = await release("notes", "v9.9.9");
  expect(code).toBe(1);
  expect(stderr).toBe(
    `The tag is v9.9.9, and package.json says ${manifest.version}: tag v${manifest.version}, or change the version.\n`,
  );
});

test("the release notes are the changelog's section of that version, which must exist", async () => {
  const { version } = manifest;
  const file = path.join(folder, "CHANGELOG.md");
  writeFileSync(
    file,
    `# Changelog\n\n## Unreleased\n- later\n\n## [${version}] - 2026-12-01\n\n### Added\n- this\n\n## 0.0.1\n- old\n`,
  );
  expect(await release("notes", `v${version}`, file)).toMatchObject({ stdout: "### Added\n- this\n" });
  writeFileSync(file, "# Changelog\n\n## Unreleased\n- later\n");
  const { code, stderr } = await release("notes", `v${version}`, file);
  expect(code).toBe(1);
  expect(stderr).toContain(`has no part "## ${version}": write what changed there.`);
});

test("the changelog covers this version, one line for each area", async () => {
  const { version } = manifest;
  const { stdout } = await release("notes", `v${version}`);
  const lines = stdout
    .trim()
    .split("\n")
    .filter((line: string) => line !== "");
  expect(lines.slice(1).filter((line: string) => !/^- \*\*[^*]+\*\*: .+\.$/.test(line))).toEqual([]);
  expect(lines.length).toBeGreaterThan(15);
});

test.each([
  ["app", "electron"],
  ["npm", null],
])("the SBOM of the artifact %s lists its contents without development dependencies", async (artifact, runtime) => {
  const file = path.join(folder, "sbom.json");
  await release("sbom", artifact, file);
  const { spdxVersion, packages, relationships } = JSON.parse(readFileSync(file, "utf8"));
  expect(spdxVersion).toBe("SPDX-2.3");
  const names: string[] = packages.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(["fastify", "better-sqlite3", "react-dom", "@mantine/core"]));
  for (const tool of ["vitest", "typescript", "electron-builder", "@biomejs/biome"]) expect(names).not.toContain(tool);
  for (const own of ["electron", "electron-updater"]) expect(names.includes(own)).toBe(runtime !== null);
  const ids: string[] = packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID);
  expect(ids.filter((id) => !/^SPDXRef-[A-Za-z0-9.-]+$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(relationships.map((one: { relatedSpdxElement: string }) => one.relatedSpdxElement)).toEqual(ids);
  const purls = packages.slice(1).map((one: { externalRefs: [{ referenceLocator: string }] }) => one.externalRefs[0]);
  expect(purls).toContainEqual(
    expect.objectContaining({ referenceLocator: expect.stringMatching(/^pkg:npm\/%40mantine\/core@/) }),
  );
});
