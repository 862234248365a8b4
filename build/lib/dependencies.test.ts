import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dependencyState, explainFailure, findNpm } from "./dependencies.mjs";
import { projectNode } from "./project.mjs";

let root: string;

const writeJson = (file: string, value: unknown): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), JSON.stringify(value));
};

const LOCKED = {
  "": {},
  "node_modules/fastify": { version: "5.0.0" },
  "node_modules/fsevents": { version: "2.0.0", optional: true },
};

/** As npm leaves it: what it installed is written down last. */
function install(packages: object): void {
  mkdirSync(path.dirname(projectNode(root)), { recursive: true });
  writeFileSync(projectNode(root), "");
  writeJson("node_modules/.package-lock.json", { packages });
}

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "dependencies-"));
  writeJson("package-lock.json", { packages: LOCKED });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("what is installed", () => {
  test("is missing in a fresh clone", () => {
    expect(dependencyState(root)).toBe("missing");
  });

  test("is taken as it is when someone ran npm himself, also without another platform's packages", () => {
    install({ "node_modules/fastify": { version: "5.0.0" } });
    expect(dependencyState(root)).toBe("current");
  });

  test("is remembered, so that nothing is compared again", () => {
    install({ "node_modules/fastify": { version: "5.0.0" } });
    dependencyState(root);
    rmSync(path.join(root, "node_modules/.package-lock.json"));
    expect(dependencyState(root)).toBe("current");
  });

  test.each([
    ["another version", { "node_modules/fastify": { version: "4.0.0" } }],
    ["a package missing", {}],
    ["a package too many", { "node_modules/fastify": { version: "5.0.0" }, "node_modules/left": { version: "1.0.0" } }],
  ])("has changed with %s", (_, packages) => {
    install(packages);
    expect(dependencyState(root)).toBe("changed");
  });

  test("has changed when the lock file has", () => {
    install({ "node_modules/fastify": { version: "5.0.0" } });
    dependencyState(root);
    writeJson("package-lock.json", { packages: { ...LOCKED, "node_modules/fastify": { version: "5.0.1" } } });
    expect(dependencyState(root)).toBe("changed");
  });

  test("has changed when an installation was interrupted", () => {
    mkdirSync(path.join(root, "node_modules/fastify"), { recursive: true });
    expect(dependencyState(root)).toBe("changed");
  });

  test("has changed when the project's Node is gone", () => {
    install({ "node_modules/fastify": { version: "5.0.0" } });
    dependencyState(root);
    rmSync(projectNode(root));
    expect(dependencyState(root)).toBe("changed");
  });
});

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
