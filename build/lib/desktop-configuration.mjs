import path from "node:path";
import { APP_ID, LINK_SCHEME } from "../../electron/app-identity.ts";
import { REPRODUCTION_EXTENSION } from "../../sandbox/contract/scenario-name.ts";
import { Sentence } from "./command.mjs";
import { ROOT } from "./project.mjs";

/** Where the parts of the app lie before they are packaged, relative to the checkout. */
export const STAGE = "out/app";
export const NOTICES = "out/notices";
const MODULE = "node_modules/better-sqlite3";
/** The architectures better-sqlite3 brings its native part for. */
const BOTH = /** @type {const} */ (["x64", "arm64"]);

/**
 * What electron-builder makes of what lies in {@link STAGE}.
 *
 * @param {{ electronDist: string | null, isStandIn: boolean }} runtime the unpacked Electron to use; null: electron-builder fetches it
 * @param {{ url: string, notes: string | null } | null} releases where its releases are, and what the notes of this one say; null: it never updates itself
 * @param {Readonly<Record<string, string | undefined>>} [env] says what the installers are signed with
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
        // The native part of the target alone: there are eight.
        filter: ["package.json", "LICENSE", "lib/**", `prebuilds/\${platform}-\${arch}.node`],
      },
    ],
    // A program can be loaded from the archive, a native library cannot.
    asar: { smartUnpack: false },
    asarUnpack: ["**/*.node"],
    extraResources: [{ from: NOTICES, to: "." }],
    // Neither rebuilds nor collects modules: the app is one bundle and the module above. (`npmRebuild: false` would still collect.)
    beforeBuild: async () => false,
    // The stand-in is a script, which has no fuses.
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
    // Has each platform's latest*.yml written; nothing is uploaded from here. Prereleases too wait for the latest release.
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
      // Whatever a link holds, after `--` it cannot be read as a switch.
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
    // One installer for each architecture. Both in one file would double the download.
    nsis: { oneClick: true, perMachine: false, deleteAppDataOnUninstall: false, buildUniversalInstaller: false },
    portable: { artifactName: `integrations-explorer-\${version}-portable-\${arch}.\${ext}` },
  };
}

/**
 * With a certificate, the runtime is hardened and macOS accepts the app once Apple has notarized it (`APPLE_ID` and the
 * others). Without one, the app gets a local signature, which Apple silicon needs to start anything. A hardened runtime
 * would refuse its own libraries then.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 */
function macSigning({ CSC_LINK: certificate }) {
  if (!certificate) return { identity: "-", hardenedRuntime: false };
  const entitlements = "build/entitlements.mac.plist";
  return { hardenedRuntime: true, entitlements, entitlementsInherit: entitlements };
}

/**
 * A certificate in a file is found by electron-builder itself (`WIN_CSC_LINK`). The other way is Azure's signing service,
 * which keeps the key.
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
 * What the executable can no longer be made to do once it is signed: run as plain Node, be debugged or loaded with other
 * code through the environment or switches, start from anything but its own unchanged archive, read files of the disk for
 * a page: the explorer comes from the service, and what lies at `file:` is for no page of the app.
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
