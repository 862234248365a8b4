import { isDeepStrictEqual } from "node:util";
import type { CounterpartRule } from "../contract/control/counterpart-operations.ts";
import {
  afterMs,
  everyMs,
  findOrderingRules,
  findSupplierRule,
  type StoredRule,
} from "../rules/worlds/counterparts.ts";
import type { ActRecord, WaitingAnswer } from "../storage/acts-store.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import type { Stores } from "../storage/stores.ts";
import type { World } from "../worlds/world.ts";

type Kept = Pick<Stores, "settings" | "acts">;

const change = ({ settings }: Kept, id: string, changed: (rule: StoredRule) => StoredRule): void =>
  settings.set(
    "counterparts",
    settings.get("counterparts").map((rule) => (rule.id === id ? changed(rule) : rule)),
  );

/** Has a buyer place its next order. Call inside a write. @param after when the one before was due, by the world's clock */
export const orderNext = ({ acts }: Kept, rule: StoredRule, after: number): void =>
  acts.insert({
    kind: "order",
    due_at: after + everyMs(rule),
    organization_id: rule.organization_id,
    rule_id: rule.id,
  });

/** Counts an act that a rule asked for. Call inside a write. @returns the rule as it is now; undefined: it is there no more */
export const countDone = (stores: Kept, id: string): StoredRule | undefined => {
  change(stores, id, (rule) => ({ ...rule, done: rule.done + 1 }));
  return stores.settings.get("counterparts").find((rule) => rule.id === id);
};

/** Turns a rule off because a call of it was refused, with what it still asked for. Call inside a write. */
export const turnOff = (stores: Kept, id: string, sentence: string, trace_id: string | null): void => {
  change(stores, id, (rule) => ({ ...rule, off: { at: realTime(), sentence, trace_id } }));
  stores.acts.dropRule(id);
};

/** Ends an act that can't be done, and turns off the rule that asked for it. Call inside a write. */
export const giveUp = (stores: Kept, { seq, rule_id }: ActRecord, sentence: string): void => {
  stores.acts.end(seq, realTime(), "refused", sentence, null);
  if (rule_id !== null) turnOff(stores, rule_id, sentence, null);
};

/** The rules that count: of each supplier one that answers, of each buyer one that orders. */
const counting = (rules: readonly StoredRule[]): StoredRule[] => {
  const organizations = [...new Set(rules.map(({ organization_id }) => organization_id))];
  return [...organizations.flatMap((id) => findSupplierRule(rules, id) ?? []), ...findOrderingRules(rules)];
};

/** How a supplier answers the orders that wait when its rule comes to count. */
const answersOf = (rules: readonly StoredRule[]): WaitingAnswer[] =>
  rules.flatMap(({ id, does, organization_id, ...rule }) =>
    does === "confirm" || does === "cancel" ? [{ rule_id: id, kind: does, organization_id, after: afterMs(rule) }] : [],
  );

const asAsked = ({ id: _id, done: _done, off: _off, ...rule }: StoredRule): CounterpartRule => rule;

/** Each rule as it is kept: one that was there and is on goes on as it was. */
const keptOf = (asked: readonly CounterpartRule[], before: readonly StoredRule[]): StoredRule[] => {
  const left = before.filter(({ off }) => off === null);
  return asked.map((rule) => {
    const at = left.findIndex((one) => isDeepStrictEqual(asAsked(one), rule));
    const [same] = at === -1 ? [] : left.splice(at, 1);
    return same ?? { id: newId(), ...rule, done: 0, off: null };
  });
};

/** Replaces the rules of a world. What rules asked for that count no more is not done; what came to count begins now. */
export const setRules = (world: World, asked: readonly CounterpartRule[]): Promise<void> =>
  world.write((append) => {
    const { settings, acts } = world.stores;
    const before = settings.get("counterparts");
    const rules = keptOf(asked, before);
    settings.set("counterparts", rules);
    const counted = new Set(counting(before).map(({ id }) => id));
    const counts = counting(rules);
    acts.keepRules(counts.map(({ id }) => id));
    const begun = counts.filter(({ id }) => !counted.has(id));
    const now = world.now();
    acts.answerWaiting(answersOf(begun), now);
    for (const rule of begun) if (rule.does === "order") orderNext(world.stores, rule, now);
    append("world", null, { what: "counterparts", before: before.map(asAsked), after: [...asked] });
  });
