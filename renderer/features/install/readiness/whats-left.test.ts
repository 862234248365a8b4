import { describe, expect, it } from "vitest";
import type { Readiness } from "../../../../sandbox/contract/control/readiness-operations.ts";
import { whatsLeft } from "./whats-left.ts";

const SUBSCRIPTION = "6b3a0000-0000-4000-8000-000000000000";

/** A readiness with nothing in it but what is left. */
const left = (next: Readiness["next"], isSubscribed: boolean) =>
  whatsLeft({
    next,
    error_codes: [{ code: "not_found", calls: 0, operations: ["repairer.jobs.get"], first_at: null, last_at: null }],
    receiver: {
      subscriptions: isSubscribed ? [{ id: SUBSCRIPTION, url: "http://x/", created_at: "", paused: false }] : [],
    },
  } as unknown as Readiness);

describe("what is left for an integration", () => {
  it("is by what it is a part of, in the order in which a partner gets to it", () => {
    const groups = left(
      [
        { kind: "drill", name: "stale", do: "Run it." },
        { kind: "operation", name: "repairer.jobs.get", do: "Send it." },
        { kind: "operation", name: "repairer.jobs.insert", do: "Send it." },
        { kind: "subscription", name: "webhooks.subscribe", do: "Register." },
      ],
      false,
    );
    expect(groups.map(({ title, steps }) => [title, steps.map((step) => step.title)])).toEqual([
      ["No subscription", ["Subscribe"]],
      ["Operations it never called", ["Read job", "Insert job"]],
      ["Drills not passed yet", ["Six minutes old"]],
    ]);
  });

  it("leads to the place that does it", () => {
    const placesOf = (isSubscribed: boolean) =>
      Object.fromEntries(
        left(
          [
            { kind: "subscription", name: "webhooks.subscribe", do: "" },
            { kind: "event", name: "repairer.jobs", do: "" },
            { kind: "event", name: "repairer.procurements", do: "" },
            { kind: "retry", name: "retry", do: "" },
            { kind: "drill", name: "stale", do: "" },
          ],
          isSubscribed,
        ).flatMap(({ steps }) => steps.map(({ name, place }) => [name, place.href])),
      );
    expect(placesOf(true)).toEqual({
      "webhooks.subscribe": "/webhooks",
      "repairer.jobs": "/jobs",
      "repairer.procurements": "/procurements",
      retry: `/webhooks?subscription=${SUBSCRIPTION}`,
      stale: `/webhooks/subscriptions/${SUBSCRIPTION}?drill=stale`,
    });
    expect(placesOf(false)).toMatchObject({ retry: "/webhooks", stale: "/webhooks" });
  });

  it("calls what answers an error code, as it calls the operation itself", () => {
    const [operations, codes] = left(
      [
        { kind: "operation", name: "repairer.jobs.get", do: "" },
        { kind: "error_code", name: "not_found", do: "" },
      ],
      false,
    );
    expect(operations?.steps[0]?.place.label).toBe("See it in the Console");
    expect(codes?.steps[0]?.place).toEqual(operations?.steps[0]?.place);
  });

  it("is nothing where nothing is", () => expect(left([], true)).toEqual([]));
});
