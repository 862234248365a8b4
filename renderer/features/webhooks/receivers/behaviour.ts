import type { Receiver, ReceiverBehaviour } from "../../../../sandbox/contract/control/receiver-operations.ts";
import { formatCount } from "../../../lib/formatting.ts";

const MAX_FIRST = 1_000_000;

export const behaviourSentence = ({ answer, status, first, verify }: ReceiverBehaviour): string => {
  const then = verify ? "accepts valid notifications" : "accepts everything without verifying";
  if (answer === "accept") return `${then.charAt(0).toUpperCase()}${then.slice(1)}.`;
  const held = first === null ? "all" : first === 1 ? "the first" : `the first ${formatCount(first)}`;
  const notifications = `${held} ${first === 1 ? "notification" : "notifications"}`;
  const does = answer === "status" ? `Returns ${status} for ${notifications}` : `Doesn’t respond to ${notifications}`;
  return first === null ? `${does}.` : `${does}, then ${then}.`;
};

/** Progress of a receiver's deliberate failures: "1 of 2 so far"; null without any. */
export const progressText = ({ behaviour, counted }: Pick<Receiver, "behaviour" | "counted">): string | null => {
  const { answer, first } = behaviour;
  if (answer === "accept") return null;
  if (first === null) return `${formatCount(counted)} so far`;
  return counted >= first
    ? `${formatCount(first)} of ${formatCount(first)} done, it accepts now`
    : `${formatCount(counted)} of ${formatCount(first)} so far`;
};

/** A behaviour being edited: the status may be missing. */
export type BehaviourForm = Readonly<Omit<ReceiverBehaviour, "status">> & { readonly status: number | null };

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

/** Problems of a form as sentences; irrelevant fields are not checked. */
export const behaviourProblems = ({ answer, status, first }: BehaviourForm) => ({
  status:
    answer === "status" && !isWhole(status ?? 0, 201, 599)
      ? "Enter a status from 201 to 599. 200 would acknowledge."
      : null,
  first:
    answer !== "accept" && first !== null && !isWhole(first, 1, MAX_FIRST)
      ? `Enter a whole number from 1 to ${formatCount(MAX_FIRST)}, or leave empty.`
      : null,
});

/** Converts a form to a behaviour; null while it is invalid. */
export const toBehaviour = (form: BehaviourForm): ReceiverBehaviour | null => {
  const problems = behaviourProblems(form);
  if (problems.status !== null || problems.first !== null) return null;
  const { status, first } = form;
  return { ...form, status: status ?? 503, first: form.answer === "accept" ? null : first };
};
