import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createGathering } from "./spoken-moves.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("announces the first change immediately, then a count every few seconds", () => {
  const said: string[] = [];
  const arrive = createGathering((sentence) => said.push(sentence));
  for (let number = 1; number <= 100; number += 1) arrive(`order ${number}`);
  expect(said).toEqual(["order 1"]);
  vi.advanceTimersByTime(5_000);
  expect(said).toEqual(["order 1", "99 changes, the last: order 100"]);
  arrive("order 101");
  vi.advanceTimersByTime(5_000);
  expect(said.slice(2)).toEqual(["order 101"]);
  vi.advanceTimersByTime(5_000);
  arrive("order 102");
  expect(said.slice(3)).toEqual(["order 102"]);
});
