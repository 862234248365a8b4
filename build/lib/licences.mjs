import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { readJson } from "./project.mjs";

const LICENCE_FILE = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/**
 * A package in the product.
 *
 * @typedef {object} Contained
 * @property {string} name
 * @property {string} version
 * @property {string} licence its SPDX name
 * @property {string} text the licence as the package ships it; empty if it ships none
 */

/**
 * Returns every package that a build may contain: dependencies of the service, imports of the explorer, and their
 * dependencies. The list may include packages whose code a bundle omits, but none is missing.
 *
 * @param {string} root
 * @param {readonly string[]} [without] dependencies that this build leaves out
 * @returns {Contained[]} by name
 */
export function containedPackages(root, without = []) {
  const { dependencies = {}, devDependencies = {} } = readJson(path.join(root, "package.json")) ?? {};
  const imported = importedByTheExplorer(root).filter((name) => name in devDependencies);
  /** @type {Map<string, Contained>} */
  const found = new Map();
  const visit = (/** @type {string} */ name, /** @type {string} */ from) => {
    const folder = find(name, from, root);
    if (folder === null || found.has(folder)) return;
    const manifest = readJson(path.join(folder, "package.json"));
    found.set(folder, {
      name,
      version: manifest.version,
      licence: manifest.license ?? "see below",
      text: licenceText(folder),
    });
    for (const dependency of Object.keys(manifest.dependencies ?? {})) visit(dependency, folder);
  };
  for (const name of [...Object.keys(dependencies), ...imported]) if (!without.includes(name)) visit(name, root);
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
}

/**
 * Returns the third-party notices as one text.
 *
 * @param {string} root
 * @returns {string}
 */
export function thirdPartyLicences(root) {
  const parts = containedPackages(root).map(
    ({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text.trim()}\n`,
  );
  const line = `\n${"-".repeat(80)}\n\n`;
  return `Integrations Explorer contains the packages below, each under its own licence.\n${line}${parts.join(line)}`;
}

/** @param {string} root */
function importedByTheExplorer(root) {
  const files = globSync("renderer/**/*.{ts,tsx,css}", { cwd: root }).filter(
    (file) => !/\.test\.tsx?$|^renderer[\\/]testing[\\/]/.test(file),
  );
  const names = files.flatMap((file) => {
    const imports = readFileSync(path.join(root, file), "utf8").matchAll(
      /(?:from|import|import\()\s*["']((?:@[\w-]+\/)?[a-z][\w.-]*)/g,
    );
    return [...imports].map(([, name]) => name ?? "");
  });
  return [...new Set(names)];
}

/**
 * Returns where Node finds a package from a folder; null for an optional one that is not installed.
 *
 * @param {string} name
 * @param {string} from
 * @param {string} root
 * @returns {string | null}
 */
function find(name, from, root) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, "node_modules", name);
    if (existsSync(path.join(candidate, "package.json"))) return candidate;
    if (folder === root || folder === path.dirname(folder)) return null;
  }
}

/** @param {string} folder */
function licenceText(folder) {
  const names = readdirSync(folder).filter((name) => LICENCE_FILE.test(name) && !name.endsWith(".js"));
  return names.map((name) => readFileSync(path.join(folder, name), "utf8")).join("\n\n");
}
