import { describe, expect, it } from "vitest";
import type { WorldDocument } from "../../../sandbox/contract/control/snapshot-rows.ts";
import { readWorldsFile, worldsFile } from "./all-worlds.ts";

const world = (name: string) =>
  ({ format: "integrations-explorer-world", world: name, tables: [] }) as unknown as WorldDocument;

describe("a file of all worlds", () => {
  it("is read as it was written", () => {
    const worlds = [world("default"), world("qa")];
    const file = worldsFile(worlds, true, new Date("2026-01-15T12:00:00Z"));
    expect(file).toMatchObject({ format_version: 1, redacted: true, exported_at: "2026-01-15T12:00:00.000Z" });
    expect(readWorldsFile("all.json", JSON.stringify(file))).toEqual(worlds);
  });

  it("may be one world’s own", () => {
    expect(readWorldsFile("qa.json", JSON.stringify(world("qa")))).toEqual([world("qa")]);
  });

  it.each([
    ["", /^x\.json isn’t an exported file: it isn’t complete JSON/],
    ['{"format":"integrations-explorer-worlds","wor', /isn’t complete JSON/],
    ["null", /isn’t an exported file/],
    ["[]", /isn’t an exported file/],
    ['{"format":"har"}', /isn’t an exported file/],
    ['{"format":"integrations-explorer-worlds","format_version":1,"worlds":{}}', /isn’t an exported file/],
    ['{"format":"integrations-explorer-worlds","format_version":2,"worlds":[]}', /another version/],
    ['{"format":"integrations-explorer-worlds","format_version":1,"worlds":[7]}', /entry 1 isn’t a world/],
    ['{"format":"integrations-explorer-worlds","format_version":1,"worlds":[{"__proto__":{}}]}', /entry 1/],
  ])("is not %s, which a sentence says", (text, sentence) => {
    expect(() => readWorldsFile("x.json", text)).toThrow(sentence);
  });
});
