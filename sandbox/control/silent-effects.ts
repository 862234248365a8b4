import type { RequestDetail } from "../contract/control/rows.ts";
import { isObject } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { jobsInsert, partsInsert, tier1Prepare } from "../contract/operations/partner.ts";
import { describeUnclearResponse, type EarlierResponse, MAX_CALLS_SEARCHED } from "../operations/earlier-calls.ts";
import { tryParseJson } from "../rules/json/untyped.ts";
import { formatDuration } from "../rules/timestamp.ts";
import { supportedRegions } from "../rules/vehicles/vehicle-identifiers.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import type { ControlContext } from "./handler.ts";

// Effects of accepted calls that their responses don't show.

/** Pictures of one call looked up. */
const MAX_IMAGES_READ = 20;

/** Period in which a program that inserts the same parts again likely repeats the call. */
const REPEAT_WINDOW_MS = 10 * 60_000;

/** Parts without an identity are inserted again by a repeated call. */
export const explainRepeatedParts = (world: World, call: RequestDetail): string | null => {
  const { db } = world;
  if (call.operation !== partsInsert.id || !call.outcome.includes("inserted")) return null;
  type Earlier = EarlierResponse & { readonly at: number; readonly own_at: number };
  const earlier = db.get<Earlier>(
    `SELECT other.at, own.at AS own_at, other.status, other.faults FROM requests AS own JOIN requests AS other ON other.job_id = own.job_id
     WHERE own.id = ? AND other.seq BETWEEN own.seq - ${MAX_CALLS_SEARCHED} AND own.seq - 1 AND other.operation = own.operation
       AND other.integration_id = own.integration_id AND other.request_body = own.request_body
       AND (other.status = 200 OR instr(other.faults, '"after"') > 0) ORDER BY other.seq DESC LIMIT 1`,
    call.id,
  );
  const passed = earlier ? db.fromStored(earlier.own_at) - db.fromStored(earlier.at) : Number.POSITIVE_INFINITY;
  if (!earlier || passed > REPEAT_WINDOW_MS) return null;
  const response = describeUnclearResponse(world, earlier);
  const unclear = response === null ? "" : ` ${response}`;
  return `The same call ${formatDuration(passed)} earlier inserted these parts, so the job has them twice.${unclear} Give each part an \`identity\` with an \`external_id\`: a repeated call then updates it.`;
};

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** A replace clears the fields that the call leaves out. */
export const explainReplace = ({ stores }: World, call: RequestDetail, body: unknown): string | null => {
  if (call.operation !== jobsInsert.id || valueAt(body, "/if_/exists") !== "replace") return null;
  const change = stores.log.listByTrace(call.id).find(({ kind }) => kind === "state")?.data;
  const [before, after] = [valueAt(change, "/before"), valueAt(change, "/after")];
  if (!isObject(before) || !isObject(after)) return null;
  const cleared = Object.keys(before).filter((name) => !isEmpty(before[name]) && isEmpty(after[name]));
  return cleared.length === 0
    ? null
    : `The replace cleared ${cleared.map((name) => `\`${name}\``).join(", ")}. With \`exists: update\`, fields that a call leaves out keep their values.`;
};

/** Pictures of a job that nobody can read: never uploaded, or named by the address that takes them. */
export const explainImages = ({ stores }: World, { operation }: RequestDetail, body: unknown): string | null => {
  const images = operation === jobsInsert.id ? valueAt(body, "/images") : null;
  for (const [at, url] of Array.isArray(images) ? images.slice(0, MAX_IMAGES_READ).entries() : []) {
    const [, kind, id = ""] = /\/__(uploads|media)\/([0-9a-f-]{36})\b/i.exec(String(url)) ?? [];
    const upload = kind === undefined ? undefined : stores.uploads.get(id.toLowerCase());
    if (upload && kind === "uploads")
      return `\`/images/${at}\` is an \`upload_url\`, which only takes a picture. Send the \`public_url\` of the same response.`;
    if (upload && upload.uploaded_at === null)
      return `The picture of \`/images/${at}\` has not been uploaded. Send it to its \`upload_url\` with PUT.`;
  }
  return null;
};

/** Parts that get no offers, or none of the meant part. */
export const explainParts = ({ operation }: RequestDetail, body: unknown): string | null => {
  const parts = valueAt(body, "/parts");
  if (!Array.isArray(parts)) return null;
  if (operation === jobsInsert.id) return "`parts` was ignored. Send parts with `repairer.jobs.parts.insert`.";
  if (operation !== partsInsert.id) return null;
  if (parts.length === 0) return "The list `parts` is empty, so nothing was inserted.";
  const zero = parts.findIndex((one) => valueAt(one, "/quantity") === 0);
  if (zero >= 0) return `\`/parts/${zero}\` has the quantity 0, so no supplier offers it.`;
  const nameless = parts.findIndex((one) => isObject(one) && !one.identity && !one.description);
  return nameless < 0 ? null : `\`/parts/${nameless}\` has no \`description\`, so suppliers can’t tell what it is.`;
};

/** Other codes of the regions with a plate lookup. */
const regionAliases: Readonly<Record<string, (typeof supportedRegions)[number]>> = {
  ...{ GBR: "GB", UK: "GB", EN: "GB", AUS: "AU", NZL: "NZ" },
};

/** Names an identifier's correction; null if it doesn't follow from what was sent. */
const correctIdentifier = (input: unknown): string | null => {
  if (typeof input === "string")
    return `Send a text such as \`${input.slice(0, 40)}\` as \`chassis_number\` of an object.`;
  const region = String(valueAt(input, "/region")).trim().toUpperCase();
  const meant = regionAliases[region] ?? supportedRegions.find((one) => one === region);
  return meant && meant !== valueAt(input, "/region") ? `Send the region as \`${meant}\`.` : null;
};

/** Invalid identifiers are returned in a response that is 200 like any other. */
export const explainIdentifiers = ({ operation, response_body }: RequestDetail): string | null => {
  if (operation !== tier1Prepare.id || response_body.length > 64 * 1024) return null;
  const invalid = valueAt(tryParseJson(response_body), "/invalid_identifiers");
  if (!Array.isArray(invalid) || invalid.length === 0) return null;
  const count = invalid.length === 1 ? "One identifier was" : `${invalid.length} identifiers were`;
  const [{ input, reason }] = invalid as [{ readonly input: unknown; readonly reason: string }];
  return `${count} not queued: ${reason}. ${correctIdentifier(input) ?? "The response lists them."}`;
};

/** Period in which a program that subscribes and then inserts a job likely means the same world. */
const SUBSCRIBED_WITHIN_MS = 3_600_000;

/** Another world with a new subscription of the integration that inserts a job in a world without one. */
export const explainOtherSubscription = (
  { name, stores }: World,
  worlds: Pick<Worlds, "findOtherWorld">,
  { operation, at, integration_id: id }: RequestDetail,
  maySee: ControlContext["maySee"],
): string | null => {
  if (operation !== jobsInsert.id || id === null || stores.subscriptions.listByIntegration(id).length > 0) return null;
  const since = Date.parse(at) - SUBSCRIBED_WITHIN_MS;
  const isNew = ({ created_at }: { readonly created_at: number }): boolean => created_at >= since;
  const other = worlds.findOtherWorld(
    name,
    (one) => maySee(one.name) && one.stores.subscriptions.listByIntegration(id).some(isNew),
  );
  if (other === undefined) return null;
  const header = name === DEFAULT_WORLD ? "without `x-sandbox-tenant`" : `with \`x-sandbox-tenant: ${name}\``;
  return `This integration has no subscription in this world, but has one in world ${other}, which gets no event of this call. Subscribe ${header}.`;
};
