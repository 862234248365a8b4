import { describe, expect, it } from "vitest";
import { causeNames } from "../../contract/causes.ts";
import { MAX_CALLERS, MAX_CALLERS_PER_GROUP } from "../../contract/control/activity-operations.ts";
import { attemptCauses } from "../../contract/control/words.ts";
import { AS_CONFIGURED } from "../webhooks/receiver.ts";
import {
  type CountedFailures,
  type Failure,
  FailureGroups,
  findAttemptCause,
  MINUTE_MS,
  parseSince,
} from "./activity.ts";

const NOW = Date.parse("2026-03-01T12:00:30.000Z");
const failure: Failure = {
  ...{ kind: "call", cause: "job_unknown", status: 404, integration_id: "i", organization_name: "Acme" },
  ...{ side: "repairer", user_agent: "acme/1", origin: "partner" },
};
const counted = (minute: number, more: Partial<CountedFailures> = {}): CountedFailures => ({
  ...{ minute, world: "one", failure, count: 1, last_at: minute + 1_000, last_id: `call-${minute}` },
  ...{ last_operation: "repairer.jobs.get", ...more },
});
const grouped = (rows: readonly CountedFailures[], from = NOW - 3_600_000) => {
  const groups = new FailureGroups({ from: Math.floor(from / MINUTE_MS) * MINUTE_MS, to: NOW }, () => true);
  for (const row of rows) groups.add(row);
  return groups.done();
};
const minute = (ago: number): number => Math.floor(NOW / MINUTE_MS) * MINUTE_MS - ago * MINUTE_MS;

describe("the start of a window", () => {
  it("is a duration before now, or a past time", () => {
    expect(parseSince("90s", NOW)).toBe(NOW - 90_000);
    expect(parseSince(" 7D ", NOW)).toBe(NOW - 7 * 86_400_000);
    expect(parseSince(" 2026-03-01 ", NOW)).toBe(Date.parse("2026-03-01T00:00:00Z"));
    expect(parseSince("2026-03-01T11:00:00+01:00", NOW)).toBe(Date.parse("2026-03-01T10:00:00Z"));
    for (const text of ["", "1", "0m", "1 hour", "now", "2026-03-02", "2026-13-01", "x2026-03-01"])
      expect(parseSince(text, NOW), text).toBeNull();
  });
});

describe("the cause of a failed attempt", () => {
  it("follows from its response", () => {
    const of = (response_status: number | null, body = "", duration_ms = 5) =>
      findAttemptCause({
        ...{ response_status, duration_ms },
        response_body_base64: Buffer.from(body).toString("base64"),
      });
    expect(of(null)).toBe("receiver_unreachable");
    expect(of(null, "", 10_000)).toBe("receiver_timed_out");
    expect(of(200, "o")).toBe("receiver_incomplete");
    expect(of(500, "boom")).toBe("receiver_refused");
    expect(of(503, JSON.stringify({ ok: false, reason: AS_CONFIGURED }))).toBe("receiver_as_configured");
  });
});

describe("failure groups", () => {
  it("have a sentence and a remedy for every cause", () => {
    const rows = [...causeNames, "fault", "removed_long_ago", null].map((cause) =>
      counted(minute(1), { failure: { ...failure, cause } }),
    );
    const attempts = attemptCauses.map((cause) =>
      counted(minute(1), { failure: { ...failure, kind: "delivery", cause, status: 0 } }),
    );
    const { items, expected } = grouped([...rows, ...attempts]);
    expect(items).toHaveLength(rows.length + attempts.length);
    expect(expected).toBe(2);
    for (const { sentence, what_to_do, cause } of items) {
      expect(sentence, cause ?? "").toMatch(/^\S.*\.$/);
      expect(sentence).not.toContain("{");
      expect(what_to_do, cause ?? "").toMatch(/^[A-Z].*[.)]$/);
    }
  });

  it("add up minutes, and name the newest failure", () => {
    const { items, calls } = grouped([counted(minute(50)), counted(minute(0), { count: 3 }), counted(minute(9))]);
    expect(calls).toBe(5);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ count: 5, last_call: { id: `call-${minute(0)}` } });
    const { timeline = [] } = items[0] ?? {};
    expect(timeline.reduce((sum, one) => sum + one)).toBe(5);
    expect(timeline).toHaveLength(31);
    expect(timeline.at(-1)).toBe(3);
  });

  it("describe the effect of a fault, and name the side of other causes", () => {
    const of = (more: Partial<Failure>) => grouped([counted(minute(1), { failure: { ...failure, ...more } })]).items[0];
    expect(of({ cause: "fault", status: 503 })).toMatchObject({
      sentence: "A fault or a test value returned 503.",
      whose_side: "fault",
    });
    expect(of({ cause: "fault", status: 0 })?.sentence).toBe("A fault closed the connection.");
    expect(of({ cause: null, status: 418 })).toMatchObject({
      sentence: "The response was 418.",
      whose_side: "partner",
    });
    expect(of({ cause: null, status: 500 })?.whose_side).toBe("sandbox");
    expect(of({ cause: null, status: 0 })).toMatchObject({
      sentence: expect.stringMatching(/without a response/),
      whose_side: "sandbox",
    });
    const refused = (status: number) => of({ kind: "delivery", cause: "receiver_refused", status })?.what_to_do;
    expect([401, 403, 500].map((status) => /secret/.test(refused(status) ?? ""))).toEqual([true, true, false]);
  });

  it("count a failure at the end of the window in the last slot", () => {
    const groups = new FailureGroups({ from: minute(10), to: minute(0) }, () => true);
    groups.add(counted(minute(0)));
    expect(groups.done().items[0]?.timeline).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it("divide any window into slots without losing a failure", () => {
    for (const hours of [0.01, 1, 3.7, 24, 168]) {
      const from = NOW - hours * 3_600_000;
      const rows = [counted(Math.floor(from / MINUTE_MS) * MINUTE_MS), counted(minute(0))];
      const { items, slot_seconds } = grouped(rows, from);
      const timeline = items[0]?.timeline ?? [];
      expect(timeline.length, `${hours}`).toBeLessThanOrEqual(60);
      expect(slot_seconds % 60).toBe(0);
      expect(timeline.reduce((sum, one) => sum + one)).toBe(2);
      expect(timeline[0], `${hours}`).toBeGreaterThan(0);
    }
  });

  it("name the callers with the most failures, and count the others", () => {
    const rows = Array.from({ length: 150 }, (_, at) => counted(minute(1), { world: `w${at}`, count: at + 1 }));
    const { items, callers, more_callers } = grouped(rows);
    expect(items[0]?.callers).toHaveLength(MAX_CALLERS_PER_GROUP);
    expect(items[0]?.callers[0]).toMatchObject({ world: "w149", count: 150 });
    expect(items[0]?.more_callers).toBe(150 - MAX_CALLERS_PER_GROUP);
    expect(callers).toHaveLength(MAX_CALLERS);
    expect(more_callers).toBe(150 - MAX_CALLERS);
  });
});
