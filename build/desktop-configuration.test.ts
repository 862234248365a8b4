import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LINK_SCHEME } from "../electron/app-identity.ts";
import { desktopConfiguration } from "./lib/desktop-configuration.mjs";

const runtime = { electronDist: null, isStandIn: false };
const configuration = desktopConfiguration(runtime, null);
const { linux, mac, win } = configuration;
const listTargets = (platform: typeof linux | typeof mac | typeof win) =>
  [platform?.target ?? []].flat().map((one) => (typeof one === "string" ? { target: one } : one));

test("the app handles links of the explorer's scheme", () => {
  expect(configuration.protocols).toEqual([{ name: "Integrations Explorer", schemes: [LINK_SCHEME] }]);
  expect(linux?.executableArgs).toEqual(["--", "%u"]);
});

test("the app opens reproductions and no other files", () => {
  const associations = [configuration.fileAssociations ?? []].flat();
  expect(associations.map(({ ext }) => ext)).toEqual(["reproduction"]);
});

test("only builds with a release URL contain update settings and release notes", () => {
  expect(configuration.publish).toBeNull();
  const url = "https://example.com/releases";
  const { publish, releaseInfo } = desktopConfiguration(runtime, { url, notes: "### Added" });
  expect(publish).toEqual({ provider: "generic", url, channel: "latest" });
  expect(releaseInfo).toEqual({ releaseNotes: "### Added" });
});

test("each platform gets its installers, which need no administrator rights", () => {
  expect(listTargets(linux).map(({ target }) => target)).toEqual(["AppImage", "deb", "rpm"]);
  expect(listTargets(mac).map(({ target }) => target)).toEqual(["dmg", "zip"]);
  expect(listTargets(win).map(({ target }) => target)).toEqual(["nsis", "portable"]);
  expect(configuration.nsis).toMatchObject({ perMachine: false, buildUniversalInstaller: false });
  expect(configuration.toolsets?.appimage).toBe("1.0.3");
});

/** electron-builder's names of architectures in file names, where they differ. */
const ARCHITECTURES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AppImage: { x64: "x86_64" },
  deb: { x64: "amd64" },
  rpm: { x64: "x86_64", arm64: "aarch64" },
};

test("install.md lists exactly the files that are built", () => {
  const version = "…";
  const made = [linux, mac, win].flatMap((platform) =>
    listTargets(platform).flatMap(({ target, arch = [] }) =>
      [arch].flat().map((name) => {
        const ext = { nsis: "exe", portable: "exe" }[target] ?? target;
        const os = platform === linux ? "linux" : platform === mac ? "mac" : "win";
        const pattern = target === "portable" ? configuration.portable?.artifactName : configuration.artifactName;
        const values: Readonly<Record<string, string>> = {
          version,
          os,
          ext,
          arch: ARCHITECTURES[ext]?.[name] ?? name,
        };
        return (pattern ?? "")
          .replaceAll(/\$\{(\w+)\}/g, (_whole, macro: string) => values[macro] ?? "")
          .replace(`integrations-explorer-${version}`, version);
      }),
    ),
  );
  const listed = readFileSync("docs/install.md", "utf8").match(/`…-[\w.-]+`/g) ?? [];
  // Every disk image also exists as an archive, which the app's updater needs.
  const named = made.filter((name) => !name.endsWith(".zip")).map((name) => `\`${name}\``);
  expect(listed.toSorted()).toEqual(named.toSorted());
});

test.each([
  ["linux", linux],
  ["darwin", mac],
  ["win32", win],
])("better-sqlite3 has a native part for each target on %s", (name, platform) => {
  const architectures = listTargets(platform).flatMap(({ arch = [] }) => arch);
  expect(architectures).not.toEqual([]);
  const missing = architectures.filter(
    (arch) => !existsSync(`node_modules/better-sqlite3/prebuilds/${name}-${arch}.node`),
  );
  expect(missing).toEqual([]);
});

test("a signed Mac app has a hardened runtime and may only compile code", () => {
  const signed = desktopConfiguration(runtime, null, { CSC_LINK: "certificate" }).mac;
  expect(signed).toMatchObject({ hardenedRuntime: true });
  expect(signed).not.toHaveProperty("identity");
  const entitlements = readFileSync(signed?.entitlements ?? "", "utf8");
  expect(entitlements.match(/<key>.*<\/key>/g)).toEqual(["<key>com.apple.security.cs.allow-jit</key>"]);
});

test("an unsigned Mac app gets a local signature, so it starts", () => {
  expect(mac).toMatchObject({ identity: "-", hardenedRuntime: false });
});

test("a Windows signing service needs a complete configuration", () => {
  expect(win).not.toHaveProperty("azureSignOptions");
  const env = {
    AZURE_SIGNING_ENDPOINT: "https://weu.codesigning.azure.net",
    AZURE_SIGNING_ACCOUNT: "account",
    AZURE_SIGNING_PROFILE: "profile",
    AZURE_SIGNING_PUBLISHER: "Integrations Explorer",
  };
  expect(desktopConfiguration(runtime, null, env).win?.azureSignOptions).toEqual({
    endpoint: "https://weu.codesigning.azure.net",
    codeSigningAccountName: "account",
    certificateProfileName: "profile",
    publisherName: "Integrations Explorer",
  });
  expect(() => desktopConfiguration(runtime, null, { AZURE_SIGNING_ACCOUNT: "account" })).toThrow(
    "AZURE_SIGNING_ENDPOINT, AZURE_SIGNING_PROFILE, AZURE_SIGNING_PUBLISHER",
  );
});

test("the executable runs only its own archive", () => {
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
