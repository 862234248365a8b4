import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { explainFailure, findNpm, type Npm, runNpm } from "./npm.mjs";

describe("which npm installs", () => {
  const cli = path.join(path.dirname(process.execPath), "npm-cli.js");

  test("is the one that started the command, on the Node it runs on itself", () => {
    // The test itself runs on the project's Node, so another program stands in for the system's.
    const env = { npm_execpath: cli, npm_node_execpath: "/bin/sh" };
    expect(findNpm(env)).toEqual({ program: "/bin/sh", args: [cli] });
  });

  test.each([
    ["nothing says which", {}],
    ["its Node lies where npm will clear away", { npm_execpath: cli, npm_node_execpath: process.execPath }],
    ["another package manager started the command", { npm_execpath: "/opt/yarn.js", npm_node_execpath: "/bin/sh" }],
  ])("is the one on the path when %s", (_, env) => {
    expect(findNpm(env).args.at(-1) ?? findNpm(env).program).toBe("npm");
  });
});

describe("why an installation failed", () => {
  test.each([
    ["npm error code ENOTFOUND", /registry https:\/\/mirror\.example\/ does not answer: check the network/],
    ["npm error network request failed, reason: connect ECONNREFUSED 127.0.0.1:9", /does not answer/],
    ["npm error code EAI_AGAIN", /does not answer/],
    ["npm error code SELF_SIGNED_CERT_IN_CHAIN", /certificate .* is not trusted here: set `npm config set cafile`/],
    ["npm error code ENOSPC", /disk is full/],
    ["npm error code EACCES", /cannot be written: stop what uses it/],
    ["npm error something new", /npm error something new\n.*npm's own words are above/],
  ])("is told for %j", (output, sentence) => {
    expect(explainFailure(output, { npm_config_registry: "https://mirror.example/" })).toMatch(sentence);
  });
});

describe("npm", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "npm-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Stands in for npm: what it does for each of its commands. */
  function npmThat(commands: Readonly<Record<string, string>>): Npm {
    const file = path.join(folder, "npm.cjs");
    writeFileSync(file, `const commands = ${JSON.stringify(commands)};\neval(commands[process.argv[2]]);\n`);
    chmodSync(file, 0o755);
    return { program: process.execPath, args: [file] };
  }

  const HANG = "setInterval(() => {}, 1000)";
  const UNREACHABLE = "console.error('npm error code ETIMEDOUT'); process.exit(1)";

  test("that succeeds is no more to tell", async () => {
    await expect(runNpm(folder, npmThat({ ci: "" }), ["ci"])).resolves.toBeUndefined();
  });

  test("that waits for a registry which does not answer is stopped", async () => {
    const npm = npmThat({ ci: HANG, ping: UNREACHABLE });
    const began = performance.now();
    await expect(runNpm(folder, npm, ["ci"], 300)).rejects.toThrow(/does not answer: check the network/);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("that is silent for long while the registry answers is left alone", async () => {
    const npm = npmThat({ ci: "setTimeout(() => {}, 1500)", ping: "console.log('pong')" });
    await expect(runNpm(folder, npm, ["ci"], 200)).resolves.toBeUndefined();
  });
});
