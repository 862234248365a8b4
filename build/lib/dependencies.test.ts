import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { areInstalled, findNpm } from "./dependencies.mjs";
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

/** Writes npm's list of installed packages last, as npm does. */
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

describe("the dependencies", () => {
  test("are missing in a fresh clone and after an interrupted installation", () => {
    expect(areInstalled(root)).toBe(false);
    mkdirSync(path.join(root, "node_modules/fastify"), { recursive: true });
    expect(areInstalled(root)).toBe(false);
  });

  test("are installed even without the packages of other platforms", () => {
    install({ "node_modules/fastify": { version: "5.0.0" } });
    expect(areInstalled(root)).toBe(true);
  });

  test.each([
    ["another version", { "node_modules/fastify": { version: "4.0.0" } }],
    ["a missing package", {}],
    [
      "an additional package",
      { "node_modules/fastify": { version: "5.0.0" }, "node_modules/left": { version: "1.0.0" } },
    ],
    [
      "the packages of another machine",
      {
        "node_modules/fastify": { version: "5.0.0" },
        "node_modules/fsevents": { version: "2.0.0", os: [process.platform === "darwin" ? "linux" : "darwin"] },
      },
    ],
  ])("differ from the lock file with %s", (_, packages) => {
    install(packages);
    expect(areInstalled(root)).toBe(false);
  });

  test("are incomplete without the script that installs the project's Node", () => {
    install({ "node_modules/fastify": { version: "5.0.0" } });
    rmSync(projectNode(root));
    expect(areInstalled(root)).toBe(false);
  });
});

test("prefers the npm that started the command, unless that runs on the project's own Node", () => {
  const cli = path.join(path.dirname(process.execPath), "npm-cli.js");
  // This test runs on the project's Node, so another program stands for the system's.
  expect(findNpm({ npm_execpath: cli, npm_node_execpath: "/bin/sh" })).toEqual({ program: "/bin/sh", args: [cli] });
  for (const env of [
    {},
    { npm_execpath: cli, npm_node_execpath: process.execPath },
    { npm_execpath: "/opt/yarn.js", npm_node_execpath: "/bin/sh" },
  ]) {
    const { program, args } = findNpm(env);
    expect(args.at(-1) ?? program).toBe("npm");
  }
});
