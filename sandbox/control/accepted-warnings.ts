import type { RequestDetail } from "../contract/control/rows.ts";
import { isObject } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import {
  basketsLatestGet,
  jobsInsert,
  partsList,
  procurementsPlace,
  repairerProcurementsList,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { receiverAddress } from "../contract/text.ts";
import { findInsert } from "../operations/existing-causes.ts";
import { describeEmptyValue, describeUndo, type FindOrigin, findLaterBeginning } from "../operations/refused-call.ts";
import { parseBody } from "../operations/validation.ts";
import { tryParseJson } from "../rules/json/untyped.ts";
import { formatDuration } from "../rules/timestamp.ts";
import { describeReceived, findOtherWorlds } from "../webhooks/receives.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import { explainAttempt } from "./attempt-explanation.ts";
import type { ControlContext } from "./handler.ts";
import {
  explainIdentifiers,
  explainImages,
  explainOtherSubscription,
  explainParts,
  explainRepeatedParts,
  explainReplace,
} from "./silent-effects.ts";

/** Largest body that is parsed again. Larger ones would block the event loop. */
const MAX_PARSED_BYTES = 64 * 1024;

/** Parsed body of a call; null if it is too large or no JSON object. */
export const parseRecordedBody = ({
  request_bytes,
  request_body_base64,
}: RequestDetail): { readonly value: unknown } | null => {
  const parsed = request_bytes > MAX_PARSED_BYTES ? null : parseBody(Buffer.from(request_body_base64, "base64"));
  return parsed && "value" in parsed ? parsed : null;
};

/** Facts beyond a call and its world. */
interface Surroundings extends Pick<ControlContext, "maySee"> {
  readonly findOrigin: FindOrigin;
}

/** Tells that an unknown ID is older than its world; an empty text for others. */
const describeLostId = (world: World, { at }: RequestDetail, id: string, findOrigin: FindOrigin): string => {
  const later = findLaterBeginning(world, id, findOrigin);
  const passed = later?.side.side ? Date.parse(at) - later.at : -1;
  if (!later || passed < 0) return "";
  const undo = later.how === "deleted" ? ` To get back what the world held, ${describeUndo(world.name)}.` : "";
  return ` The ID is from before the world was ${later.how}, ${formatDuration(passed)} before this call.${undo}`;
};

/** Reason why an accepted subscription receives nothing; null if it does, or for other calls. */
const explainNothingSent = async (
  world: World,
  worlds: Worlds,
  call: RequestDetail,
  body: unknown,
  { maySee, findOrigin }: Surroundings,
): Promise<string | null> => {
  if (call.operation !== "webhooks.subscribe") return null;
  const id = valueAt(body, "/integration_id");
  if (typeof id !== "string") return null;
  const integration_id = id.toLowerCase();
  const others = await findOtherWorlds(worlds, world, [integration_id], maySee);
  const { events, sentence } = describeReceived(world, { integration_id }, others);
  if (events.length > 0) return null;
  const isNowhere = others.size === 0 && !world.stores.credentials.findByIntegration(integration_id);
  return isNowhere ? `${sentence}${describeLostId(world, call, integration_id, findOrigin)}` : sentence;
};

const parseResponse = ({ response_body_base64 }: RequestDetail): unknown =>
  tryParseJson(Buffer.from(response_body_base64, "base64").toString("utf8"));

/** Lists that may be empty, with the reason. */
const EMPTY_LISTS: Readonly<Record<string, string>> = {
  [partsList.id]: "The list is empty: the job had no parts in this world at that time.",
  [repairerProcurementsList.id]: "The list is empty: nothing was ordered for the job in this world at that time.",
};

const explainEmptyList = (call: RequestDetail): string | null => {
  const reason = EMPTY_LISTS[call.operation ?? ""];
  const items = reason === undefined ? null : valueAt(parseResponse(call), "/items");
  return reason !== undefined && Array.isArray(items) && items.length === 0 ? reason : null;
};

/** Note on an update of a job that didn't exist. */
export const noteInsertInstead = (world: World, call: RequestDetail, body: unknown): string[] =>
  call.operation === jobsInsert.id &&
  call.job_id !== null &&
  isObject(valueAt(body, "/if_")) &&
  findInsert(world, call.job_id)?.id === call.id
    ? ["No job had this `identity`, so the call inserted a new one. `if_` applies only to a job that exists."]
    : [];

/** Explains an insert without a usable external ID. */
const explainNamelessJob = ({ operation }: RequestDetail, body: unknown): string | null => {
  const external = operation === jobsInsert.id && valueAt(body, "/identity/external");
  const problem = typeof external === "string" ? describeEmptyValue("external", external) : null;
  return problem && `${problem} The next insert with the same value names the same job.`;
};

/** Deliveries of one call considered. */
const MAX_DELIVERIES = 20;
/** Explains why a notification of a call isn't acknowledged, by its last attempt; null if all are, or wait. */
const explainAttempts = ({ stores: { outbox } }: World, { trace_id, integration_id }: RequestDetail): string | null => {
  const own = outbox.listByTrace(trace_id).filter((one) => one.integration_id === integration_id);
  for (const delivery of own.slice(0, MAX_DELIVERIES)) {
    const last = delivery.status === "delivered" ? undefined : outbox.attempts(delivery.seq).at(-1);
    const explanation = last && explainAttempt({ ...last, verification: [] }, null);
    if (explanation)
      return `The notification to ${receiverAddress(delivery.url)} is not acknowledged. ${explanation.sentence} ${explanation.what_to_do}`;
  }
  return null;
};

/** Reason why the events of an accepted call weren't sent to its own integration; null if they were, or had none. */
export const explainSilence = (
  world: World,
  worlds: Worlds,
  call: RequestDetail,
  maySee: ControlContext["maySee"],
): string | null => {
  const { db } = world;
  if (call.operation === "procurements.cancel") return "A cancellation sends no notification.";
  if (call.events === 0 || call.integration_id === null) return null;
  const sent = db.get<{ readonly waits: 0 | 1 }>(
    `SELECT deliveries.status = 'pending' AND paused_at IS NOT NULL AS waits FROM events
     JOIN deliveries ON event_seq = events.seq JOIN subscriptions ON subscriptions.seq = subscription_seq
     WHERE trace_id = ? AND integration_id = ? ORDER BY waits LIMIT 1`,
    ...[call.trace_id, call.integration_id],
  );
  if (sent) return sent.waits ? "The subscription is paused, so the notification waits." : explainAttempts(world, call);
  const none = call.test_values?.find(({ known, value }) => known && value === "webhook=none");
  if (none)
    return "No notification was sent: the job’s claim number has the test value `webhook=none`. Give the job another claim number.";
  const other = explainOtherSubscription(world, worlds, call, maySee);
  if (other !== null) return other;
  return "No notification was sent to this integration: it had no subscription to this event in this world at that time.";
};

/** D43: reason for an empty basket; null for other responses. */
const explainEmptyBasket = ({ stores }: World, call: RequestDetail): string | null => {
  if (call.operation !== basketsLatestGet.id || call.status !== 200 || call.job_id === null) return null;
  const offers = valueAt(parseResponse(call), "/offers");
  if (!Array.isArray(offers) || offers.length > 0) return null;
  const limit = call.test_values?.find(({ known, value }) => known && value.startsWith("offers="));
  if (limit)
    return `The basket is empty: the job’s claim number has the test value \`${limit.value}\`. Give the job another claim number.`;
  const parts = stores.parts.listByJob(call.job_id);
  return parts.length > 0 && parts.every(({ quantity }) => quantity === 0)
    ? "The basket is empty: every part has quantity 0. Suppliers offer only parts that are wanted. Call `repairer.jobs.parts.insert` with their quantities."
    : "The basket is empty: the job had no parts at that time. Suppliers offer as soon as it has some. Call `repairer.jobs.parts.insert` first.";
};

/** A confirmation of a confirmed order changes nothing. */
const explainRepeatedConfirm = ({ operation, events }: RequestDetail): string | null =>
  operation === supplierProcurementsConfirm.id && events === 0
    ? "The order was already confirmed, so nothing changed and no event was sent."
    : null;

/** Orders of one call considered. */
const MAX_ORDERS = 20;
/** Each place orders again, whether or not its parts are in another order. */
const explainRepeatedOrder = ({ db }: World, call: RequestDetail): string | null => {
  if (call.operation !== procurementsPlace.id) return null;
  const items = valueAt(parseResponse(call), "/items");
  for (const item of Array.isArray(items) ? items.slice(0, MAX_ORDERS) : []) {
    const earlier = db.get<{ readonly reference: string }>(
      `SELECT coalesce(earlier.reference, earlier.id) AS reference FROM procurement_parts AS own
       JOIN procurements AS placed ON placed.id = own.procurement_id
       JOIN procurement_parts AS other ON other.job_part_id = own.job_part_id
       JOIN procurements AS earlier ON earlier.id = other.procurement_id
       WHERE own.procurement_id = ? AND earlier.seq < placed.seq AND earlier.status <> 'cancelled' LIMIT 1`,
      String(valueAt(item, "/id")),
    );
    if (earlier)
      return `A part was already in order ${earlier.reference}, and is now ordered twice. After a lost response, call \`repairer.procurements.list\` before you place an order again.`;
  }
  return null;
};

/** Jobs of a site searched for the same repair. */
const MAX_JOBS_SEARCHED = 200;
/** Period in which a program that inserts the same repair again likely means the same job. */
const REPEAT_WINDOW_MS = 10 * 60_000;

/** An insert of the same repair under another identity makes a second job. */
const explainRepeatedJob = (world: World, call: RequestDetail): string | null => {
  if (call.operation !== jobsInsert.id || call.job_id === null) return null;
  const own = findInsert(world, call.job_id);
  if (own?.id !== call.id) return null;
  type Twin = { readonly id: string; readonly label: string; readonly same_claim: 0 | 1 | null };
  const twin = world.db.get<Twin>(
    `SELECT other.id, coalesce(other.external_id, other.job_number, other.id) AS label, other.claim_number = own.claim_number AS same_claim
     FROM jobs AS own JOIN jobs AS other ON other.seq BETWEEN own.seq - ${MAX_JOBS_SEARCHED} AND own.seq - 1
     WHERE own.id = ? AND other.repairer_site_id = own.repairer_site_id
       AND ((other.claim_number = own.claim_number AND other.claim_number NOT LIKE 'test:%')
         OR other.chassis_number = own.chassis_number OR other.plate_number = own.plate_number)
     ORDER BY other.seq DESC LIMIT 1`,
    call.job_id,
  );
  const earlier = twin && findInsert(world, twin.id);
  const passed = earlier ? world.db.fromStored(own.at) - world.db.fromStored(earlier.at) : Number.POSITIVE_INFINITY;
  if (!twin || earlier?.integration_id !== own.integration_id || passed > REPEAT_WINDOW_MS) return null;
  return (
    `This may be a duplicate: the same program inserted job ${twin.label} ${formatDuration(passed)} earlier, with the same ` +
    `${twin.same_claim === 1 ? "claim number" : "vehicle"} and another identity. To repeat an insert, send the same \`identity\` with \`if_\`.`
  );
};

/** Explains an accepted call whose effect may surprise; null for others. */
export const findWarning = async (
  world: World,
  worlds: Worlds,
  call: RequestDetail,
  body: unknown,
  surroundings: Surroundings,
): Promise<string | null> => {
  const found = [
    explainEmptyBasket(world, call),
    explainEmptyList(call),
    explainNamelessJob(call, body),
    explainRepeatedConfirm(call),
    explainRepeatedOrder(world, call),
    explainRepeatedJob(world, call),
    explainRepeatedParts(world, call),
    explainReplace(world, call, body),
    explainParts(call, body),
    explainImages(world, call, body),
    explainIdentifiers(call),
    await explainNothingSent(world, worlds, call, body, surroundings),
  ].filter((one) => one !== null);
  return found.length === 0 ? null : found.join(" ");
};
