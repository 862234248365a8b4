import { expect, it } from "vitest";
import { undeliveredReason } from "./change-words.ts";

it("says that the event had no subscription, or that its deliveries were deleted", () => {
  expect(undeliveredReason({ deliveries: 0 }, "default")).toBe(
    "Not delivered, because this side had no subscription in this world (default) at the time. Subscriptions in other worlds don’t receive it.",
  );
  expect(undeliveredReason({ deliveries: 1 }, "default")).toBe("Its delivery was deleted by retention.");
  expect(undeliveredReason({ deliveries: 2 }, "default")).toBe("Its 2 deliveries were deleted by retention.");
});
