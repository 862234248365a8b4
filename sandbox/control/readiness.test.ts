import { describe, expect, it, test } from "vitest";
import type { JudgedReadiness, Readiness } from "../contract/control/readiness-operations.ts";
import { evaluateReadiness, listReadinessChecks, markdownCode, markdownText, readinessMarkdown } from "./readiness.ts";

const HOSTILE =
  "</h1><img src=x>\n# owned\n[x](javascript:alert(1)) ![y](http://z) `c` | **b** www.evil.example a@b \u202e\u001b[2J";

const report = (changes: Partial<JudgedReadiness> = {}): JudgedReadiness => ({
  integration_id: "3f2b9a1c-5d4e-4c6b-8a70-1e2d3c4b5a69",
  organization_name: "Tarn & Rowe",
  scope: "repairer",
  installed_at: "2026-11-22T10:11:12.345Z",
  preloaded: false,
  record: {
    since: null,
    until: null,
    calls: 0,
    deliveries: 0,
  },
  operations: [],
  error_codes: [],
  events: [],
  receiver: { subscriptions: [], first_attempt: 0, later_attempt: 0, drills: [] },
  summary: {
    operations: { met: 0, of: 0 },
    error_codes: { met: 0, of: 0 },
    events: { met: 0, of: 0 },
    drills: { met: 0, of: 0, passed: 0 },
  },
  next: [],
  judged: { plan: null, required: 6, met: 6, unmet: [], ready: false },
  ...changes,
});

test("says what was counted, since when, and that nothing is left", () => {
  expect(readinessMarkdown(report())).toMatch(
    /^# Readiness of Tarn &amp; Rowe, repairer\n\nThis integration hasn’t made a call yet\.\n\nIntegration `3f2b/,
  );
  const counted = report({
    record: { ...report().record, since: "2026-11-21T09:08:07.006Z", calls: 4_000 },
  });
  expect(readinessMarkdown(counted)).toContain(
    "Counted: 4000 calls since 2026-11-21 09:08 and 0 deliveries, the newest 5,000 at most.",
  );
  expect(readinessMarkdown(counted)).toContain(
    "4000 calls by this integration, 0 of 0 API operations called successfully, nothing left to do.",
  );
  expect(readinessMarkdown(report())).toMatch(/## Next steps\n\nNothing left to do\.\n$/);
});

test("counts deliveries that were acknowledged at the first attempt, and later ones", () => {
  const receiver = { ...report().receiver, first_attempt: 3, later_attempt: 1 };
  expect(readinessMarkdown(report({ receiver }))).toContain(
    "Acknowledged at the first attempt: 3. After a failed attempt: 1.",
  );
});

test("lists the unmet requirements of its plan", () => {
  const unmet = [{ kind: "drill", name: "stale", do: "Run it." } as const];
  const judged = { plan: "Orders", required: 3, met: 2, unmet, ready: false };
  expect(readinessMarkdown(report({ judged }))).toContain(
    "\n\nPlan Orders: 2 of 3 met, not ready. Not met: `stale`.\n\n",
  );
  expect(readinessMarkdown(report())).not.toContain("Plan ");
  const record = { ...report().record, calls: 4 };
  const next = [...unmet, { kind: "operation", name: "tier1.prepare", do: "Send it." } as const];
  expect(readinessMarkdown(report({ record, next, judged }))).toContain(
    "called successfully, 1 thing left to do for its plan.",
  );
  const ready = { ...judged, met: 3, unmet: [], ready: true };
  expect(readinessMarkdown(report({ record, next, judged: ready }))).toContain(
    "called successfully, nothing left to do for its plan.",
  );
});

test("no foreign name, address or sentence becomes markup, a new line or a table cell", () => {
  const page = readinessMarkdown(
    report({
      organization_name: HOSTILE,
      operations: [
        {
          operation: HOSTILE,
          origin: "contract",
          calls: 1,
          done: 0,
          refused: 1,
          last_at: null,
        },
      ],
      receiver: {
        ...report().receiver,
        subscriptions: [{ id: "s", url: HOSTILE, paused: true, sandbox: true }],
        drills: [
          {
            drill: "stale",
            latest: { verdict: "failed", proves: true, at: "", sentence: HOSTILE, subscription_id: "s", url: HOSTILE },
          },
        ],
      },
      next: [{ kind: "drill", name: HOSTILE, do: HOSTILE }],
      judged: {
        ...{ plan: HOSTILE, required: 1, met: 0, ready: false },
        unmet: [{ kind: "drill", name: HOSTILE, do: HOSTILE }],
      },
    }),
  );
  const outsideCode = page.replace(/(?<!\\)`[^`\n]*`/g, "CODE");
  expect(outsideCode).not.toMatch(/<|(?<!\\)[[\]*](?!\*)|(?<!\\):\/\/|www\.|(?<!\\)@/);
  expect(page).not.toMatch(/^# owned/m);
  expect(page).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  const rows = outsideCode.split("\n").filter((line) => line.startsWith("|"));
  const cells = (line: string) => line.match(/(?<!\\)\|/g)?.length;
  expect(rows.map(cells)).toEqual([6, 6, 6, 4, 4, 5, 5, 5, 5, 5]);
});

test("text keeps its words, and code its characters", () => {
  expect(markdownText("a*b_c & <d> http://e")).toBe("a\\*b\\_c &amp; &lt;d> http\\://e");
  expect(markdownCode("a`b|c\nd")).toBe("`a'b\\|c d`");
});

test("an inconclusive drill doesn't look passed", () => {
  const latest = {
    verdict: "passed",
    proves: false,
    at: "2026-11-21T09:08:07Z",
    sentence: "",
    subscription_id: "s",
    url: "http://127.0.0.1:8787/hooks",
  } as const;
  const drills = [{ drill: "stale", latest } as const];
  const page = readinessMarkdown(report({ receiver: { ...report().receiver, drills: [...drills] } }));
  expect(page).toContain(
    "| Six minutes old | `http://127.0.0.1:8787/hooks` | inconclusive: it rejects valid notifications too, 2026-11-21 09:08 |",
  );
});

test("says only that a duplicate was acknowledged", () => {
  const latest = {
    verdict: "passed",
    proves: true,
    at: "2026-11-21T09:08:07Z",
    sentence: "",
    subscription_id: "s",
  } as const;
  const duplicate = {
    drill: "duplicate",
    latest: { ...latest, url: "u" },
  } as const;
  const page = readinessMarkdown(report({ receiver: { ...report().receiver, drills: [duplicate] } }));
  expect(page).toContain("| Duplicate | `u` | acknowledged 2026-11-21 09:08 |");
});

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
  record: { since: null, until: null, calls, deliveries: 0 },
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
  it("requires everything except error codes and extension operations", () => {
    const required = listReadinessChecks(readiness([])).filter(({ kind }) => kind !== "error_code");
    expect(required.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "subscription webhooks.subscribe",
      "operation repairer.jobs.get",
      "operation repairer.jobs.insert",
      "event repairer.jobs",
      "retry retry",
      "drill stale",
    ]);
    const next = [step("error_code", "not_found"), step("drill", "stale")];
    expect(evaluateReadiness(readiness(next), null)).toEqual({
      ...{ plan: null, required: 6, met: 5, ready: false },
      unmet: [step("drill", "stale")],
    });
    expect(evaluateReadiness(readiness([]), null)).toMatchObject({ met: 6, ready: true });
  });

  it("an integration without calls is not ready", () => {
    expect(evaluateReadiness(readiness([], 0), null).ready).toBe(false);
  });
});

it("a plan requires its named checks, as far as the side can meet them", () => {
  const plan = {
    name: "Procurement",
    requires: [
      { kind: "operation", name: "repairer.jobs.get" },
      { kind: "operation", name: "supplier.procurements.confirm" },
      { kind: "error_code", name: "not_found" },
    ],
  } as const;
  const next = [step("error_code", "not_found"), step("drill", "stale")];
  expect(evaluateReadiness(readiness(next), plan)).toEqual({
    ...{ plan: "Procurement", required: 2, met: 1, ready: false },
    unmet: [step("error_code", "not_found")],
  });
});

describe("a plan", () => {
  const asks = (name: string) => ({ name: "Orders", requires: [{ kind: "operation" as const, name }] });

  it("may require an extension operation, which the report alone doesn't", () => {
    const never = { ...operation("repairer.procurements.place", "extension"), calls: 0, done: 0 };
    const report = { ...readiness([]), operations: [never] };
    expect(evaluateReadiness(report, asks(never.operation))).toMatchObject({
      ...{ required: 1, met: 0, ready: false },
      unmet: [{ kind: "operation", name: never.operation, do: expect.stringContaining("/__extensions/2026-01/") }],
    });
    const called = { ...report, operations: [{ ...never, calls: 1, done: 1 }] };
    expect(evaluateReadiness(called, asks(never.operation))).toMatchObject({ required: 1, met: 1, ready: true });
  });

  it("without a requirement for its side is never met", () => {
    expect(evaluateReadiness(readiness([]), asks("supplier.procurements.confirm"))).toMatchObject({
      ...{ required: 0, met: 0, ready: false },
    });
  });
});
