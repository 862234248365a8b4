import type { Drill, DrillExpected, Scorecard } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { drills, refusesAll, unseenBy } from "../../../../sandbox/contract/drills.ts";

/** A drill with whether a right answer to it proves anything, and whether it is under way. */
export type Line = Scorecard["items"][number] & {
  readonly expected: DrillExpected;
  readonly proves: boolean;
  readonly running: boolean;
};
export type Card = Omit<Scorecard, "items"> & { readonly items: readonly Line[] };
type Mark = "passed" | "failed" | "not_run" | "unproven";

export const markOf = ({ latest, proves }: Pick<Line, "latest" | "proves">): Mark =>
  latest?.verdict === "passed" && !proves ? "unproven" : (latest?.verdict ?? "not_run");

/** Who acknowledges nothing refuses the good with the bad: that such a receiver refuses is inconclusive. */
export const judged = (
  card: Scorecard,
  isRunning: (item: Scorecard["items"][number]) => boolean = () => false,
): Card => {
  const isBlunt = refusesAll(card.items.flatMap(({ latest }) => latest ?? []));
  const items = card.items.map((item) => ({
    ...item,
    expected: drills[item.drill].expects,
    proves: !isBlunt || drills[item.drill].expects.answer === "acknowledge",
    running: isRunning(item),
  }));
  return { ...card, items, passed: items.filter((item) => markOf(item) === "passed").length };
};

/** What of those that were passed nobody outside the receiver can see. */
const unseenOf = (items: Card["items"]): string[] =>
  items.flatMap((item) => (item.latest?.verdict === "passed" ? (unseenBy(item.drill) ?? []) : []));

/** "4 of 9 passed, 2 failed, 3 not run". */
export const scoreWords = ({ items, run, passed }: Pick<Card, "items" | "run" | "passed">): string => {
  const unproven = items.filter((item) => markOf(item) === "unproven").length;
  const failed = run - passed - unproven;
  const open = items.length - run;
  return [
    `${passed} of ${items.length} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unproven > 0 ? [`${unproven} inconclusive`] : []),
    ...(open > 0 ? [`${open} not run`] : []),
    ...unseenOf(items),
  ].join(", ");
};

export const mustWords = ({ answer, reason }: DrillExpected): string =>
  answer === "acknowledge" ? "acknowledge with 200" : `refuse: ${reason}`;

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
  { expected, latest, proves }: Pick<Line, "expected" | "latest" | "proves">,
  drill?: Pick<Drill, "exchanges">,
): string => {
  if (latest === null) return `not run, must ${mustWords(expected)}`;
  if (latest.verdict === "failed") {
    const wrong = drill?.exchanges.find(({ verdict }) => verdict === "failed");
    const must = expected.answer === "acknowledge" ? "acknowledge good ones" : `refuse: ${expected.reason}`;
    return `${wrong ? wrongWords(wrong) : "failed"}, must ${must}`;
  }
  if (!proves) return "inconclusive: it rejects valid ones too";
  if (expected.answer === "refuse") return "refused, as it must";
  const unseen = unseenBy(latest.drill);
  return unseen === null ? "acknowledged, as it must" : `acknowledged; ${unseen}`;
};

/** Why it says nothing that a drill was refused. */
export const UNPROVEN = "Inconclusive: it rejects valid notifications too.";

/** What the drills found, in lines for somebody who has no explorer; none where none was run. */
export const reportLines = (card: Card | null | undefined): string[] => {
  if (!card || card.run === 0) return [];
  return [
    `Drills on the receiver: ${scoreWords(card)}.`,
    ...card.items.flatMap((item) =>
      item.latest
        ? [`- ${drills[item.drill].title}: ${markOf(item) === "unproven" ? UNPROVEN : item.latest.sentence}`]
        : [],
    ),
  ];
};

/** The answers to a drill's requests in their order, as they are written: "200", "no answer". */
export const answersOf = ({ exchanges }: Pick<Drill, "exchanges">): string[] =>
  exchanges.map(({ response_status }) => (response_status === null ? "no answer" : String(response_status)));
