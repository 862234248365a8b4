import path from "node:path";
import { APP_ID, LINK_SCHEME } from "../../electron/app-identity.ts";
import { REPRODUCTION_EXTENSION } from "../../sandbox/contract/scenario-name.ts";
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
 * @returns {import("electron-builder").Configuration}
 */
export function desktopConfiguration({ electronDist, isStandIn }, releases) {
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
    // Has each platform's latest*.yml written; nothing is uploaded from here.
    publish: releases === null ? null : { provider: "generic", url: releases.url },
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
      hardenedRuntime: true,
      entitlements: "build/entitlements.mac.plist",
      entitlementsInherit: "build/entitlements.mac.plist",
    },
    win: {
      target: [
        { target: "nsis", arch: [...BOTH] },
        { target: "portable", arch: ["x64"] },
      ],
      icon: "build/icon.png",
    },
    nsis: { oneClick: true, perMachine: false, deleteAppDataOnUninstall: false },
    portable: { artifactName: `integrations-explorer-\${version}-portable-\${arch}.\${ext}` },
  };
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
