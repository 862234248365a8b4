import { expect, test } from "vitest";
import type { World } from "../worlds/world.ts";
import {
  addLoss,
  describeEmptyValue,
  findBeginning,
  findLaterBeginning,
  hasIssued,
  type Loss,
  possessive,
  refineOtherWorld,
} from "./refused-call.ts";

test.each([
  ["default", "went to default"],
  ["team", "names team"],
])("says what is in another world, and where a call to %s went", (named, words) => {
  const why = { cause: "job_unknown", pointers: [] };
  const elsewhere = { world: "other", fact: expect.stringContaining(words) };
  expect(refineOtherWorld(why, "The job", named, "other")).toEqual({ ...why, elsewhere });
  expect(refineOtherWorld(why, "The job", named, undefined)).toBe(why);
});

const HOUR_MS = 3_600_000;
const now = Date.now();
/** World that was made two hours ago, unless it says otherwise. */
const worldOf = (settings: { readonly log_restored?: number; readonly copied_at?: number } = {}) =>
  ({
    db: { epoch: now - 2 * HOUR_MS },
    stores: { settings: { get: (name: keyof typeof settings) => settings[name] ?? 0 } },
  }) as unknown as World;
const RESTORED = worldOf({ log_restored: (now - HOUR_MS) * 1_000 });
const COPIED = worldOf({ copied_at: now - HOUR_MS });

test.each([
  [RESTORED, null, "restored", HOUR_MS, "sandbox"],
  [COPIED, null, "copied", HOUR_MS, undefined],
  [COPIED, "reset", "copied", HOUR_MS, undefined],
  [worldOf(), null, "created or reset", 2 * HOUR_MS, undefined],
  [worldOf(), "reset", "reset", 2 * HOUR_MS, "sandbox"],
  [worldOf(), { deletedAt: now - 3 * HOUR_MS }, "deleted", 3 * HOUR_MS, "sandbox"],
] as const)("tells how a world began: %#", (world, origin, how, age, side) => {
  const beginning = findBeginning(world, () => origin);
  expect([beginning.how, now - beginning.at, beginning.side.side]).toEqual([how, age, side]);
});

/** ID that the service issued at a time. */
const idAt = (at: number, version = "4") => {
  const hex = at.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-${version}000-8000-000000000000`;
};
const DAY_MS = 24 * HOUR_MS;

test("tells an ID from before a world from its own, a program’s and a very old one", () => {
  const isLater = (at: number, version?: string) => findLaterBeginning(RESTORED, idAt(at, version)) !== null;
  expect(isLater(now - 2 * HOUR_MS)).toBe(true);
  expect(isLater(now - HOUR_MS)).toBe(false);
  expect(isLater(now - 2 * HOUR_MS, "7")).toBe(false);
  expect([isLater(now - HOUR_MS - 90 * DAY_MS), isLater(now - HOUR_MS - 90 * DAY_MS - 1)]).toEqual([true, false]);
  const deleted = () => ({ deletedAt: now - 3 * HOUR_MS });
  expect(findLaterBeginning(worldOf(), idAt(now - 3 * HOUR_MS), deleted)).toBeNull();
  expect(findLaterBeginning(worldOf(), idAt(now - 3 * HOUR_MS - 1), deleted)?.how).toBe("deleted");
  expect([now - HOUR_MS, now - HOUR_MS - 1].map((at) => hasIssued(COPIED, idAt(at)))).toEqual([true, false]);
});

test("names the world that lost an ID, if it is the only one and nothing else is known", () => {
  const lost = (world: string): Loss => ({ world, how: "reset", at: now });
  const why = { cause: "job_unknown", pointers: [] };
  const add = (losses: readonly Loss[], { of = why, id = idAt(now - HOUR_MS) }: { of?: object; id?: string } = {}) =>
    addLoss(of as typeof why, id, { findLosses: () => losses } as never, "Look in {world}.").elsewhere;
  expect(add([lost("a"), lost("a")])).toMatchObject({ world: "a", beside: true, remedy: "Look in a." });
  expect(add([lost("a"), lost("b")])).toBeUndefined();
  expect(add([])).toBeUndefined();
  for (const more of [
    { id: idAt(now - HOUR_MS, "7") },
    { id: idAt(now - 91 * DAY_MS) },
    { of: { ...why, fact: "It is known." } },
  ])
    expect(add([lost("a")], more)).toBeUndefined();
});

test("names whose something is, and what is empty", () => {
  expect([possessive("Acme"), possessive("Parts")]).toEqual(["Acme’s", "Parts’"]);
  expect([" ", "{{x}}", "x"].map((value) => describeEmptyValue("id", value))).toEqual([
    ...["`id` is empty.", "`id` holds a placeholder: a variable was not filled in.", null],
  ]);
});
