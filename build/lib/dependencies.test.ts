import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dependencyState } from "./dependencies.mjs";
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

  test("lacks the project's Node alone when the script that brings it was not run", () => {
    install({ "node_modules/fastify": { version: "5.0.0" } });
    rmSync(projectNode(root));
    expect(dependencyState(root)).toBe("nodeless");
  });
});
