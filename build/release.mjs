// The parts of the release workflow that are more than one command:
//   node build/release.mjs notes v1.2.0          prints that version's part of CHANGELOG.md, or of the file named after it
//   node build/release.mjs channel v1.2.0        prints `latest`, and `next` for a prerelease such as v1.2.0-beta.1
//   node build/release.mjs sbom KIND FILE        writes the artifact's contents (KIND: `app` or `npm`) as SPDX
//   node build/release.mjs collect FROM TO NAME  copies the released files, with checksums in SHA256SUMS-NAME;
//     latest*.yml, which the app reads to update itself, with its signature by RELEASE_SIGNING_KEY, never without that key
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PACKAGE } from "../sandbox/contract/package-name.ts";
import { runMain, Sentence } from "./lib/command.mjs";
import { ROOT, readJson } from "./lib/project.mjs";
import { releaseNotes, signDescription } from "./lib/releases.mjs";
import { createSbom } from "./lib/sbom.mjs";

const HANDED_OUT = /\.(AppImage|deb|rpm|dmg|zip|exe|tgz)$|^sbom-\w+\.spdx\.json$/;
const UPDATES = /^latest.*\.yml$/;

await runMain(async () => {
  const [task, ...given] = process.argv.slice(2);
  if (task === "notes" && given.length > 0) console.log(notes(given[0] ?? "", given[1] ?? "CHANGELOG.md"));
  else if (task === "channel" && given.length === 1) console.log(channel(given[0] ?? ""));
  else if (task === "sbom" && given.length === 2) writeSbom(given[0] ?? "", given[1] ?? "");
  else if (task === "collect" && given.length === 3) collect(given[0] ?? "", given[1] ?? "", given[2] ?? "");
  else throw new Sentence("Say `notes TAG`, `channel TAG`, `sbom app|npm FILE` or `collect FROM TO NAME`.", 2);
  return 0;
});

/**
 * @param {string} tag
 * @param {string} changelog
 */
function notes(tag, changelog) {
  const { version, homepage } = readJson(path.join(ROOT, "package.json"));
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  // npm refuses a package whose manifest names a different repository from the one that built it.
  if (repository && homepage !== `${server}/${repository}#readme`)
    throw new Sentence(
      `This is ${server}/${repository}, and package.json says ${homepage}: change homepage, repository and bugs there.`,
    );
  if (tag !== `v${version}`) {
    throw new Sentence(`The tag is ${tag}, and package.json says ${version}: tag v${version}, or change the version.`);
  }
  const part = releaseNotes(version, changelog);
  if (part === null) throw new Sentence(`${changelog} has no part "## ${version}": write what changed there.`);
  return part;
}

/**
 * Returns the distribution tag: without a version, users get the newest release that is not a prerelease.
 *
 * @param {string} tag
 */
function channel(tag) {
  return tag.includes("-") ? "next" : "latest";
}

/**
 * @param {string} artifact
 * @param {string} file
 */
function writeSbom(artifact, file) {
  if (artifact !== "app" && artifact !== "npm") throw new Sentence(`${artifact} is neither app nor npm.`, 2);
  const name = artifact === "npm" ? PACKAGE : readJson(path.join(ROOT, "package.json")).name;
  writeFileSync(file, `${JSON.stringify(createSbom(artifact, ROOT, name, new Date()), null, 2)}\n`);
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
  for (const file of files) cpSync(path.join(from, file), path.join(to, file));
  const { RELEASE_SIGNING_KEY: key } = process.env;
  for (const file of key ? readdirSync(from).filter((name) => UPDATES.test(name)) : []) {
    const described = readFileSync(path.join(from, file));
    writeFileSync(path.join(to, file), described);
    writeFileSync(path.join(to, `${file}.sig`), signDescription(described, key ?? ""));
  }
  const sums = readdirSync(to)
    .sort()
    .map((file) => `${sha256(path.join(to, file))}  ${file}\n`);
  writeFileSync(path.join(to, `SHA256SUMS-${name}`), sums.join(""));
}

/** @param {string} file */
function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
