import path from "node:path";
import { APP_ID, LINK_SCHEME } from "../../electron/app-identity.ts";
import { REPRODUCTION_EXTENSION } from "../../sandbox/contract/scenario-name.ts";
import { Sentence } from "./command.mjs";
import { ROOT } from "./project.mjs";

/** Folder of the app's parts before packaging, relative to the checkout. */
export const STAGE = "out/app";
export const NOTICES = "out/notices";
const MODULE = "node_modules/better-sqlite3";
/** Architectures with a prebuilt better-sqlite3. */
const BOTH = /** @type {const} */ (["x64", "arm64"]);

/**
 * Returns electron-builder's configuration for the parts in {@link STAGE}.
 *
 * @param {{ electronDist: string | null, isStandIn: boolean }} runtime the unpacked Electron to use; null: electron-builder downloads it
 * @param {{ url: string, notes: string | null } | null} releases location and notes of the release; null: the app never updates itself
 * @param {Readonly<Record<string, string | undefined>>} [env] signing settings of the installers
 * @returns {import("electron-builder").Configuration}
 */
export function desktopConfiguration({ electronDist, isStandIn }, releases, env = {}) {
  return {
    appId: APP_ID,
    productName: "Integrations Explorer",
    copyright: "Copyright © 2026 Integrations Explorer contributors",
    artifactName: `integrations-explorer-\${version}-\${os}-\${arch}.\${ext}`,
    directories: { app: STAGE, output: isStandIn ? "out/desktop-on-stand-in" : "out/desktop", buildResources: "build" },
    ...(electronDist === null ? {} : { electronDist }),
    files: [
      "package.json",
      "out/**",
      {
        from: path.join(ROOT, MODULE),
        to: MODULE,
        // Only the target's native part: there are eight.
        filter: ["package.json", "LICENSE", "lib/**", `prebuilds/\${platform}-\${arch}.node`],
      },
    ],
    // A program can be loaded from the archive, but a native library cannot.
    asar: { smartUnpack: false },
    asarUnpack: ["**/*.node"],
    extraResources: [{ from: NOTICES, to: "." }],
    // Skips rebuilding and collecting modules: the app is one bundle and the module above. (`npmRebuild: false` would
    // still collect.)
    beforeBuild: async () => false,
    // The tests' stand-in is a script and has no fuses.
    ...(isStandIn ? {} : { electronFuses: FUSES }),
    fileAssociations: [
      {
        ext: REPRODUCTION_EXTENSION,
        name: "Integrations Explorer reproduction",
        description: "Recorded calls of the integrations API",
        mimeType: "application/vnd.integrations-explorer.reproduction+json",
        role: "Viewer",
      },
    ],
    protocols: [{ name: "Integrations Explorer", schemes: [LINK_SCHEME] }],
    // Writes each platform's latest*.yml; nothing is uploaded from here. Prereleases wait for the latest release, too.
    publish: releases === null ? null : { provider: "generic", url: releases.url, channel: "latest" },
    releaseInfo: { releaseNotes: releases?.notes ?? null },
    toolsets: { appimage: "1.0.3" },
    linux: {
      target: ["AppImage", "deb", "rpm"].map((target) => ({ target, arch: [...BOTH] })),
      executableName: "integrations-explorer",
      icon: "build/icon.png",
      category: "Development",
      synopsis: "A local sandbox of the integrations API, and an explorer of its calls",
      maintainer: "Integrations Explorer contributors",
      // After `--`, no link can be parsed as a switch.
      executableArgs: ["--", "%u"],
    },
    mac: {
      target: ["dmg", "zip"].map((target) => ({ target, arch: [...BOTH] })),
      icon: "build/icon.png",
      category: "public.app-category.developer-tools",
      ...macSigning(env),
    },
    win: {
      target: [
        { target: "nsis", arch: [...BOTH] },
        { target: "portable", arch: ["x64"] },
      ],
      icon: "build/icon.png",
      ...windowsSigning(env),
    },
    // Separate installers per architecture; a universal one is twice as large.
    nsis: { oneClick: true, perMachine: false, deleteAppDataOnUninstall: false, buildUniversalInstaller: false },
    portable: { artifactName: `integrations-explorer-\${version}-portable-\${arch}.\${ext}` },
  };
}

/**
 * With a certificate, the app has the hardened runtime, and macOS accepts it after notarization by Apple (`APPLE_ID`
 * and others). Without one, it gets an ad-hoc signature, which Apple silicon requires. The hardened runtime would then
 * refuse the app's own libraries.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 */
function macSigning({ CSC_LINK: certificate }) {
  if (!certificate) return { identity: "-", hardenedRuntime: false };
  const entitlements = "build/entitlements.mac.plist";
  return { hardenedRuntime: true, entitlements, entitlementsInherit: entitlements };
}

/**
 * electron-builder reads a certificate from a file itself (`WIN_CSC_LINK`). The alternative is Azure's signing service,
 * which stores the key.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 */
function windowsSigning(env) {
  const names = ["ENDPOINT", "ACCOUNT", "PROFILE", "PUBLISHER"].map((name) => `AZURE_SIGNING_${name}`);
  const [endpoint = "", codeSigningAccountName = "", certificateProfileName = "", publisherName = ""] = names.map(
    (name) => env[name] ?? "",
  );
  const missing = names.filter((name) => !env[name]);
  if (missing.length === names.length) return {};
  if (missing.length > 0) throw new Sentence(`Signing with Azure needs ${missing.join(", ")} too.`);
  return { azureSignOptions: { endpoint, codeSigningAccountName, certificateProfileName, publisherName } };
}

/**
 * Disables features of the signed executable: running as plain Node, debugging or code injection through the
 * environment or switches, starting from a changed archive, and access of pages to `file:` (the explorer comes from the
 * service).
 */
export const FUSES = Object.freeze({
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableCookieEncryption: true,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
});
