import { describe, expect, it } from "vitest";
import type { Readiness } from "../contract/control/readiness-operations.ts";
import { checksOf, judgeReadiness } from "./readiness-plan.ts";

const counts = { calls: 3, done: 3, refused: 0, last_at: null };
const operation = (name: string, origin: "contract" | "extension" = "contract") => ({
  operation: name,
  origin,
  ...counts,
});
const step = (kind: Readiness["next"][number]["kind"], name: string) => ({ kind, name, do: `Do ${name}.` });
const met = { met: 0, of: 0 };
const readiness = (next: Readiness["next"], calls = 9): Readiness => ({
  ...{ integration_id: "i", organization_name: "Tarn & Rowe Collision", scope: "repairer", preloaded: false },
  installed_at: "2026-03-11T22:05:07.204Z",
  record: { since: null, calls, deliveries: 0 },
  operations: [
    operation("repairer.jobs.get"),
    operation("repairer.jobs.insert"),
    operation("repairer.jobs.delete", "extension"),
  ],
  error_codes: [{ code: "not_found", operations: [], calls: 0, last_at: null }],
  events: [{ event_type: "repairer.jobs", acknowledged: 1, failed: 0, last_at: null }],
  receiver: { subscriptions: [], first_attempt: 0, later_attempt: 0, drills: [{ drill: "stale", latest: null }] },
  summary: { operations: met, error_codes: met, events: met, drills: { ...met, passed: 0 } },
  next,
});

describe("without a plan", () => {
  it("everything is required but error codes and operations beside the contract", () => {
    const required = checksOf(readiness([])).filter(({ kind }) => kind !== "error_code");
    expect(required.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "subscription webhooks.subscribe",
      "operation repairer.jobs.get",
      "operation repairer.jobs.insert",
      "event repairer.jobs",
      "retry retry",
      "drill stale",
    ]);
    const next = [step("error_code", "not_found"), step("drill", "stale")];
    expect(judgeReadiness(readiness(next), null)).toEqual({
      ...{ plan: null, required: 6, met: 5, ready: false },
      unmet: [step("drill", "stale")],
    });
    expect(judgeReadiness(readiness([]), null)).toMatchObject({ met: 6, ready: true });
  });

  it("nothing is ready that never called", () => {
    expect(judgeReadiness(readiness([], 0), null).ready).toBe(false);
  });
});

it("a plan requires what it names, as far as the side can meet it", () => {
  const plan = {
    name: "Procurement",
    requires: [
      { kind: "operation", name: "repairer.jobs.get" },
      { kind: "operation", name: "supplier.procurements.confirm" },
      { kind: "error_code", name: "not_found" },
    ],
  } as const;
  const next = [step("error_code", "not_found"), step("drill", "stale")];
  expect(judgeReadiness(readiness(next), plan)).toEqual({
    ...{ plan: "Procurement", required: 2, met: 1, ready: false },
    unmet: [step("error_code", "not_found")],
  });
});

describe("a plan", () => {
  const asks = (name: string) => ({ name: "Orders", requires: [{ kind: "operation" as const, name }] });

  it("may require an operation beside the contract, which the report alone does not ask for", () => {
    const never = { ...operation("repairer.procurements.place", "extension"), calls: 0 };
    const report = { ...readiness([]), operations: [never] };
    expect(judgeReadiness(report, asks(never.operation))).toMatchObject({
      ...{ required: 1, met: 0, ready: false },
      unmet: [{ kind: "operation", name: never.operation, do: expect.stringContaining("/__extensions/2026-01/") }],
    });
    const called = { ...report, operations: [{ ...never, calls: 1 }] };
    expect(judgeReadiness(called, asks(never.operation))).toMatchObject({ required: 1, met: 1, ready: true });
  });

  it("of which nothing concerns its side makes nothing ready", () => {
    expect(judgeReadiness(readiness([]), asks("supplier.procurements.confirm"))).toMatchObject({
      ...{ required: 0, met: 0, ready: false },
    });
  });
});
