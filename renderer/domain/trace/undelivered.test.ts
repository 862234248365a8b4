import { expect, it } from "vitest";
import { undelivered } from "./undelivered.ts";

it("says that nobody was subscribed when the event was made, or that its deliveries are gone", () => {
  const says = "Not delivered: this side had no subscription in this world";
  expect(undelivered({ deliveries: 0 })).toBe(`${says} when it happened.`);
  expect(undelivered({ deliveries: 0 }, "default")).toBe(`${says} (default) when it happened.`);
  expect(undelivered({ deliveries: 1 })).toBe("Its delivery is not kept any more.");
  expect(undelivered({ deliveries: 2 })).toBe("Its 2 deliveries are not kept any more.");
});
