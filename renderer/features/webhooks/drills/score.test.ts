import { describe, expect, it } from "vitest";
import type { DrillRow } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { type DrillName, drillNames } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { answersOf, judged, type Line, lineWords, markOf, mustWords, reportLines, scoreWords } from "./score.ts";

const row = (drill: DrillName, id: string, verdict: "passed" | "failed"): DrillRow => ({
  id,
  drill,
  verdict,
  sentence: "Accepted it; must refuse it with 401 or another 4xx (bad_signature).",
  at: "2026-01-15T12:00:00.000Z",
  delivery_id: "d",
  subscription_id: "s",
  integration_id: "i",
  side: "repairer",
  url: "http://127.0.0.1:8787/hooks",
  event_type: "repairer.jobs",
  label: "J-1",
  trace_id: "t",
});

const line = (drill: DrillName, latest: DrillRow | null = null): Line => {
  return { drill, expected: drills[drill].expects, latest, proves: true, running: false };
};

const card = (results: Partial<Record<DrillName, DrillRow>>) => {
  const items = drillNames.map((drill) => line(drill, results[drill] ?? null));
  const passed = items.filter((item) => markOf(item) === "passed").length;
  return { items, passed, run: items.filter(({ latest }) => latest !== null).length };
};

const exchange = {
  what: "",
  sent_at: "",
  duration_ms: 1,
  request_headers: [],
  request_body_base64: "",
  response_headers: [],
  response_body_base64: "",
  response_truncated: false,
  error: null,
  verification: [],
  verdict: "passed" as const,
  sentence: "",
};

const scorecard = (results: Partial<Record<DrillName, DrillRow>>) => ({
  ...card(results),
  subscription_id: "s",
  newest_delivery: null,
});

describe("a report on the drills", () => {
  it("has nothing of what was not run", () => {
    expect(reportLines(undefined)).toEqual([]);
    expect(reportLines(scorecard({}))).toEqual([]);
  });

  it("has what each found, in the service's words", () =>
    expect(reportLines(scorecard({ stale: row("stale", "1", "failed") }))).toEqual([
      "Drills on the receiver: 0 of 9 passed, 1 failed, 8 not run.",
      "- Six minutes old: Accepted it; must refuse it with 401 or another 4xx (bad_signature).",
    ]));

  it("says that a refusal is inconclusive where valid notifications are refused too", () => {
    const results = { duplicate: row("duplicate", "1", "failed"), wrong_secret: row("wrong_secret", "2", "passed") };
    expect(reportLines(judged(scorecard(results)))).toContain(
      "- Wrong secret: Inconclusive: it rejects valid notifications too.",
    );
  });
});

describe("a scorecard", () => {
  it("counts what passed, what failed and what was not run", () => {
    expect(scoreWords(card({}))).toBe("0 of 9 passed, 9 not run");
    expect(scoreWords(card({ stale: row("stale", "1", "failed"), duplicate: row("duplicate", "2", "passed") }))).toBe(
      "1 of 9 passed, 1 failed, 7 not run, whether it deduplicates can’t be seen",
    );
    const all = card(Object.fromEntries(drillNames.map((drill) => [drill, row(drill, drill, "passed")])));
    expect(scoreWords(all)).toBe("9 of 9 passed, whether it deduplicates can’t be seen");
  });

  it("says on each line what must be answered, or how the answer compares with that", () => {
    expect(lineWords(line("duplicate"))).toBe("not run, must acknowledge with 200");
    expect(lineWords(line("stale"))).toBe("not run, must refuse: stale_timestamp");
    expect(lineWords(line("duplicate", row("duplicate", "1", "passed")))).toBe(
      "acknowledged; whether it deduplicates can’t be seen",
    );
    expect(lineWords(line("stale", row("stale", "1", "passed")))).toBe("refused, as it must");
    expect(lineWords(line("flipped_byte", row("flipped_byte", "1", "failed")))).toBe(
      "failed, must refuse: bad_signature",
    );
    expect(mustWords(drills.missing_signature.expects)).toBe("refuse: missing_signature");
  });

  it("takes a right refusal for no proof where everything is refused, until something is acknowledged", () => {
    const results = (good: "passed" | "failed") => {
      const { items, ...rest } = card(
        Object.fromEntries(
          drillNames.map((drill) => [
            drill,
            row(drill, drill, drills[drill].expects.answer === "acknowledge" ? good : "passed"),
          ]),
        ),
      );
      return judged({ ...rest, items: [...items], subscription_id: "s", newest_delivery: null });
    };
    const refusesAll = results("failed");
    expect(scoreWords(refusesAll)).toBe("0 of 9 passed, 2 failed, 7 inconclusive");
    expect(refusesAll.items.filter((item) => markOf(item) === "passed")).toEqual([]);
    expect(scoreWords(results("passed"))).toBe("9 of 9 passed, whether it deduplicates can’t be seen");
  });

  it("says in a few words what a wrong answer was, once the answers are read", () => {
    const failed = line("stale", row("stale", "1", "failed"));
    const answered = (response_status: number | null, error: string | null = null) => ({
      exchanges: [{ ...exchange, response_status, error, verdict: "failed" as const }],
    });
    expect(lineWords(failed, answered(200))).toBe("accepted it, must refuse: stale_timestamp");
    expect(lineWords(failed, answered(503))).toBe("failed over it, must refuse: stale_timestamp");
    expect(lineWords(failed, answered(302))).toBe("answered 302, must refuse: stale_timestamp");
    expect(lineWords(failed, answered(null))).toBe("no answer, must refuse: stale_timestamp");
    const repeat = line("duplicate", row("duplicate", "1", "failed"));
    expect(lineWords(repeat, answered(409))).toBe("answered 409, must acknowledge good ones");
    expect(lineWords(repeat, answered(200, "the answer broke off"))).toBe(
      "its 200 broke off, must acknowledge good ones",
    );
  });

  it("writes the answers in the order of the requests, and that there was none", () => {
    expect(
      answersOf({
        exchanges: [
          { ...exchange, response_status: 200 },
          { ...exchange, response_status: null },
        ],
      }),
    ).toEqual(["200", "no answer"]);
  });
});
