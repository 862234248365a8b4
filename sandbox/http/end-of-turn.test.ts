import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { atEndOfTurn } from "./end-of-turn.ts";

it("lets all that is asked for in one turn go on together, after everything else of the turn", async () => {
  const happened: string[] = [];
  atEndOfTurn(() => happened.push("first"));
  setImmediate(() => happened.push("the next turn"));
  await Promise.resolve();
  atEndOfTurn(() => happened.push("second"));
  happened.push("this turn");
  await turn();
  expect(happened).toEqual(["this turn", "first", "second", "the next turn"]);
});

it("begins anew with each turn, also for what is asked for at the end of one", async () => {
  const happened: string[] = [];
  atEndOfTurn(() => {
    happened.push("first");
    atEndOfTurn(() => happened.push("second"));
  });
  await turn();
  expect(happened).toEqual(["first"]);
  await turn();
  expect(happened).toEqual(["first", "second"]);
});
