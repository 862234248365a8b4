import type { Counterpart, CounterpartRule } from "../../../../sandbox/contract/control/counterpart-operations.ts";
import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import { formatSpan } from "../../../lib/formatting.ts";

/** A rule without its organization. */
export type Behaviour = Omit<CounterpartRule, "organization_id">;

/** A choice for an organization: a rule with its label; null: a person acts for it. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly behaviour: Behaviour | null;
}

/** A buyer's choice names the supplier, so they are few words here: "Cancels after 20 s". */
const describe = ({ does, after_seconds = 0, every_seconds = 300 }: Behaviour, supplier: string): string => {
  if (does === "never") return "Never answers";
  if (does === "order") return `Orders from ${supplier} every ${formatSpan(every_seconds * 1000)}`;
  const after = after_seconds === 0 ? "at once" : `after ${formatSpan(after_seconds * 1000)}`;
  return `${does === "confirm" ? "Confirms" : "Cancels"} ${after}`;
};

const manual: Choice = { value: "manual", label: "Manual", behaviour: null };
const choiceOf = (behaviour: Behaviour, supplier = ""): Choice => ({
  value: behaviourChoice(behaviour),
  label: describe(behaviour, supplier),
  behaviour,
});

/** Encodes a behaviour as the value of a choice. */
export const behaviourChoice = ({ does, after_seconds, supplier_id, every_seconds, up_to }: Behaviour): string =>
  [does, after_seconds, supplier_id, every_seconds, up_to].filter((part) => part !== undefined).join(" ");

/** Behaviours of a supplier. */
export const supplierChoices: readonly Choice[] = [
  manual,
  choiceOf({ does: "confirm", after_seconds: 0 }),
  choiceOf({ does: "confirm", after_seconds: 30 }),
  choiceOf({ does: "confirm", after_seconds: 300 }),
  choiceOf({ does: "cancel", after_seconds: 120 }),
  choiceOf({ does: "never" }),
];

/** Behaviours of a buyer. @param suppliers the suppliers to order from */
export const buyerChoices = (suppliers: readonly { readonly id: string; readonly name: string }[]): Choice[] => [
  manual,
  ...suppliers.map(({ id, name }) => choiceOf({ does: "order", supplier_id: id, every_seconds: 300, up_to: 10 }, name)),
];

/** The time of a behaviour in seconds: a supplier's delay, or a buyer's interval. */
export const timeOf = ({ does, after_seconds = 0, every_seconds = 300 }: Behaviour): number =>
  does === "order" ? every_seconds : after_seconds;

export const withTime = (behaviour: Behaviour, seconds: number): Behaviour => ({
  ...behaviour,
  [behaviour.does === "order" ? "every_seconds" : "after_seconds"]: seconds,
});

/** Choices that ask for a time, beginning with the current one. */
export const timedChoices = (scope: Side | null, rule: Counterpart | undefined): Choice[] => {
  const own = rule && ruleBehaviour(rule);
  const timed = (label: string, behaviour: Behaviour): Choice => ({ value: `${behaviour.does} …`, label, behaviour });
  if (scope === "repairer") return own?.does === "order" ? [timed("Orders from the same supplier every …", own)] : [];
  return (["confirm", "cancel"] as const).map((does) =>
    timed(
      does === "confirm" ? "Confirms after …" : "Cancels after …",
      own?.does === does ? own : { does, after_seconds: 60 },
    ),
  );
};

/** Adds the current rule to the choices if it is none of them. @param supplier the name of the one it orders from */
export const choicesWith = (
  choices: readonly Choice[],
  rule: Counterpart | undefined,
  supplier = "",
): readonly Choice[] => {
  if (!rule || choices.some(({ value }) => value === behaviourChoice(rule))) return choices;
  return [...choices, choiceOf(ruleBehaviour(rule), supplier)];
};

const ruleBehaviour = ({
  id: _id,
  organization_id: _organization,
  organization_name: _name,
  done: _done,
  finished: _finished,
  off: _off,
  sentence: _sentence,
  ...rule
}: Counterpart): Behaviour => rule;

/** Replaces an organization's rule and keeps the order; a new rule is last. */
export const rulesWith = (
  rules: readonly Counterpart[],
  organization_id: string,
  behaviour: Behaviour | null,
): CounterpartRule[] => {
  const own = behaviour === null ? [] : [{ organization_id, ...behaviour }];
  const others = rules.filter((rule) => rule.organization_id !== organization_id);
  return [...others.map((rule) => ({ organization_id: rule.organization_id, ...ruleBehaviour(rule) })), ...own];
};
