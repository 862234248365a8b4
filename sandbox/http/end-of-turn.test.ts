import { expect, it } from "vitest";
import { endOfTurn } from "./end-of-turn.ts";

it("lets all that is asked for in one turn go on together, after everything else of the turn", async () => {
  const happened: string[] = [];
  const first = endOfTurn().then(() => happened.push("first"));
  setImmediate(() => happened.push("the next turn"));
  await Promise.resolve();
  const second = endOfTurn().then(() => happened.push("second"));
  happened.push("this turn");
  await Promise.all([first, second]);
  expect(happened.slice(0, 3)).toEqual(["this turn", "first", "second"]);
});

it("begins anew with each turn", async () => {
  await endOfTurn();
  let over = false;
  const later = endOfTurn().then(() => {
    over = true;
  });
  await Promise.resolve();
  expect(over).toBe(false);
  await later;
  expect(over).toBe(true);
});
