import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { drawDiagram, findCycles, PARTS, readRooms } from "./rooms.mjs";

const contributing = fs.readFileSync("CONTRIBUTING.md", "utf8");

describe.each(PARTS)("the rooms of %s", (part) => {
  const rooms = readRooms(part);

  test("are no circle", () => {
    expect(rooms.size).toBeGreaterThan(4);
    expect(findCycles(rooms)).toEqual([]);
  });

  test("have a sentence each in CONTRIBUTING.md", () => {
    const rows = [...contributing.matchAll(/^\| `(\w+\/[\w-]+)\/` \| ./gm)].map(([, room]) => room);
    expect([...rooms.keys()].filter((room) => !rows.includes(room))).toEqual([]);
  });

  test("are drawn as they are: `npm run rooms`", () => expect(contributing).toContain(drawDiagram(part)));
});

test("a circle is found, whatever its length", () => {
  const arrows = { a: ["b"], b: ["c"], c: ["b"], d: ["a"] };
  expect(findCycles(new Map(Object.entries(arrows).map(([from, to]) => [from, new Set(to)])))).toEqual(["b", "c"]);
});
