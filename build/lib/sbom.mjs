import path from "node:path";
import { containedPackages } from "./licences.mjs";
import { readJson } from "./project.mjs";

/** Dependencies of the desktop app only. */
const APP_PACKAGES = Object.freeze({ runtime: "electron", updates: "electron-updater" });

/**
 * Lists an artifact's packages as an SPDX 2.3 document, because npm cannot list a bundle's. Contains every package that
 * the artifact may contain, and no development dependency.
 *
 * @param {"app" | "npm"} artifact
 * @param {string} root
 * @param {string} name the artifact's own
 * @param {Date} created
 */
export function createSbom(artifact, root, name, created) {
  const { version, license, repository } = readJson(path.join(root, "package.json"));
  const isApp = artifact === "app";
  const contained = containedPackages(root, isApp ? [] : [APP_PACKAGES.updates]);
  if (isApp) contained.push(installed(root, APP_PACKAGES.runtime));
  const packages = [
    { name, version, licence: license },
    ...contained.map(({ name, version, licence }) => ({ name, version, licence })),
  ].map(described);
  const own = packages[0]?.SPDXID;
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: `${name} ${version}`,
    documentNamespace: `${repository.url.replace(/^git\+|\.git$/g, "")}/sbom/${artifact}/${version}`,
    creationInfo: {
      created: created.toISOString().replace(/\.\d+Z$/, "Z"),
      creators: ["Tool: build/release.mjs"],
    },
    packages,
    relationships: [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: own },
      ...packages.slice(1).map(({ SPDXID }) => ({
        spdxElementId: own,
        relationshipType: "CONTAINS",
        relatedSpdxElement: SPDXID,
      })),
    ],
  };
}

/**
 * @param {string} root
 * @param {string} name
 */
function installed(root, name) {
  const { version, license } = readJson(path.join(root, "node_modules", name, "package.json"));
  return { name, version, licence: license, text: "" };
}

/**
 * @param {{ name: string, version: string, licence: string }} contained
 * @param {number} index 0: the artifact itself, which needs no name at a registry
 */
function described({ name, version, licence }, index) {
  const purl = {
    referenceCategory: "PACKAGE-MANAGER",
    referenceType: "purl",
    referenceLocator: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  };
  return {
    name,
    SPDXID: `SPDXRef-${index}-${name.replace(/[^A-Za-z0-9.]+/g, "-")}`,
    versionInfo: version,
    downloadLocation: "NOASSERTION",
    filesAnalyzed: false,
    // Some packages contain a sentence here.
    licenseDeclared: /^[\w.+-]+$/.test(licence) ? licence : "NOASSERTION",
    externalRefs: index === 0 ? [] : [purl],
  };
}
