import { expect, it } from "vitest";
import { undelivered } from "./change-words.ts";

it("says that nobody was subscribed when the event was made, or that its deliveries are gone", () => {
  expect(undelivered({ deliveries: 0 }, "default")).toBe(
    "Not delivered, because this side had no subscription in this world (default) at the time. Subscriptions in other worlds don’t receive it.",
  );
  expect(undelivered({ deliveries: 1 }, "default")).toBe("Its delivery was deleted by retention.");
  expect(undelivered({ deliveries: 2 }, "default")).toBe("Its 2 deliveries were deleted by retention.");
});
