import { sideLabels } from "../contract/control/rows.ts";
import type { RefusalReason } from "../contract/errors.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { enumerate } from "../contract/text.ts";
import type { World } from "../worlds/world.ts";
import { EARLIER_CALL, type EarlierCall, MADE_CHANGE, tellEarlier } from "./earlier-calls.ts";
import { MAX_ORDERS_SEARCHED } from "./job-causes.ts";
import { findKind } from "./likely-mistakes.ts";
import { findDeletion, refineEarlier, refineIdElsewhere } from "./missing-records.ts";
import { advise, findOrganizationName, means, possessive, type RefusedCall, refine } from "./refused-call.ts";

type NamedOrder = { readonly id: string; readonly reference: string };
const findOrderWith = ({ db }: World, id: string, organization: string): NamedOrder | undefined =>
  db.get<NamedOrder>(
    `SELECT id, coalesce(reference, id) AS reference FROM (SELECT * FROM procurements ORDER BY seq DESC LIMIT ${MAX_ORDERS_SEARCHED})
     WHERE ? IN (buyer_organization_id, supplier_organization_id) AND instr(document, ?)`,
    organization,
    id.toLowerCase(),
  );

/** Orders of a job that an organization takes part in. */
const listOrders = ({ stores }: World, job: string, organization: string): readonly NamedOrder[] =>
  stores.procurements
    .listByJob(job.toLowerCase())
    .filter((one) => [one.buyer_organization_id, one.supplier_organization_id].includes(organization))
    .map(({ id, reference }) => ({ id, reference: reference ?? id }));

/** Orders named in a sentence. */
const MAX_ORDERS_NAMED = 4;
/** Explains the ID of a job in place of its order's. */
const refineJobOfOrders = (why: RefusalReason, orders: readonly NamedOrder[]): RefusalReason => {
  const [only, another] = orders;
  const fact = "The ID is the ID of a job, not of an order.";
  if (only && !another)
    return means(why, `${fact} Its order is ${only.reference}.`, [[why.pointers[0] ?? "", only.id]]);
  const named = orders.slice(0, MAX_ORDERS_NAMED).map(({ id, reference }) => `\`${id}\` (${reference})`);
  const all = orders.length > MAX_ORDERS_NAMED ? "Some of its orders" : "Its orders";
  return { ...why, fact, remedy: `Send the ID of one of its orders. ${all}: ${enumerate(named)}.` };
};

/** Deletion of the job of an order that calls named before. */
const findDeletionOfOrder = (world: World, order: string): EarlierCall | undefined => {
  const known = world.db.get<{ readonly job_id: string }>(
    "SELECT job_id FROM requests WHERE procurement_id = ? AND job_id IS NOT NULL LIMIT 1",
    order,
  );
  return known && findDeletion(world, known.job_id);
};

export const refineProcurement = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const { world, input, caller, findOrigin } = call;
  const id = valueAt(input, why.pointers[0] ?? "");
  if (typeof id !== "string") return why;
  const found = world.stores.procurements.get(id);
  if (found && caller) {
    const [buyer, supplier] = [found.buyer_organization_id, found.supplier_organization_id].map((one) =>
      findOrganizationName(world, one),
    );
    const isSide = [found.buyer_organization_id, found.supplier_organization_id].includes(caller.organization_id);
    const own = findOrganizationName(world, caller.organization_id);
    const fact = isSide
      ? `The order is between ${buyer} (buyer) and ${supplier} (supplier); this key is ${possessive(own)}, of the other side.`
      : `The order is between ${buyer} and ${supplier}; this key is ${possessive(own)}.`;
    // A key of the other side would be refused with 403.
    const owner = caller.scope === "supplier" ? supplier : buyer;
    const organization = caller.scope === "supplier" ? found.supplier_organization_id : found.buyer_organization_id;
    const hasKey = world.stores.credentials.findByOrganization(organization, caller.scope) !== undefined;
    const key = hasKey
      ? `Send the key of ${owner}.`
      : `This world has no key of ${owner}: install for it first, or use an order of ${own}.`;
    const todo = isSide ? null : `${key} Orders of other organizations return 404.`;
    return advise(refine(why, "procurement_of_another", fact), todo);
  }
  const ofOtherKind = { ...why, cause: "id_of_other_kind" } as const;
  const ordered = caller && listOrders(world, id, caller.organization_id);
  if (ordered?.length) return refineJobOfOrders(ofOtherKind, ordered);
  const kind = findKind(world, id);
  if (kind && kind.is !== "key")
    return {
      ...ofOtherKind,
      fact: `The ID is ${kind.words}, not of an order.`,
      remedy:
        caller?.scope === "supplier"
          ? "Send the ID of an order. The `supplier.procurements` notifications carry it."
          : "Send the ID of an order. `repairer.procurements.list` lists the orders of a job.",
    };
  const deletion = findDeletionOfOrder(world, id.toLowerCase());
  if (deletion)
    return advise(
      tellEarlier(
        { ...why, cause: "job_deleted" },
        call,
        deletion,
        "{who} deleted the order’s job, and the order with it, {passed} before this call",
      ),
      "Stop using the order: it was cancelled before. Insert the job again and place another order if it is still needed.",
    );
  const order = caller && findOrderWith(world, id, caller.organization_id);
  if (order)
    return means(ofOtherKind, `The ID is of an item of order ${order.reference}, not of the order itself.`, [
      [why.pointers[0] ?? "", order.id],
    ]);
  return refineIdElsewhere(
    refineEarlier(why, "procurement_from_before", world, id, findOrigin),
    "This order",
    id,
    call,
    (other) => other.stores.procurements.get(id) !== undefined,
  );
};

/** Explains a confirmation or cancellation by the sandbox itself (D92, D93). */
const refineAct = (
  why: RefusalReason,
  sentence: string,
  { test_value }: { readonly test_value: string | null },
): RefusalReason => {
  const reason = test_value
    ? `The test value \`${test_value}\` in the job’s claim number asks for that.`
    : "A rule of this world asks for that.";
  return {
    ...why,
    fact: `${sentence}. ${reason}`,
    remedy: test_value
      ? "Give the job another claim number before you place its orders, or read the order first."
      : "Change the rule of the supplier in this world, or read the order first.",
    side: "sandbox",
  };
};

const REJECTS_REPEATED =
  "This world’s setting `confirm_when_confirmed` is `reject`: with `ok`, the call would return the order.";

/** Tells who confirmed or cancelled an order before, and when. */
export const refineMoved =
  (operation: "supplier.procurements.confirm" | "procurements.cancel", sentence: string) =>
  (why: RefusalReason, call: RefusedCall): RefusalReason => {
    const { world, input } = call;
    const moved = world.db.get<EarlierCall>(
      `SELECT ${EARLIER_CALL} FROM requests WHERE procurement_id = ? AND operation = ? AND ${MADE_CHANGE} ORDER BY seq LIMIT 1`,
      String(valueAt(input, "/identity/id")).toLowerCase(),
      operation,
    );
    if (!moved?.side) return why;
    const act = world.db.get<{ readonly test_value: string | null }>(
      "SELECT test_value FROM acts WHERE trace_id = ?",
      moved.id,
    );
    if (act)
      return refineAct(
        { ...why, earlier: moved.id },
        sentence.replace("{who}", `the sandbox, as the ${sideLabels[moved.side]},`),
        act,
      );
    const told = tellEarlier(why, call, moved, `${sentence}, {passed} before this call`);
    return why.cause === "confirmed_already" ? { ...told, fact: `${told.fact} ${REJECTS_REPEATED}` } : told;
  };
