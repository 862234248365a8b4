import type { Counterpart, CounterpartRule, DueAct, EndedAct } from "../contract/control/counterpart-operations.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import { setRules } from "../counterparts/set-rules.ts";
import { procurementLabel } from "../operations/views.ts";
import { iso } from "../rules/timestamp.ts";
import { describeRule, isFinished, type StoredRule } from "../rules/worlds/counterparts.ts";
import type { ActRecord, EndedAct as EndedRecord } from "../storage/acts-store.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control, refuseUnknown } from "./handler.ts";

/** Pending and finished acts shown. */
const MAX_SHOWN = 100;

const findName = ({ stores }: World, id: string): string =>
  stores.directory.organization(id)?.name ?? "an organization that was deleted";

const ruleRow = (world: World, rule: StoredRule): Counterpart => ({
  ...rule,
  organization_name: findName(world, rule.organization_id),
  finished: isFinished(rule),
  off: rule.off && { with_all: false, ...rule.off, at: iso(rule.off.at) },
  sentence: describeRule(rule, (id) => findName(world, id)),
});

const listRules = (world: World): Counterpart[] =>
  world.stores.settings.get("counterparts").map((rule) => ruleRow(world, rule));

const actRow = (world: World, act: ActRecord): DueAct => {
  const { seq, kind, due_at, organization_id, job_id, procurement_id, rule_id, test_value } = act;
  const order = procurement_id === null ? undefined : world.stores.procurements.get(procurement_id);
  return {
    ...{ id: String(seq), does: kind, due_at: iso(due_at), job_id, procurement_id, rule_id, test_value },
    organization: { id: organization_id, name: findName(world, organization_id) },
    label: order ? procurementLabel(order) : null,
  };
};

const endedRow = (world: World, act: EndedRecord): EndedAct => {
  const { kind, ended_at, outcome, sentence, trace_id } = act;
  const placed = kind === "order" && trace_id !== null ? world.stores.requests.findByTrace(trace_id) : undefined;
  const order = placed ? { procurement_id: placed.procurement_id, label: placed.label } : {};
  return { ...actRow(world, act), ...order, ended_at: iso(ended_at), outcome, sentence, trace_id };
};

/** Fields that don't apply to each kind of rule. */
const inapplicableFields: Readonly<Record<CounterpartRule["does"], readonly (keyof CounterpartRule)[]>> = {
  confirm: ["supplier_id", "every_seconds", "up_to"],
  cancel: ["supplier_id", "every_seconds", "up_to"],
  never: ["after_seconds", "supplier_id", "every_seconds", "up_to"],
  order: ["after_seconds"],
};

/** Reason why a rule is invalid in this world; null if it is valid. @param at pointer to the rule in the body */
const findRuleProblem = ({ stores }: World, rule: CounterpartRule, at: string): Refusal | null => {
  const { organization_id, does, supplier_id } = rule;
  const scopeOf = (id: string) => stores.directory.organization(id.toLowerCase())?.scope;
  const wanted = does === "order" ? "repairer" : "supplier";
  const scope = scopeOf(organization_id);
  const unknownOrganization = "isn’t an organization of this world. organizations.list has the current ones";
  if (scope === undefined)
    return refuse("bad_request", `${at}/organization_id ${organization_id} ${unknownOrganization}`);
  if (scope !== wanted)
    return refuse("bad_request", `${at}/organization_id ${organization_id} must be a ${wanted} for ${does}`);
  const other = inapplicableFields[does].find((name) => rule[name] !== undefined);
  if (other) return refuse("bad_request", `${at}/${other} doesn’t go with ${does}`);
  if (does !== "order") return null;
  if (supplier_id === undefined) return refuse("bad_request", `${at}/supplier_id is required for order`);
  if (scopeOf(supplier_id) === undefined)
    return refuse("bad_request", `${at}/supplier_id ${supplier_id} ${unknownOrganization}`);
  return scopeOf(supplier_id) === "supplier"
    ? null
    : refuse("bad_request", `${at}/supplier_id ${supplier_id} must be a supplier`);
};

export const counterpartControls: readonly BoundControl[] = [
  control("counterparts.list", ({ world }) => ({ items: listRules(world) })),
  control("counterparts.set", async ({ world }, { rules, on }) => {
    for (const [index, rule] of rules.entries()) {
      const problem = findRuleProblem(world, rule, `/rules/${index}`);
      if (problem) return problem;
    }
    await setRules(
      world,
      rules.map(({ organization_id, supplier_id, ...rule }) => ({
        organization_id: organization_id.toLowerCase(),
        ...rule,
        ...(supplier_id === undefined ? {} : { supplier_id: supplier_id.toLowerCase() }),
      })),
      on,
    );
    return { items: listRules(world) };
  }),
  control("counterparts.clear", async ({ world }) => {
    const cleared = world.stores.settings.get("counterparts").length;
    if (cleared > 0) await setRules(world, []);
    return { cleared };
  }),
  control("counterparts.due", ({ world }) => {
    const { acts } = world.stores;
    return {
      rules: listRules(world),
      items: acts.upcoming(MAX_SHOWN).map((act) => actRow(world, act)),
      total: acts.count(),
      ended: acts.ended(MAX_SHOWN).map((act) => endedRow(world, act)),
    };
  }),
  control("counterparts.now", async ({ world, acting }, { id, procurement_id }) => {
    const { acts } = world.stores;
    if ((id === undefined) === (procurement_id === undefined))
      return refuse("bad_request", "either /id or /procurement_id is required");
    const act =
      procurement_id === undefined
        ? acts.findPending(/^\d{1,15}$/.test(id ?? "") ? Number(id) : 0)
        : acts.findNextForOrder(procurement_id.toLowerCase());
    // The act may have run meanwhile.
    const over = act ? undefined : acts.findResult(procurement_id?.toLowerCase() ?? Number(id));
    if (over) return over;
    if (!act)
      return refuseUnknown(
        id === undefined ? "procurement_id" : "id",
        id ?? procurement_id ?? "",
        "act",
        "counterparts.due",
      );
    await acting.runNow(world, act);
    return acts.findResult(act.seq) ?? refuse("not_found", "it was removed meanwhile");
  }),
];
