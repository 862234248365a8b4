import type { Static } from "typebox";
import * as Type from "typebox";
import { CounterpartRule } from "../../contract/control/counterpart-operations.ts";
import { Nullable } from "../../contract/schema.ts";

const RealTime = Type.Integer({ minimum: 0, maximum: 8.64e15 });

/** A rule as a world keeps it: how many of its acts are done, and why it counts no more. Times are real. */
export const KeptRule = Type.Object({
  id: Type.String(),
  ...CounterpartRule.properties,
  done: Type.Integer({ minimum: 0 }),
  off: Nullable(Type.Object({ at: RealTime, sentence: Type.String(), trace_id: Nullable(Type.String()) })),
});
export type KeptRule = Readonly<Static<typeof KeptRule>>;

export const everyMs = ({ every_seconds = 300 }: KeptRule): number => every_seconds * 1_000;
export const afterMs = ({ after_seconds = 0 }: Pick<CounterpartRule, "after_seconds">): number => after_seconds * 1_000;
export const upTo = ({ up_to = 10 }: Pick<CounterpartRule, "up_to">): number => up_to;

/** The rule that counts for the orders a supplier receives: the first of its that is on; undefined: it does nothing by itself. */
export const answeringRule = (rules: readonly KeptRule[], supplierId: string): KeptRule | undefined =>
  rules.find(({ organization_id, does, off }) => does !== "order" && organization_id === supplierId && off === null);

/** The rules by which buyers order: of each organization the first that is on, as long as there is more to order. */
export const orderingRules = (rules: readonly KeptRule[]): KeptRule[] => {
  const on = rules.filter(({ does, off }) => does === "order" && off === null);
  const first = on.filter((one) => on.find((other) => other.organization_id === one.organization_id) === one);
  return first.filter((one) => one.done < upTo(one));
};

/** `30 s`, `2 min`, `3 d`: the largest unit that is whole. */
const span = (seconds: number): string => {
  const [size, unit] = (
    [
      [86_400, "d"],
      [3_600, "h"],
      [60, "min"],
    ] as const
  ).find(([size]) => seconds > 0 && seconds % size === 0) ?? [1, "s"];
  return `${seconds / size} ${unit}`;
};

/** What a rule does, as a sentence. @param nameOf of an organization */
export const sentenceOfRule = (rule: KeptRule, nameOf: (id: string) => string): string => {
  const who = nameOf(rule.organization_id);
  if (rule.does === "never") return `${who} never answers its orders.`;
  if (rule.does === "order")
    return `${who} orders from ${nameOf(rule.supplier_id ?? "")} every ${span(everyMs(rule) / 1_000)}, up to ${upTo(rule)} times.`;
  const after = afterMs(rule) === 0 ? "at once" : `${span(afterMs(rule) / 1_000)} after they were placed`;
  return `${who} ${rule.does === "confirm" ? "confirms" : "cancels"} its orders ${after}.`;
};
