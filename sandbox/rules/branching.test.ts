import { expect, test } from "vitest";
import { beginningsOf, callsBefore } from "./branching.ts";

const seed = { name: null, at: 100 };
const early = { name: "early", at: 200 };
const late = { name: "late", at: 300 };

test("a world begins with the newest snapshot before the call, else an earlier one, last of all the seed", () => {
  expect(beginningsOf([late, early, seed], 250)).toEqual({ before: [early, seed], later: [late] });
  expect(beginningsOf([late, early, seed], 300).before).toEqual([late, early, seed]);
});

test("the seed comes before the call that made its world, and what is later begins later calls, earliest first", () => {
  expect(beginningsOf([late, early, seed], 99)).toEqual({ before: [seed], later: [early, late] });
});

const row = (id: string, operation: string | null, status: number) => ({ id, operation, status });
const rows = [
  row("insert", "repairer.jobs.insert", 200),
  row("read", "repairer.jobs.get", 200),
  row("refused", "repairer.jobs.insert", 409),
  row("lost", null, 404),
  row("subscribe", "webhooks.subscribe", 200),
  row("confirm", "supplier.procurements.confirm", 200),
  row("after", "repairer.jobs.insert", 200),
];
const ids = (id: string, counted: boolean) => callsBefore(rows, id, counted).map((one) => one.id);

test("what changed something before the call is repeated, in its order and without the call itself", () => {
  expect(ids("confirm", false)).toEqual(["insert", "subscribe"]);
  expect(ids("insert", false)).toEqual([]);
});

test("every earlier call is repeated where a fault counts calls", () => {
  expect(ids("confirm", true)).toEqual(["insert", "read", "refused", "lost", "subscribe"]);
});
