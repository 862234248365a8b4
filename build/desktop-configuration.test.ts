import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LINK_SCHEME } from "../electron/app-identity.ts";
import { desktopConfiguration } from "./lib/desktop-configuration.mjs";

const runtime = { electronDist: null, isStandIn: false };
const configuration = desktopConfiguration(runtime, null);
const { linux, mac, win } = configuration;
const targetsOf = (platform: typeof linux | typeof mac | typeof win) =>
  [platform?.target ?? []].flat().map((one) => (typeof one === "string" ? { target: one } : one));

test("the app opens the links that the explorer hands out", () => {
  expect(configuration.protocols).toEqual([{ name: "Integrations Explorer", schemes: [LINK_SCHEME] }]);
  expect(linux?.executableArgs).toEqual(["--", "%u"]);
});

test("the app opens reproductions, and claims no other files", () => {
  const associations = [configuration.fileAssociations ?? []].flat();
  expect(associations.map(({ ext }) => ext)).toEqual(["reproduction"]);
});

test("what the app reads to update itself is made for a build with releases alone, with the release's notes", () => {
  expect(configuration.publish).toBeNull();
  const url = "https://example.com/releases";
  const { publish, releaseInfo } = desktopConfiguration(runtime, { url, notes: "### Added" });
  expect(publish).toEqual({ provider: "generic", url });
  expect(releaseInfo).toEqual({ releaseNotes: "### Added" });
});

test("installers are made for each platform, without rights of an administrator", () => {
  expect(targetsOf(linux).map(({ target }) => target)).toEqual(["AppImage", "deb", "rpm"]);
  expect(targetsOf(mac).map(({ target }) => target)).toEqual(["dmg", "zip"]);
  expect(targetsOf(win).map(({ target }) => target)).toEqual(["nsis", "portable"]);
  expect(configuration.nsis?.perMachine).toBe(false);
  expect(configuration.toolsets?.appimage).toBe("1.0.3");
});

test.each([
  ["linux", linux],
  ["darwin", mac],
  ["win32", win],
])("better-sqlite3 has a native part for each target on %s", (name, platform) => {
  const architectures = targetsOf(platform).flatMap(({ arch = [] }) => arch);
  expect(architectures).not.toEqual([]);
  const missing = architectures.filter(
    (arch) => !existsSync(`node_modules/better-sqlite3/prebuilds/${name}-${arch}.node`),
  );
  expect(missing).toEqual([]);
});

test("on a Mac the runtime is hardened, and may compile code and nothing else", () => {
  expect(mac?.hardenedRuntime).toBe(true);
  const entitlements = readFileSync(mac?.entitlements ?? "", "utf8");
  expect(entitlements.match(/<key>.*<\/key>/g)).toEqual(["<key>com.apple.security.cs.allow-jit</key>"]);
});

test("the executable runs nothing but its own archive", () => {
  expect(configuration.electronFuses).toEqual({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  });
});
