import { afterAll, expect, it } from "vitest";
import { openSeededWorld } from "../testing/seeded-world.ts";
import { describeUnclearResponse, type EarlierCall, isOfSameKey, tellEarlier } from "./earlier-calls.ts";

const world = openSeededWorld();
afterAll(() => world.close());
const [mine, other] = world.stores.credentials.list();
if (!mine || !other) throw new Error("the seed has two keys");
const { integration_id, organization_id, scope } = mine;
const earlier: EarlierCall = {
  ...{ id: "call", at: world.db.toStored(Date.now()), status: 200, faults: null, side: scope },
  ...{ integration_id, origin: null, user_agent: null },
};
const call = { world, caller: { integration_id, organization_id, scope }, userAgent: "mine/1" };
const why = { cause: "job_exists", pointers: [] };
const fault = (kind: string, status: number) => ({ status, faults: JSON.stringify([{ id: "none", kind }]) });

it.each<[more: Partial<EarlierCall>, actor: string]>([
  [{}, "a call with the same key"],
  [{ user_agent: "mine/1" }, "a call with the same key"],
  [{ user_agent: `\`its\`/${"1".repeat(60)}` }, `a call of \`’its’/${"1".repeat(54)}\` with the same key`],
  [{ origin: "explorer" }, "a person in the explorer"],
  [{ origin: "scenario" }, "a scenario"],
  [{ origin: "toString" }, "a call with the same key"],
  [{ integration_id: "another" }, `the ${{ repairer: "buyer", supplier: "supplier" }[scope]}`],
  [{ integration_id: "another", side: null }, "the caller"],
  [
    { integration_id: other.integration_id, side: other.scope },
    `the ${other.scope === "repairer" ? "buyer" : "supplier"}`,
  ],
])("names who made an earlier call: %j", (more, actor) => {
  const told = tellEarlier(why, call, { ...earlier, ...more }, "{who} did it");
  expect(told).toMatchObject({ earlier: "call", fact: expect.stringMatching(/ did it\.$/) });
  expect(told.fact?.toLowerCase()).toBe(`${actor} did it.`.toLowerCase());
});

it.each<[more: Partial<EarlierCall>, words: string | null, side?: string]>([
  [{}, null],
  [{ status: 0 }, "Its response never arrived."],
  [{ status: 500 }, "Its response was 500."],
  [fault("delay", 500), "Its response was 500."],
  [fault("delay", 0), "A fault delayed its response, and the caller did not wait.", "fault"],
  [fault("status", 0), "A fault left it without a response.", "fault"],
  [fault("status", 503), "A fault returned 503 in place of its response.", "fault"],
])("tells what became of the response of an earlier call: %j", (more, words, side) => {
  expect(describeUnclearResponse(world, { ...earlier, ...more })).toBe(words);
  const told = tellEarlier(why, call, { ...earlier, ...more }, "{who} did it");
  expect(told.fact?.split("did it.")[1]).toBe(words === null ? "" : ` ${words}`);
  expect(told.side).toBe(side);
});

it("leaves out the program of an earlier call if the later call names none", () => {
  const unnamed = { ...call, userAgent: undefined };
  const { fact } = tellEarlier(why, unnamed, { ...earlier, user_agent: "its/1" }, "{who} did it");
  expect(fact).toBe("A call with the same key did it.");
});

it("keeps the response of another key’s call to itself", () => {
  const theirs = { ...earlier, integration_id: other.integration_id, status: 500 };
  expect(tellEarlier(why, call, theirs, "{who} did it").fact).toMatch(/did it\.$/);
  expect([earlier, theirs, { ...earlier, origin: "explorer" }].map((one) => isOfSameKey(call, one))).toEqual([
    ...[true, false, false],
  ]);
});
