import { Refusal } from "../contract/errors.ts";
import { ObsoleteCall, type Result } from "../operations/execute.ts";
import type { BoundHandler } from "../operations/handler.ts";
import { latestBasket } from "../operations/latest-basket.ts";
import { insertJob } from "../operations/repairer.jobs.insert.ts";
import { insertParts } from "../operations/repairer.jobs.parts.insert.ts";
import { placeProcurements } from "../operations/repairer.procurements.place.ts";
import { findOrderingRules, type StoredRule } from "../rules/worlds/counterparts.ts";
import type { ActOutcome, ActRecord } from "../storage/acts-store.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import { type CallServices, makeCall } from "./made-call.ts";
import { countDone, orderNext, turnOff } from "./set-rules.ts";

/** Parts for every kind of supplier, so each nearly always has one. */
const PARTS = [
  ...["Front bumper cover", "Bonnet", "Headlamp, left, LED", "Alternator", "Radiator", "Brake pad set, front"],
  ...["Windscreen", "Clip set"],
];

/** Current rule of an ordering act. */
const findRule = ({ stores }: World, { rule_id }: ActRecord): StoredRule | undefined =>
  stores.settings.get("counterparts").find(({ id }) => id === rule_id);

/** Next call of an order, or why there is none. */
const nextCall = (
  world: World,
  act: ActRecord,
  rule: StoredRule,
): { readonly bound: BoundHandler; readonly input: unknown } | { readonly none: string } => {
  const { stores, policies } = world;
  if (act.step === 0) {
    const site = stores.directory.listBusinesses(act.organization_id).find(({ type }) => type === "repairer_site");
    if (!site) return { none: "The buyer has no site to repair at." };
    return {
      bound: insertJob,
      input: { identity: { external: `counterpart:${newId().slice(-12)}` }, repairer_site_id: site.id },
    };
  }
  const job = act.job_id === null ? undefined : stores.jobs.get(act.job_id);
  if (!job) return { none: "The job was deleted." };
  const job_identity = { id: job.id };
  if (act.step === 1)
    return { bound: insertParts, input: { job_identity, parts: PARTS.map((description) => ({ description })) } };
  const { offers, suppliers } = latestBasket({ stores, policies, note: () => undefined }, job);
  const own = suppliers.filter(({ organization_id }) => organization_id === rule.supplier_id);
  const offered = offers.filter((one) => own.some(({ business_id }) => business_id === one.supplier_business_id));
  if (offered.length === 0) return { none: "The supplier offered nothing for the job." };
  return {
    bound: placeProcurements,
    input: { job_identity, sellable_ids: offered.map(({ sellable_id }) => sellable_id) },
  };
};

/** Ends a placed or failed order and schedules the next one. Call inside a write. */
const endOrder = (
  world: World,
  act: ActRecord,
  outcome: ActOutcome,
  sentence: string,
  traceId: string | null,
): void => {
  const { stores } = world;
  stores.acts.end(act.seq, realTime(), outcome, sentence, traceId);
  const rule = act.rule_id === null ? undefined : countDone(stores, act.rule_id);
  if (!rule) return;
  if (outcome === "refused") turnOff(stores, rule.id, sentence, traceId);
  else if (findOrderingRules([rule]).length > 0) orderNext(stores, rule, act.due_at);
};

/** Handles the result of a call. Call inside a write. */
const handleResult = (world: World, act: ActRecord, { value, details }: Result, traceId: string | null): void => {
  const { stores } = world;
  if (value instanceof ObsoleteCall) return;
  if (value instanceof Refusal) endOrder(world, act, "refused", details.outcome, traceId);
  else if (act.step < 2) stores.acts.advance(act.seq, act.step + 1, details.job_id);
  else endOrder(world, act, "done", "Placed.", traceId);
};

/**
 * Inserts a job with parts and orders the supplier's offers: three calls. Each advances the act in its own transaction,
 * so none is repeated.
 */
export const placeOrder = async (world: World, dueAct: ActRecord, services: CallServices): Promise<void> => {
  const { acts } = world.stores;
  for (let act: ActRecord | undefined = dueAct; act; act = acts.findPending(dueAct.seq)) {
    const { seq, step, organization_id } = act;
    const current = act;
    const rule = findRule(world, act);
    const next = rule ? nextCall(world, act, rule) : { none: "Its rule was removed." };
    const isOver = (): string | null => (acts.findPending(seq)?.step === step ? null : "It is done already.");
    if ("none" in next) {
      const outcome = step === 2 && rule ? "skipped" : "refused";
      await world.write(() => {
        if (isOver() === null) endOrder(world, current, outcome, next.none, null);
      });
      return;
    }
    const call = { ...next, organizationId: organization_id, scope: "repairer" as const, isOver, noted: [] };
    await makeCall(world, { ...call, ended: (result, trace) => handleResult(world, current, result, trace) }, services);
    if (acts.findPending(seq)?.step === step) throw new Error(`the act ${seq} made no progress`);
  }
};
