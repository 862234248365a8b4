import { isDeepStrictEqual } from "node:util";
import type { CounterpartRule } from "../contract/control/counterpart-operations.ts";
import {
  actingRules,
  afterMs,
  everyMs,
  findOrderingRules,
  findSupplierRule,
  type StoredRule,
  toCounterpartRule,
} from "../rules/worlds/counterparts.ts";
import type { ActRecord, WaitingResponse } from "../storage/acts-store.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import type { Stores } from "../storage/stores.ts";
import type { World } from "../worlds/world.ts";

type RuleStores = Pick<Stores, "settings" | "acts">;

const change = ({ settings }: RuleStores, id: string, changed: (rule: StoredRule) => StoredRule): void =>
  settings.set(
    "counterparts",
    settings.get("counterparts").map((rule) => (rule.id === id ? changed(rule) : rule)),
  );

/**
 * Schedules a buyer's next order. Call inside a write. @param after due time of the previous one, by the world's clock
 */
export const orderNext = ({ acts }: RuleStores, rule: StoredRule, after: number): void =>
  acts.insert({
    kind: "order",
    due_at: after + everyMs(rule),
    organization_id: rule.organization_id,
    rule_id: rule.id,
  });

/** Counts a rule's act. Call inside a write. @returns the updated rule; undefined if it was deleted */
export const countDone = (stores: RuleStores, id: string): StoredRule | undefined => {
  change(stores, id, (rule) => ({ ...rule, done: rule.done + 1 }));
  return stores.settings.get("counterparts").find((rule) => rule.id === id);
};

/** Switches a rule off after a refused call, and deletes its pending acts. Call inside a write. */
export const turnOff = (stores: RuleStores, id: string, sentence: string, trace_id: string | null): void => {
  change(stores, id, (rule) => ({ ...rule, off: { at: realTime(), sentence, trace_id } }));
  stores.acts.dropRule(id);
};

/** Ends an act that can't run, and switches its rule off. Call inside a write. */
export const endFailed = (stores: RuleStores, { seq, rule_id }: ActRecord, sentence: string): void => {
  stores.acts.end(seq, realTime(), "refused", sentence, null);
  if (rule_id !== null) turnOff(stores, rule_id, sentence, null);
};

/** Effective rules: one for each supplier's orders, and one for each ordering buyer. */
const listEffective = (rules: readonly StoredRule[]): StoredRule[] => {
  const organizations = [...new Set(rules.map(({ organization_id }) => organization_id))];
  return [...organizations.flatMap((id) => findSupplierRule(rules, id) ?? []), ...findOrderingRules(rules)];
};

/** Responses to orders that already wait when a supplier's rule takes effect. */
const listWaitingResponses = (rules: readonly StoredRule[]): WaitingResponse[] =>
  rules.flatMap(({ id, does, organization_id, ...rule }) =>
    does === "confirm" || does === "cancel" ? [{ rule_id: id, kind: does, organization_id, after: afterMs(rule) }] : [],
  );

/**
 * Rules to store, all on or all off. An unchanged rule keeps its progress. One that a refusal turned off stays off,
 * unless the same rules are set again.
 */
const mergeRules = (
  requested: readonly CounterpartRule[],
  before: readonly StoredRule[],
  on: boolean,
): StoredRule[] => {
  const areSame = isDeepStrictEqual(before.map(toCounterpartRule), requested);
  const areSetAgain = on && areSame && !before.some(({ off }) => off?.with_all);
  const left = before.filter(({ off }) => !areSetAgain || off === null);
  const allOff = { at: realTime(), sentence: "All counterparts were turned off.", trace_id: null, with_all: true };
  return requested.map((rule) => {
    const at = left.findIndex((one) => isDeepStrictEqual(toCounterpartRule(one), rule));
    const [same] = at === -1 ? [] : left.splice(at, 1);
    const { id, done, off } = same ?? { id: newId(), done: 0, off: null };
    return { id, ...rule, done, off: off && !off.with_all ? off : on ? null : allOff };
  });
};

/** Replaces the rules of a world. Deletes pending acts of rules that no longer apply, and starts new ones. */
export const setRules = (world: World, requested: readonly CounterpartRule[], on = true): Promise<void> =>
  world.write((append) => {
    const { settings, acts } = world.stores;
    const before = settings.get("counterparts");
    const rules = mergeRules(requested, before, on);
    settings.set("counterparts", rules);
    const effectiveBefore = new Set(listEffective(before).map(({ id }) => id));
    const effective = listEffective(rules);
    acts.keepRules(effective.map(({ id }) => id));
    const started = effective.filter(({ id }) => !effectiveBefore.has(id));
    const now = world.now();
    acts.respondToWaiting(listWaitingResponses(started), now);
    for (const rule of started) if (rule.does === "order") orderNext(world.stores, rule, now);
    // Rules that are off have no effect, so a recording repeats their absence.
    append("world", null, { what: "counterparts", before: actingRules(before), after: actingRules(rules) });
  });
