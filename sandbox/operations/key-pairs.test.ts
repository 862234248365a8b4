import { expect, it } from "vitest";
import type { World } from "../worlds/world.ts";
import { describeOtherWorld, findKeyElsewhere } from "./key-pairs.ts";

it("names the other world that has a key, if one has it", () => {
  const known = { stores: { credentials: { findByKey: (key: string) => (key === "isk_a" ? {} : undefined) } } };
  const find = (is: (world: World) => boolean) => (is(known as unknown as World) ? "other" : undefined);
  expect(findKeyElsewhere("isk_a", find)).toEqual({ world: "other", fact: "The key belongs to world other." });
  expect([findKeyElsewhere("isk_b", find), findKeyElsewhere("isk_a", undefined)]).toEqual([undefined, undefined]);
});

it("says where a call without a world went", () => {
  const { length } = describeOtherWorld("other", "team");
  expect(describeOtherWorld("other", "default").slice(length)).toMatch(/^ This call went to default/);
});
