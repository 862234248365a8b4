import type { Counterpart, CounterpartRule } from "../../../../sandbox/contract/control/counterpart-operations.ts";

/** A rule without its organization. */
export type Behaviour = Omit<CounterpartRule, "organization_id">;

/** A choice for an organization: a rule with its label; null: a person acts for it. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly behaviour: Behaviour | null;
}

const manual = (label: string): Choice => ({ value: "manual", label, behaviour: null });
const choiceOf = (label: string, behaviour: Behaviour): Choice => ({
  value: behaviourChoice(behaviour),
  label,
  behaviour,
});

/** Encodes a behaviour as the value of a choice. */
export const behaviourChoice = ({ does, after_seconds, supplier_id, every_seconds, up_to }: Behaviour): string =>
  [does, after_seconds, supplier_id, every_seconds, up_to].filter((part) => part !== undefined).join(" ");

/** Behaviours of a supplier. */
export const supplierChoices: readonly Choice[] = [
  manual("Manual"),
  choiceOf("Confirms at once", { does: "confirm", after_seconds: 0 }),
  choiceOf("Confirms after 30 s", { does: "confirm", after_seconds: 30 }),
  choiceOf("Confirms after 5 min", { does: "confirm", after_seconds: 300 }),
  choiceOf("Cancels after 2 min", { does: "cancel", after_seconds: 120 }),
  choiceOf("Never answers", { does: "never" }),
];

/** Behaviours of a buyer. @param suppliers the suppliers to order from */
export const buyerChoices = (suppliers: readonly { readonly id: string; readonly name: string }[]): Choice[] => [
  manual("Manual"),
  ...suppliers.map(({ id, name }) =>
    choiceOf(`Orders from ${name} every 5 min`, { does: "order", supplier_id: id, every_seconds: 300, up_to: 10 }),
  ),
];

/** Adds the current rule to the choices if it is none of them. */
export const choicesWith = (choices: readonly Choice[], rule: Counterpart | undefined): readonly Choice[] => {
  if (!rule || choices.some(({ value }) => value === behaviourChoice(rule))) return choices;
  return [...choices, { value: behaviourChoice(rule), label: rule.sentence, behaviour: ruleBehaviour(rule) }];
};

const ruleBehaviour = ({
  id: _id,
  organization_id: _organization,
  organization_name: _name,
  done: _done,
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
