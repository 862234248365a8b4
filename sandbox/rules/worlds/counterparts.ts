import type { Static } from "typebox";
import * as Type from "typebox";
import { CounterpartRule } from "../../contract/control/counterpart-operations.ts";
import { Nullable } from "../../contract/schema.ts";
import { formatDuration } from "../timestamp.ts";

const RealTime = Type.Integer({ minimum: 0, maximum: 8.64e15 });

/** A rule with its progress: number of acts done, and why it was switched off. Times are real. */
export const StoredRule = Type.Object({
  id: Type.String(),
  ...CounterpartRule.properties,
  done: Type.Integer({ minimum: 0 }),
  off: Nullable(
    Type.Object({
      at: RealTime,
      sentence: Type.String(),
      trace_id: Nullable(Type.String()),
      /** True if all rules were turned off together. */
      with_all: Type.Optional(Type.Boolean()),
    }),
  ),
});
export type StoredRule = Readonly<Static<typeof StoredRule>>;

export const toCounterpartRule = ({ id: _id, done: _done, off: _off, ...rule }: StoredRule): CounterpartRule => rule;

/** The rules that aren't off, as they were set. */
export const actingRules = (rules: readonly StoredRule[]): CounterpartRule[] =>
  rules.filter(({ off }) => off === null).map(toCounterpartRule);

export const everyMs = ({ every_seconds = 300 }: StoredRule): number => every_seconds * 1_000;
export const afterMs = ({ after_seconds = 0 }: Pick<CounterpartRule, "after_seconds">): number => after_seconds * 1_000;
const maxActs = ({ up_to = 10 }: Pick<CounterpartRule, "up_to">): number => up_to;

/** The rule for a supplier's orders: the first active one; undefined if it has none. */
export const findSupplierRule = (rules: readonly StoredRule[], supplierId: string): StoredRule | undefined =>
  rules.find(({ organization_id, does, off }) => does !== "order" && organization_id === supplierId && off === null);

/** True if a buyer's rule has placed all its orders. */
export const isFinished = (rule: StoredRule): boolean => rule.does === "order" && rule.done >= maxActs(rule);

/** The buyers' ordering rules: the first active one of each organization, until it reaches its limit. */
export const findOrderingRules = (rules: readonly StoredRule[]): StoredRule[] => {
  const on = rules.filter(({ does, off }) => does === "order" && off === null);
  const first = on.filter((one) => on.find((other) => other.organization_id === one.organization_id) === one);
  return first.filter((one) => !isFinished(one));
};

/** Describes a rule. @param nameOf returns an organization's name */
export const describeRule = (rule: StoredRule, nameOf: (id: string) => string): string => {
  const who = nameOf(rule.organization_id);
  if (rule.does === "never") return `${who} never answers its orders.`;
  if (rule.does === "order") {
    const [from, every] = [nameOf(rule.supplier_id ?? ""), formatDuration(everyMs(rule))];
    if (maxActs(rule) === 1) return `${who} orders once from ${from}, after ${every}.`;
    return `${who} orders from ${from} every ${every}, up to ${maxActs(rule)} times.`;
  }
  const after = afterMs(rule) === 0 ? "at once" : `${formatDuration(afterMs(rule))} after they were placed`;
  return `${who} ${rule.does === "confirm" ? "confirms" : "cancels"} its orders ${after}.`;
};
