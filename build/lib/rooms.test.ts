import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { drawDiagram, findCycles, PARTS, readRooms } from "./rooms.mjs";

const contributing = fs.readFileSync("CONTRIBUTING.md", "utf8");

describe.each(PARTS)("the rooms of %s", (part) => {
  const rooms = readRooms(part);

  test("have no import cycles", () => {
    expect(rooms.size).toBeGreaterThan(4);
    expect(findCycles(rooms)).toEqual([]);
  });

  test("each have a sentence in CONTRIBUTING.md", () => {
    const rows = [...contributing.matchAll(/^\| `(\w+\/[\w-]+)\/` \| ./gm)].map(([, room]) => room);
    expect([...rooms.keys()].filter((room) => !rows.includes(room))).toEqual([]);
  });

  test("match the diagram: `npm run rooms`", () => expect(contributing).toContain(drawDiagram(part)));
});

test("finds cycles of any length", () => {
  const arrows = { a: ["b"], b: ["c"], c: ["b"], d: ["a"] };
  expect(findCycles(new Map(Object.entries(arrows).map(([from, to]) => [from, new Set(to)])))).toEqual(["b", "c"]);
});
