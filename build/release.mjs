// The parts of the release workflow that are more than one command:
//   node build/release.mjs notes v1.2.0          prints that version's part of CHANGELOG.md, or of the file named after it
//   node build/release.mjs collect FROM TO NAME  copies what is handed out, with its checksums in SHA256SUMS-NAME
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runMain, Sentence } from "./lib/command.mjs";
import { ROOT, readJson } from "./lib/project.mjs";

const HANDED_OUT = /\.(AppImage|deb|rpm|dmg|zip|exe|tgz)$|^sbom\.spdx\.json$/;

await runMain(async () => {
  const [task, ...given] = process.argv.slice(2);
  if (task === "notes" && given.length > 0) console.log(notes(given[0] ?? "", given[1] ?? "CHANGELOG.md"));
  else if (task === "collect" && given.length === 3) collect(given[0] ?? "", given[1] ?? "", given[2] ?? "");
  else throw new Sentence("Say `notes TAG` or `collect FROM TO NAME`.", 2);
  return 0;
});

/**
 * @param {string} tag
 * @param {string} changelog
 */
function notes(tag, changelog) {
  const { version } = readJson(path.join(ROOT, "package.json"));
  if (tag !== `v${version}`) {
    throw new Sentence(`The tag is ${tag}, and package.json says ${version}: tag v${version}, or change the version.`);
  }
  const parts = readFileSync(path.resolve(ROOT, changelog), "utf8").split(/^## /m);
  const part = parts.find((text) => text.split(/[\s\]]/, 1)[0]?.replace("[", "") === version);
  if (part === undefined) throw new Sentence(`${changelog} has no part "## ${version}": write what changed there.`);
  return part.slice(part.indexOf("\n")).trim();
}

/**
 * @param {string} from
 * @param {string} to
 * @param {string} name
 */
function collect(from, to, name) {
  const files = readdirSync(from).filter((file) => HANDED_OUT.test(file));
  if (files.length === 0) throw new Sentence(`${from} has nothing to hand out: run \`npm run package\` first.`);
  mkdirSync(to, { recursive: true });
  const sums = files.sort().map((file) => {
    cpSync(path.join(from, file), path.join(to, file));
    return `${createHash("sha256")
      .update(readFileSync(path.join(to, file)))
      .digest("hex")}  ${file}\n`;
  });
  writeFileSync(path.join(to, `SHA256SUMS-${name}`), sums.join(""));
}
