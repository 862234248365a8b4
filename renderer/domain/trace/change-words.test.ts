import { expect, it } from "vitest";
import { undelivered } from "./change-words.ts";

it("says that nobody was subscribed when the event was made, or that its deliveries are gone", () => {
  expect(undelivered({ deliveries: 0 }, "default")).toBe(
    "Not delivered: this side had no subscription in this world (default) when it happened; one in another world does not receive it.",
  );
  expect(undelivered({ deliveries: 1 }, "default")).toBe("Its delivery is not kept any more.");
  expect(undelivered({ deliveries: 2 }, "default")).toBe("Its 2 deliveries are not kept any more.");
});
