import { correctBehaviour } from "../../../../sandbox/contract/control/correct-behaviour.ts";
import type { Receiver, ReceiverBehaviour } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { formatCount } from "../../../lib/formatting.ts";

const LEAST_STATUS = 201;
const GREATEST_STATUS = 599;
const MOST_FIRST = 1_000_000;

const accepting = ({ verify, deduplicate }: Pick<ReceiverBehaviour, "verify" | "deduplicate">): string => {
  if (verify && deduplicate) return "verifies, deduplicates and acknowledges";
  if (verify) return "verifies and acknowledges, processes repeats again";
  if (deduplicate) return "acknowledges everything and deduplicates";
  return "acknowledges everything";
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const behaviourSentence = (behaviour: ReceiverBehaviour): string => {
  const { answer, status, first } = behaviour;
  const then = accepting(behaviour);
  if (answer === "accept") return `${capital(then)}.`;
  const all = first === null;
  const held = all ? "everything" : first === 1 ? "the first notification" : `the first ${formatCount(first)}`;
  const does = answer === "status" ? `Answers ${status} to ${held}` : `Leaves ${held} without an answer`;
  return all ? `${does}.` : `${does}, then ${then}.`;
};

/** The same in a few words, for a row. */
export const behaviourWords = ({ answer, status, first, verify, deduplicate }: ReceiverBehaviour): string => {
  const times = first === null ? "always" : `first ${formatCount(first)}`;
  return [
    answer === "accept" ? "accepts" : answer === "status" ? `${status}, ${times}` : `no answer, ${times}`,
    ...(verify ? [] : ["doesn’t verify"]),
    ...(deduplicate ? [] : ["doesn’t deduplicate"]),
  ].join("; ");
};

/** How far a receiver has come with what it holds back: "1 of the first 2 so far"; null when it holds nothing back. */
export const progressWords = ({ behaviour, counted }: Pick<Receiver, "behaviour" | "counted">): string | null => {
  const { answer, first } = behaviour;
  if (answer === "accept") return null;
  if (first === null) return `${formatCount(counted)} so far`;
  return counted >= first
    ? `${formatCount(first)} of ${formatCount(first)} done, it accepts now`
    : `${formatCount(counted)} of ${formatCount(first)} so far`;
};

/** What receivers are mostly asked for. */
export const presets = {
  correct: { name: "A correct receiver", behaviour: correctBehaviour },
  down: { name: "Down for two attempts", behaviour: { ...correctBehaviour, answer: "status", status: 503, first: 2 } },
  broken: { name: "Always fails", behaviour: { ...correctBehaviour, answer: "status", status: 500, first: null } },
  slow: { name: "Times out once", behaviour: { ...correctBehaviour, answer: "time_out", first: 1 } },
  trusting: { name: "Doesn’t verify signatures", behaviour: { ...correctBehaviour, verify: false } },
  forgetful: { name: "Doesn’t deduplicate", behaviour: { ...correctBehaviour, deduplicate: false } },
} as const satisfies Record<string, { name: string; behaviour: ReceiverBehaviour }>;
type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as readonly PresetName[];

/** What does not apply to an answer makes no difference to what a receiver does. */
const same = (a: ReceiverBehaviour, b: ReceiverBehaviour): boolean =>
  a.answer === b.answer &&
  a.verify === b.verify &&
  a.deduplicate === b.deduplicate &&
  (a.answer === "accept" || a.first === b.first) &&
  (a.answer !== "status" || a.status === b.status);

export const presetOf = (behaviour: ReceiverBehaviour): PresetName | null =>
  presetNames.find((name) => same(presets[name].behaviour, behaviour)) ?? null;

/** A behaviour while it is written: numbers may be missing. */
export interface BehaviourForm extends Readonly<Omit<ReceiverBehaviour, "status">> {
  readonly status: number | null;
  /** Whether it applies to all notifications, not to the `first` alone. */
  readonly always: boolean;
}

export const formOf = ({ first, ...behaviour }: ReceiverBehaviour): BehaviourForm => ({
  ...behaviour,
  always: first === null,
  first: first ?? 2,
});

const whole = (value: number | null, least: number, most: number): boolean =>
  value !== null && Number.isInteger(value) && value >= least && value <= most;

/** What is wrong with a form, as sentences; what does not apply is not judged. */
export const problemsOf = ({ answer, status, always, first }: BehaviourForm) => ({
  status:
    answer === "status" && !whole(status, LEAST_STATUS, GREATEST_STATUS)
      ? `A status from ${LEAST_STATUS} to ${GREATEST_STATUS}: 200 would acknowledge.`
      : null,
  first:
    answer !== "accept" && !always && !whole(first, 1, MOST_FIRST)
      ? `A whole number from 1 to ${formatCount(MOST_FIRST)}.`
      : null,
});

/** The behaviour a form stands for; null while something is wrong with it. */
export const behaviourOf = ({ always, ...form }: BehaviourForm): ReceiverBehaviour | null => {
  const problems = problemsOf({ always, ...form });
  if (problems.status !== null || problems.first !== null) return null;
  const usable = whole(form.status, LEAST_STATUS, GREATEST_STATUS) ? form.status : null;
  return {
    ...form,
    status: usable ?? correctBehaviour.status,
    first: form.answer === "accept" || always ? null : form.first,
  };
};
