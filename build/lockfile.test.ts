import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };
// The project's own folders, and links to them, are not from a registry.
const locked = Object.entries(packages).filter(([key, { link }]) => key.includes("node_modules/") && !link);

/** Returns where Node finds the package `name` from the package at `key`. */
function find(key: string, name: string): Locked | undefined {
  for (let from = key; ; from = from.slice(0, from.lastIndexOf("node_modules/")).replace(/\/$/, "")) {
    const found = packages[`${from === "" ? "" : `${from}/`}node_modules/${name}`];
    if (found !== undefined || from === "") return found;
  }
}

test("the lock file contains the packages of every platform", () => {
  // npm omits packages that its registry (a mirror, for instance) lacks, and then `npm ci` fails everywhere.
  const missing = locked.flatMap(([key, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, range]) => /^\d/.test(range) && find(key, name)?.version !== range)
      .map(([name, range]) => `${name}@${range}, wanted by ${key}`),
  );
  expect(missing).toEqual([]);
});

test("every package has an address and an integrity hash", () => {
  const loose = locked.filter(
    ([, { resolved, integrity }]) => !resolved?.startsWith("https://registry.npmjs.org/") || !integrity,
  );
  expect(loose.map(([key]) => key)).toEqual([]);
});
