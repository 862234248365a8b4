import { CommanderError } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { groups, wantedGroups } from "./groups/groups.ts";
import { readBenchOptions } from "./options.ts";

const read = (...argv: string[]) => readBenchOptions(argv, groups);
const names = (...argv: string[]) => wantedGroups(read(...argv)).map(({ name }) => name);

describe("the bench's command line", () => {
  let said = "";
  beforeEach(() => {
    said = "";
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, "write").mockImplementation((text) => {
        said += text;
        return true;
      });
    }
  });
  afterEach(() => vi.restoreAllMocks());

  it("measures everything but the peers when nothing is asked for", () => {
    expect(read()).toEqual({
      json: false,
      quick: false,
      peers: false,
      explorer: false,
      chromium: null,
      only: null,
      folder: null,
    });
    expect(names()).toEqual(groups.map(({ name }) => name).filter((name) => name !== "peers"));
  });

  it("measures the peers beside the rest when asked to", () => {
    expect(names("--peers")).toEqual(groups.map(({ name }) => name));
  });

  it("measures the explorer by itself when asked to, in the browser that is named", () => {
    expect(names("--explorer")).toEqual(["explorer"]);
    expect(read("--explorer", "--chromium", "/opt/chromium").chromium).toBe("/opt/chromium");
  });

  it("measures the named groups alone, in the order of the table, however they are named", () => {
    expect(names("--only", "memory,jobs.get")).toEqual(["jobs.get", "memory"]);
    expect(names("--only", "memory", "--only", "jobs.get")).toEqual(["jobs.get", "memory"]);
    expect(names("--only", "peers")).toEqual(["peers"]);
    expect(names("--only", "memory", "--peers")).toEqual(["memory", "peers"]);
  });

  it("refuses a group that there is not, and names those there are", () => {
    expect(() => read("--only", "speed")).toThrow(CommanderError);
    expect(said).toContain("Use one or more of jobs.get, jobs.insert");
  });

  it("refuses an option that there is not", () => {
    expect(() => read("--fast")).toThrow(CommanderError);
    expect(said).toContain("unknown option '--fast'");
  });

  it("lists every group in its help", () => {
    expect(() => read("--help")).toThrow(CommanderError);
    for (const { name, about } of groups) expect(said).toContain(`  ${name.padEnd(14)}${about}`);
  });
});
