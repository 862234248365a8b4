import type { DrillExpected, Scorecard } from "../../../../sandbox/contract/control/receiver-operations.ts";
import { drills, rejectsValidToo, unverifiablePart } from "../../../../sandbox/contract/drills.ts";

/** A drill, and whether a correct response to it proves anything. */
export type DrillLine = Scorecard["items"][number] & { readonly proves: boolean };
export type DrillCard = Omit<Scorecard, "items"> & { readonly items: readonly DrillLine[] };
type Mark = "passed" | "failed" | "not_run" | "unproven";

export const drillMark = ({ latest, proves }: DrillLine): Mark =>
  latest?.verdict === "passed" && !proves ? "unproven" : (latest?.verdict ?? "not_run");

/** Marks refusals as inconclusive for a receiver that acknowledges nothing. */
export const evaluateCard = (card: Scorecard): DrillCard => {
  const isBlunt = rejectsValidToo(card.items.flatMap(({ latest }) => latest ?? []));
  const items = card.items.map((item) => ({
    ...item,
    proves: !isBlunt || drills[item.drill].expects.answer === "acknowledge",
  }));
  return { ...card, items, passed: items.filter((item) => drillMark(item) === "passed").length };
};

/** "4 of 9 passed, 2 failed, 3 not run", and the parts of passed drills that nobody outside can verify. */
export const scoreText = ({ items, run, passed }: Pick<DrillCard, "items" | "run" | "passed">): string => {
  const unproven = items.filter((item) => drillMark(item) === "unproven").length;
  const failed = run - passed - unproven;
  const notRun = items.length - run;
  return [
    `${passed} of ${items.length} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unproven > 0 ? [`${unproven} inconclusive`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    ...new Set(items.flatMap(({ latest }) => (latest && unverifiablePart(latest)) ?? [])),
  ].join(", ");
};

export const correctResponse = ({ answer, reason }: DrillExpected): string =>
  answer === "acknowledge" ? "acknowledge with 200" : `refuse: ${reason}`;

/** A drill's line: the service's result, or the correct response. */
export const lineText = (line: DrillLine): string => {
  if (line.latest === null) return `Not run, must ${correctResponse(drills[line.drill].expects)}`;
  return drillMark(line) === "unproven" ? "Inconclusive: it rejects valid notifications too." : line.latest.sentence;
};
