import { describe, expect, it } from "vitest";
import { healthText, recentFacts, subscriptionHealth } from "./health.tsx";

const at = "2026-03-11T22:05:07.204Z";
const recent = {
  ...{ ended: 12, at_first_attempt: 12, given_up: 0, least_attempts: 0, most_attempts: 0, acknowledged_p95_ms: 4 },
  failures: [],
};
const unused = {
  recent,
  receives: { events: ["supplier.procurements" as const], sentence: "" },
  paused_at: null,
  failing_since: null,
  pending: 0,
  last_success_at: null,
  consecutive_failures: 0,
};

describe("the health of a subscription", () => {
  it("ranks blocked above waiting, and waiting above arrived", () => {
    const failing = { ...unused, failing_since: at, pending: 2, last_success_at: at };
    expect(subscriptionHealth({ ...failing, paused_at: at })).toBe("paused");
    expect(subscriptionHealth(failing)).toBe("failing");
    const listener = { name: "anna", connected: false, event_types: null };
    expect(healthText({ ...failing, listener })).toBe("not connected, 2 waiting");
    expect(subscriptionHealth({ ...failing, listener: { ...listener, connected: true } })).toBe("failing");
    expect(subscriptionHealth({ ...failing, failing_since: null })).toBe("waiting");
    expect(subscriptionHealth({ ...unused, last_success_at: at })).toBe("healthy");
    expect(subscriptionHealth(unused)).toBe("unused");
    const unsteady = { ...recent, at_first_attempt: 0, least_attempts: 3, most_attempts: 3 };
    expect(subscriptionHealth({ ...unused, last_success_at: at, recent: unsteady })).toBe("unsteady");
    expect(healthText({ ...unused, last_success_at: at, recent: unsteady })).toBe("12 of 12 needed retries");
  });

  it("ranks “receives nothing” first", () => {
    const unknown = {
      ...unused,
      last_success_at: at,
      paused_at: at,
      receives: { events: [], sentence: "No integration." },
    };
    expect(healthText(unknown)).toBe("receives nothing");
  });

  it("ranks failed deliveries above waiting ones", () => {
    const lossy = { ...unused, last_success_at: at, recent: { ...recent, at_first_attempt: 10, given_up: 2 } };
    expect(healthText(lossy)).toBe("2 of 12 failed");
    expect(subscriptionHealth({ ...lossy, pending: 1 })).toBe("lossy");
    expect(subscriptionHealth({ ...lossy, failing_since: at })).toBe("failing");
  });

  it("shows first attempts, duration and last failures even if all arrived", () => {
    const failure = { delivery_id: "d", status: 500, error: null, attempts_made: 3, delivered: true };
    const unsteady = { ...recent, at_first_attempt: 0, acknowledged_p95_ms: 34_000, failures: [failure] };
    const facts = recentFacts({ recent: unsteady }).flatMap((fact) => (fact ? [fact] : []));
    expect(facts.slice(0, 2)).toEqual([
      ["First attempt", "0 of the last 12 deliveries acknowledged (0 %)"],
      ["Time to acknowledge", "95 % within 34.0 s"],
    ]);
    expect(facts[2]?.[0]).toBe("Last failures");
    expect(recentFacts({ recent: { ...recent, ended: 0 } })).toEqual([]);
  });

  it("has a short text", () => {
    expect(healthText({ ...unused, failing_since: at, consecutive_failures: 1 })).toBe("1 attempt failed");
    expect(healthText({ ...unused, failing_since: at, consecutive_failures: 1200 })).toBe("1,200 attempts failed");
    expect(healthText({ ...unused, pending: 3 })).toBe("3 waiting");
    expect(healthText({ ...unused, last_success_at: at })).toBe("healthy");
    expect(healthText(unused)).toBe("no deliveries");
  });
});
