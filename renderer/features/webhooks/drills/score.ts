import type { Drill, DrillExpected, Scorecard } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { type DrillName, drillNames } from "../../../../sandbox/contract/drills.ts";

export type Line = Scorecard["items"][number];
export type Mark = "passed" | "failed" | "not_run";

export const markOf = ({ latest }: Pick<Line, "latest">): Mark => latest?.verdict ?? "not_run";

/** Which result each drill had at a moment: a run is done with a drill once it has another one. */
export type ResultIds = Readonly<Record<DrillName, string | null>>;

export const resultIdsOf = (card: Pick<Scorecard, "items"> | undefined): ResultIds => {
  const ids = new Map(card?.items.map(({ drill, latest }) => [drill, latest?.id ?? null]));
  return Object.fromEntries(drillNames.map((drill) => [drill, ids.get(drill) ?? null])) as Record<
    DrillName,
    string | null
  >;
};

/** The drills that got a result since. */
export const doneSince = (card: Pick<Scorecard, "items"> | undefined, before: ResultIds): ReadonlySet<DrillName> => {
  const now = resultIdsOf(card);
  return new Set(drillNames.filter((drill) => now[drill] !== null && now[drill] !== before[drill]));
};

/** "4 of 9 passed, 2 failed, 3 not run". */
export const scoreWords = ({ items, run, passed }: Pick<Scorecard, "items" | "run" | "passed">): string => {
  const failed = run - passed;
  const open = items.length - run;
  return [
    `${passed} of ${items.length} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(open > 0 ? [`${open} not run`] : []),
  ].join(", ");
};

/** What a correct consumer answers, in a few words. */
export const mustWords = ({ answer, status, reason }: DrillExpected): string =>
  answer === "acknowledge" ? "acknowledge with 200" : `refuse: ${status} ${reason ?? ""}`.trimEnd();

/** What an answer that is not right comes to, in a few words. */
const wrongWords = ({ response_status: status, error }: Drill["exchanges"][number]): string => {
  if (status === null) return "no answer";
  if (status === 200) return error === null ? "accepted it" : "its 200 broke off";
  return status >= 500 ? "failed over it" : `answered ${status}`;
};

/**
 * How a drill stands on its line of a scorecard.
 *
 * @param drill its result with the answers, once it is read
 */
export const lineWords = (
  { expected, latest }: Pick<Line, "expected" | "latest">,
  drill?: Pick<Drill, "exchanges">,
): string => {
  if (latest === null) return `not run, must ${mustWords(expected)}`;
  if (latest.verdict === "failed") {
    const wrong = drill?.exchanges.find(({ verdict }) => verdict === "failed");
    const must = expected.answer === "acknowledge" ? "acknowledge with 200" : `refuse: ${expected.reason}`;
    return `${wrong ? wrongWords(wrong) : "failed"}, must ${must}`;
  }
  return expected.answer === "acknowledge" ? "acknowledged, as it must" : `refused, as it must: ${expected.reason}`;
};

/** The answers to a drill's requests in their order, as they are written: "200", "no answer". */
export const answersOf = ({ exchanges }: Pick<Drill, "exchanges">): string[] =>
  exchanges.map(({ response_status }) => (response_status === null ? "no answer" : String(response_status)));
