import { describe, expect, it } from "vitest";
import type { DrillRow } from "../../../../sandbox/contract/control/receiver-operations.ts";
import { type DrillName, drillNames } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { correctResponse, type DrillLine, drillMark, evaluateCard, lineText, scoreText } from "./score.ts";

const all = drillNames.length;
const good = drillNames.filter((drill) => drills[drill].expects.answer === "acknowledge").length;

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

const line = (drill: DrillName, latest: DrillRow | null = null): DrillLine => {
  return { drill, latest, proves: true };
};

const card = (results: Partial<Record<DrillName, DrillRow>>) => {
  const items = drillNames.map((drill) => line(drill, results[drill] ?? null));
  const passed = items.filter((item) => drillMark(item) === "passed").length;
  return { items, passed, run: items.filter(({ latest }) => latest !== null).length };
};

describe("a scorecard", () => {
  it("counts passed, failed and missing drills", () => {
    expect(scoreText(card({}))).toBe(`0 of ${all} passed, ${all} not run`);
    expect(scoreText(card({ stale: row("stale", "1", "failed"), duplicate: row("duplicate", "2", "passed") }))).toBe(
      `1 of ${all} passed, 1 failed, ${all - 2} not run, whether it deduplicates can’t be seen`,
    );
    const every = card(Object.fromEntries(drillNames.map((drill) => [drill, row(drill, drill, "passed")])));
    expect(scoreText(every)).toBe(`${all} of ${all} passed, whether it deduplicates can’t be seen`);
  });

  it("says once that deduplication is unknown, unless responses show it", () => {
    const passed = (drill: DrillName, deduplicates?: boolean) => ({
      ...row(drill, drill, "passed"),
      ...(deduplicates === undefined ? {} : { deduplicates }),
    });
    const both = { duplicate: passed("duplicate"), same_moment: passed("same_moment") };
    expect(scoreText(card(both))).toBe(`2 of ${all} passed, ${all - 2} not run, whether it deduplicates can’t be seen`);
    const seen = { duplicate: passed("duplicate", true), same_moment: passed("same_moment", true) };
    expect(scoreText(card(seen))).toBe(`2 of ${all} passed, ${all - 2} not run`);
  });

  it("shows the required response on each line, or the result in the service's words", () => {
    expect(lineText(line("duplicate"))).toBe("Not run, must acknowledge with 200");
    expect(lineText(line("stale"))).toBe("Not run, must refuse: stale_timestamp");
    const failed = row("flipped_byte", "1", "failed");
    expect(lineText(line("flipped_byte", failed))).toBe(failed.sentence);
    expect(lineText({ ...line("stale", row("stale", "1", "passed")), proves: false })).toBe(
      "Inconclusive: it rejects valid notifications too.",
    );
    expect(correctResponse(drills.missing_signature.expects)).toBe("refuse: missing_signature");
  });

  it("ignores correct refusals of a receiver that refuses everything", () => {
    const results = (acknowledging: "passed" | "failed") => {
      const { items, ...rest } = card(
        Object.fromEntries(
          drillNames.map((drill) => [
            drill,
            row(drill, drill, drills[drill].expects.answer === "acknowledge" ? acknowledging : "passed"),
          ]),
        ),
      );
      return evaluateCard({ ...rest, items: [...items], subscription_id: "s", newest_delivery: null });
    };
    const rejectsValidToo = results("failed");
    expect(scoreText(rejectsValidToo)).toBe(`0 of ${all} passed, ${good} failed, ${all - good} inconclusive`);
    expect(rejectsValidToo.items.filter((item) => drillMark(item) === "passed")).toEqual([]);
    expect(scoreText(results("passed"))).toBe(`${all} of ${all} passed, whether it deduplicates can’t be seen`);
  });
});
