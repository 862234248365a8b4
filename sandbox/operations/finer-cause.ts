import * as Type from "typebox";
import { type Cause, causes } from "../contract/causes.ts";
import { sideLabels } from "../contract/control/rows.ts";
import type { Refusal, RefusalReason } from "../contract/errors.ts";
import { findUnknown } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { isUuid } from "../contract/schema.ts";
import type { JobRecord } from "../rules/records.ts";
import { formatDuration } from "../rules/timestamp.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import type { CredentialHeaders } from "./authenticate.ts";
import { findDecisiveMove } from "./clock-moves.ts";
import type { Caller } from "./handler.ts";
import { describeSimilar, describeSpelling, findKind, isPlaceholder, takeFindings } from "./likely-mistakes.ts";

/** Name of another open world that satisfies a condition; undefined if none does. */
export type FindOtherWorld = (is: (world: World) => boolean) => string | undefined;

/** A refused call with the data needed to find its cause. */
export interface RefusedCall {
  readonly world: World;
  /** World that the call names. If it doesn't exist, {@link world} is the seed. */
  readonly named: string;
  readonly credentials: CredentialHeaders;
  /** Parsed body; undefined if it wasn't parsed. */
  readonly input: unknown;
  readonly caller: Caller | null;
  /** Absent if there are no other worlds. */
  readonly findOtherWorld?: FindOtherWorld | undefined;
}

const refine = (why: RefusalReason, cause: Cause, fact?: string | null): RefusalReason => ({
  ...why,
  cause,
  ...(fact ? { fact } : {}),
});

/** `Meridian Parts’`, `Acme’s`. */
const possessive = (name: string): string => `${name}’${name.endsWith("s") ? "" : "s"}`;
const findOrganizationName = ({ stores }: World, id: string): string =>
  stores.directory.organization(id)?.name ?? "another organization";

// --- Credentials

const BEARER = /^Bearer(?:[ \t]+|$)/i;
const OPENING = "\"'`“”‘’<[{(";
const CLOSING = "\"'`“”‘’>]})";
const isQuoted = (value: string): boolean =>
  value.length > 1 && OPENING.includes(value.charAt(0)) && CLOSING.includes(value.charAt(value.length - 1));

/** Node decodes headers as Latin-1; restores UTF-8. */
const decodeHeader = (header: string): string => Buffer.from(header, "latin1").toString("utf8");

const explainHeaders = (authorization: string, id: string): readonly [Cause, string?] | null => {
  const key = decodeHeader(authorization).replace(BEARER, "").trim();
  if (key === "") return ["key_missing"];
  if (BEARER.test(`${key} `)) return /^Bearer$/i.test(key) ? ["key_missing"] : ["bearer_twice"];
  for (const [value, name] of [
    [key, "key"],
    [decodeHeader(id), "integration ID"],
  ] as const) {
    if (isPlaceholder(value)) return ["key_placeholder", `The ${name} is a placeholder: a variable was not filled in.`];
    if (isQuoted(value))
      return ["key_quoted", `The ${name} is in ${/["'`“”‘’]/u.test(value) ? "quotes" : "brackets"}.`];
  }
  return null;
};

const SCHEMES = /^(basic|digest|token|apikey|api-key|key)$/i;

/** Explains a header without the word Bearer. */
const refineScheme = (why: RefusalReason, { stores }: World, authorization: string): RefusalReason => {
  if (/^Bearer\W/i.test(authorization))
    return refine(why, "no_bearer", `\`Bearer\` is followed by \`${authorization.charAt(6)}\`, not by a space.`);
  if (/^Bearer/i.test(authorization)) return refine(why, "no_bearer", "No space comes between `Bearer` and the key.");
  const [scheme = ""] = authorization.split(" ", 1);
  if (stores.credentials.findByKey(authorization.trim()))
    return refine(why, "no_bearer", "The `Authorization` header holds the key without the word `Bearer`.");
  const fact = `The \`Authorization\` header starts with \`${scheme}\`, not with \`Bearer\`.`;
  return refine(why, "no_bearer", SCHEMES.test(scheme) ? fact : null);
};

/** Describes a malformed integration ID. @param known ID of the same installation */
const describeIdMistake = (given: string, known: string | undefined): string | null => {
  if (given.includes(",")) return "The `Service-Integration-ID` header was sent twice.";
  if (/^[0-9a-f]{32}$/i.test(given)) return "The integration ID is written without its hyphens.";
  if (/^urn:uuid:/i.test(given)) return "The integration ID begins with `urn:uuid:`.";
  const nearly = known && describeSimilar(given.toLowerCase(), [known]);
  return nearly ? `The integration ID is ${nearly}.` : null;
};

const refineCredentials = (why: RefusalReason, { world, credentials }: RefusedCall): RefusalReason => {
  const { authorization, integrationId } = credentials;
  const isGiven = [authorization, integrationId].map((header) => header !== undefined && header.trim() !== "");
  if (authorization !== undefined && isGiven[0] && !BEARER.test(authorization))
    return refineScheme(why, world, authorization);
  if (authorization === undefined || integrationId === undefined || !isGiven[1]) {
    const missing = ["`Authorization`", "`Service-Integration-ID`"].filter((_, at) => !isGiven[at]);
    return refine(
      why,
      "no_credentials",
      missing.length === 2
        ? `The ${missing.join(" and the ")} headers are missing.`
        : `The ${missing[0]} header is missing.`,
    );
  }
  const given = integrationId.trim();
  const headerProblem = explainHeaders(authorization, given);
  if (headerProblem) return refine(why, ...headerProblem);
  const key = decodeHeader(authorization).replace(BEARER, "").trim();
  const { stores } = world;
  const [keyIs, idIs] = [findKind(world, key), findKind(world, given)];
  if (isUuid(key) && idIs?.is === "key") return refine(why, "key_and_id_swapped");
  if (keyIs && keyIs.is !== "key")
    return refine(why, "key_of_other_kind", `The \`Authorization\` header holds ${keyIs.words}, not an API key.`);
  if (idIs && idIs.is !== "integration")
    return refine(
      why,
      "key_of_other_kind",
      `The \`Service-Integration-ID\` header holds ${idIs.words}, not an integration ID.`,
    );
  const ofKey = stores.credentials.findByKey(key);
  if (!isUuid(given)) return refine(why, "id_malformed", describeIdMistake(given, ofKey?.integration_id));
  const ofId = stores.credentials.findByIntegration(given.toLowerCase());
  const named = (id: string): string => possessive(findOrganizationName(world, id));
  if (ofId && ofKey?.integration_id === ofId.integration_id)
    return refine(
      why,
      "key_nearly",
      "The key is right but for a character around it that isn’t shown, such as a byte order mark.",
    );
  if (ofId && ofKey) {
    const fact =
      ofId.organization_id === ofKey.organization_id
        ? `The key and the integration ID are of two installations of ${findOrganizationName(world, ofId.organization_id)} (${sideLabels[ofKey.scope]} and ${sideLabels[ofId.scope]}).`
        : `The key is ${named(ofKey.organization_id)}; the integration ID is ${named(ofId.organization_id)}.`;
    return refine(why, "keys_differ", fact);
  }
  const nearly = ofId && describeSimilar(key, [ofId.api_key]);
  if (nearly) return refine(why, "key_nearly", `The key is ${nearly}.`);
  if (ofId)
    return refine(
      why,
      "credentials",
      `The integration ID is ${named(ofId.organization_id)}, but the key is not its key in this world.`,
    );
  if (ofKey) {
    const wrong = describeSimilar(given.toLowerCase(), [ofKey.integration_id]);
    const fact = wrong ? `The integration ID is ${wrong}.` : "but no integration has this ID in this world.";
    return refine(why, "credentials", wrong ? fact : `The key is ${named(ofKey.organization_id)}, ${fact}`);
  }
  const age = findAgeIfOlder(world, given);
  return age === null
    ? why
    : refine(
        why,
        "credentials",
        `The integration ID is from before the world was created or reset, ${age} before this call. Install again for a new key and ID.`,
      );
};

// --- Jobs and orders

type Identity = { readonly id?: unknown; readonly external?: unknown };

const findJob = ({ stores }: World, { id, external }: Identity): JobRecord | undefined => {
  if (typeof id === "string") return stores.jobs.get(id.toLowerCase());
  if (typeof external !== "string") return undefined;
  return stores.directory
    .organizations()
    .map(({ id: organization }) => stores.jobs.find({ external }, organization))
    .find((job) => job !== undefined);
};

/** Checks whether a job of the caller's organization has this number. */
const hasJobNumber = ({ stores }: World, { organization_id }: Caller, number: string): boolean =>
  stores.directory.listBusinesses(organization_id).some((site) => stores.jobs.byNumber(site.id, number) !== undefined);

const describeTenant = (named: string): string =>
  named === "default" ? "The call named no world, so it went to default." : `This call names ${named}.`;

const refineOtherWorld = (why: RefusalReason, what: string, named: string, name: string | undefined): RefusalReason =>
  name === undefined
    ? why
    : { ...why, elsewhere: { world: name, fact: `${what} is in world ${name}. ${describeTenant(named)}` } };

const refineJob = (why: RefusalReason, { world, named, input, caller, findOtherWorld }: RefusedCall): RefusalReason => {
  const [pointer = ""] = why.pointers;
  const identity = (valueAt(input, pointer) ?? {}) as Identity;
  const { stores } = world;
  const found = findJob(world, identity);
  if (found && caller && found.organization_id !== caller.organization_id) {
    const [owner, own] = [found.organization_id, caller.organization_id].map((id) => findOrganizationName(world, id));
    return refine(why, "job_of_another", `The job belongs to ${owner}; this key is ${possessive(own ?? "")}.`);
  }
  const { id, external } = identity;
  const emptyValueProblem = typeof external === "string" ? describeEmptyValue("external", external) : null;
  if (emptyValueProblem) return refine(why, "job_unknown", emptyValueProblem);
  if (typeof id === "string") {
    const kind = findKind(world, id);
    if (kind && kind.is !== "key") return refine(why, "id_of_other_kind", `The ID is ${kind.words}, not of a job.`);
    const deletion = world.db.get<{ at: number }>(
      "SELECT at FROM requests WHERE job_id = ? AND operation = 'repairer.jobs.delete' AND status = 200 ORDER BY seq DESC LIMIT 1",
      id.toLowerCase(),
    );
    if (deletion) return refine(why, "job_deleted", describeDeletion(world, deletion.at));
  }
  if (typeof external === "string" && caller) {
    const other = isUuid(external) ? stores.jobs.get(external.toLowerCase()) : undefined;
    if (other) return refine(why, "id_as_external", "`external` holds the job’s ID, which belongs in `id`.");
    if (hasJobNumber(world, caller, external))
      return refine(
        why,
        "id_as_external",
        "`external` holds the job’s number. `external` is the identifier your program gave it.",
      );
  }
  if (typeof external === "string" && caller) {
    const spelling = describeSpelledExternal(world, caller, external);
    if (spelling) return refine(why, "job_unknown", spelling);
    const refused = findRefusedInsert(world, caller, external);
    if (refused) return { ...refine(why, "job_unknown", describeRefusedInsert(world, refused)), earlier: refused.id };
  }
  // One lookup per world. An external ID is only looked up in the same organization.
  const isIn = ({ stores: { jobs } }: World): boolean =>
    typeof id === "string"
      ? jobs.get(id.toLowerCase()) !== undefined
      : typeof external === "string" &&
        caller !== null &&
        jobs.find({ external }, caller.organization_id) !== undefined;
  return refineOtherWorld(
    typeof id === "string" ? refineEarlier(why, "job_from_before", world, id) : refineDeleted(why, world, external),
    "This job",
    named,
    findOtherWorld?.(isIn),
  );
};

/** Newest jobs searched for another spelling of an external ID. */
const MAX_JOBS_SEARCHED = 500;
const describeSpelledExternal = ({ db }: World, { organization_id }: Caller, external: string): string | null => {
  const known = db.all<{ readonly external_id: string }>(
    `SELECT external_id FROM (SELECT organization_id, external_id FROM jobs ORDER BY seq DESC LIMIT ${MAX_JOBS_SEARCHED}) WHERE organization_id = ? AND length(external_id) <= 100`,
    organization_id,
  );
  for (const { external_id } of known) {
    const spelling = describeSpelling(external, external_id);
    if (spelling) return `\`external\` is ${spelling}: the job has \`${external_id}\`.`;
  }
  return null;
};

type RefusedInsert = { readonly id: string; readonly at: number; readonly status: number };
/** Refused insert of a job that a later call names. */
const findRefusedInsert = ({ db }: World, { integration_id }: Caller, external: string): RefusedInsert | undefined =>
  db.get<RefusedInsert>(
    `SELECT id, at, status FROM requests WHERE status >= 400 AND seq > (SELECT max(seq) FROM requests) - ${MAX_CALLS_SEARCHED} ` +
      "AND operation = 'repairer.jobs.insert' AND integration_id = ? AND length(request_body) <= 65536 " +
      "AND instr(CAST(request_body AS TEXT), ?) > 0 ORDER BY seq DESC LIMIT 1",
    integration_id,
    JSON.stringify(external),
  );
const describeRefusedInsert = ({ db }: World, { at, status }: RefusedInsert): string =>
  `The job doesn’t exist, because its insert was refused with ${status}, ${formatDuration(realTime() - db.fromStored(at))} before this call.`;

/** Newest calls searched for a deletion of the job. They know its ID, not its external ID. */
const MAX_CALLS_SEARCHED = 500;
const refineDeleted = (why: RefusalReason, world: World, external: unknown): RefusalReason => {
  const deletion = world.db.get<{ readonly at: number }>(
    `SELECT at FROM (SELECT at, operation, status, label FROM requests ORDER BY seq DESC LIMIT ${MAX_CALLS_SEARCHED}) WHERE operation = 'repairer.jobs.delete' AND status = 200 AND label = ?`,
    String(external),
  );
  return deletion ? refine(why, "job_deleted", describeDeletion(world, deletion.at)) : why;
};
const describeDeletion = ({ db }: World, at: number): string =>
  `The job was deleted ${formatDuration(realTime() - db.fromStored(at))} before this call.`;

/** Maximum age of a world in use. */
const MAX_WORLD_AGE_MS = 90 * 86_400_000;
/** Age of a world that an ID is older than; null for other IDs. IDs begin with their creation time. */
const findAgeIfOlder = ({ db }: World, id: string): string | null => {
  const issued = Number.parseInt(id.replace("-", "").slice(0, 12), 16);
  const isOlder = issued < db.epoch && issued >= db.epoch - MAX_WORLD_AGE_MS;
  return isOlder ? formatDuration(realTime() - db.epoch) : null;
};
const refineEarlier = (
  why: RefusalReason,
  cause: "job_from_before" | "procurement_from_before",
  world: World,
  id: string,
): RefusalReason => {
  const age = findAgeIfOlder(world, id);
  return age === null
    ? why
    : refine(why, cause, `This ID is from before the world was created or reset, ${age} before this call.`);
};

/** Newest orders searched by their content. */
const MAX_ORDERS_SEARCHED = 200;
const findOrderWith = ({ db }: World, id: string, organization: string): string | undefined =>
  db.get<{ readonly reference: string }>(
    `SELECT coalesce(reference, id) AS reference FROM (SELECT * FROM procurements ORDER BY seq DESC LIMIT ${MAX_ORDERS_SEARCHED})
     WHERE ? IN (buyer_organization_id, supplier_organization_id) AND instr(document, ?)`,
    organization,
    id.toLowerCase(),
  )?.reference;

const refineProcurement = (
  why: RefusalReason,
  { world, named, input, caller, findOtherWorld }: RefusedCall,
): RefusalReason => {
  const id = valueAt(input, why.pointers[0] ?? "");
  if (typeof id !== "string") return why;
  const found = world.stores.procurements.get(id.toLowerCase());
  if (found && caller) {
    const [buyer, supplier] = [found.buyer_organization_id, found.supplier_organization_id].map((one) =>
      findOrganizationName(world, one),
    );
    const isSide = [found.buyer_organization_id, found.supplier_organization_id].includes(caller.organization_id);
    const own = findOrganizationName(world, caller.organization_id);
    return refine(
      why,
      "procurement_of_another",
      isSide
        ? `The order is between ${buyer} (buyer) and ${supplier} (supplier); this key is ${possessive(own)}, of the other side.`
        : `The order is between ${buyer} and ${supplier}; this key is ${possessive(own)}.`,
    );
  }
  const kind = findKind(world, id);
  if (kind && kind.is !== "key") return refine(why, "id_of_other_kind", `The ID is ${kind.words}, not of an order.`);
  const order = caller && findOrderWith(world, id, caller.organization_id);
  if (order) return refine(why, "id_of_other_kind", `The ID is of an item of order ${order}, not of the order itself.`);
  return refineOtherWorld(
    refineEarlier(why, "procurement_from_before", world, id),
    "This order",
    named,
    findOtherWorld?.((other) => other.stores.procurements.get(id.toLowerCase()) !== undefined),
  );
};

// --- Installation

/** Describes an empty or placeholder value; null for other values. */
const describeEmptyValue = (name: string, value: string): string | null => {
  if (value.trim() === "") return `\`${name}\` is empty.`;
  return isPlaceholder(value) ? `\`${name}\` holds a placeholder: a variable was not filled in.` : null;
};

type Install = { readonly client_id: string; readonly client_secret: string; readonly access_code: string };

const refineClient = (why: RefusalReason, { world, input }: RefusedCall): RefusalReason => {
  const { client_id, client_secret } = input as Install;
  const emptyValueProblem = describeEmptyValue("client_id", client_id);
  if (emptyValueProblem) return refine(why, "client_id_of_other_kind", emptyValueProblem);
  const clients = world.stores.credentials.clients();
  const kind = findKind(world, client_id);
  if (kind?.is === "secret" && clients.some((one) => one.client_id === client_secret))
    return refine(why, "client_swapped");
  if (kind) return refine(why, "client_id_of_other_kind", `\`client_id\` holds ${kind.words}.`);
  if (clients.some((one) => one.name === client_id))
    return refine(why, "client_id_of_other_kind", "`client_id` holds the name of a client.");
  const known = clients.map((one) => one.client_id);
  const nearly = describeSimilar(client_id, known);
  return nearly ? refine(why, "client_id_nearly", `\`client_id\` is ${nearly}.`) : why;
};

const refineSecret = (why: RefusalReason, { world, input }: RefusedCall): RefusalReason => {
  const { client_id, client_secret } = input as Install;
  const emptyValueProblem = describeEmptyValue("client_secret", client_secret);
  if (emptyValueProblem) return refine(why, "client_secret_of_other_kind", emptyValueProblem);
  const clients = world.stores.credentials.clients();
  const own = clients.find((one) => one.client_id === client_id);
  const nearly = describeSimilar(client_secret, own ? [own.client_secret] : []);
  if (nearly) return refine(why, "client_secret_nearly", `\`client_secret\` is ${nearly}.`);
  const other = clients.find((one) => one.client_secret === client_secret);
  if (other)
    return refine(
      why,
      "client_secret_wrong",
      `\`client_secret\` is the secret of ${other.client_id}, not of ${client_id}.`,
    );
  const kind = findKind(world, client_secret);
  return kind && kind.is !== "secret"
    ? refine(why, "client_secret_of_other_kind", `\`client_secret\` holds ${kind.words}.`)
    : why;
};

const refineCode = (why: RefusalReason, { world, named, input, findOtherWorld }: RefusedCall): RefusalReason => {
  const { access_code } = input as Install;
  const { credentials } = world.stores;
  const code = credentials.code(access_code);
  if (code) {
    const moved = code.consumed_at === null ? findDecisiveMove(world, code.issued_at, code.expires_at) : null;
    return moved !== null
      ? refine(
          why,
          "access_code_clock",
          `Expired because this world’s clock was moved ${formatDuration(moved)} ahead after it was issued.`,
        )
      : why;
  }
  const emptyValueProblem = describeEmptyValue("access_code", access_code);
  if (emptyValueProblem) return refine(why, "access_code_of_other_kind", emptyValueProblem);
  const kind = findKind(world, access_code);
  if (kind && kind.is !== "code")
    return refine(why, "access_code_of_other_kind", `\`access_code\` holds ${kind.words}.`);
  const nearly = describeSimilar(access_code, credentials.codes());
  if (nearly) return refine(why, "access_code_nearly", `The code is ${nearly}.`);
  const name = findOtherWorld?.((other) => other.stores.credentials.code(access_code) !== undefined);
  if (name === undefined) return why;
  const worldText = named === "default" ? "this call names none, so it went to default" : `this call names ${named}`;
  return { ...why, elsewhere: { world: name, fact: `The code was issued in world ${name}; ${worldText}.` } };
};

// --- Insert

/** Period for an identical earlier call, whose response may never have arrived. */
const REPEAT_WINDOW_MS = 10 * 60_000;
const refineExisting = (why: RefusalReason, { world, input, caller }: RefusedCall): RefusalReason => {
  const identity = valueAt(input, "/identity") as Identity;
  const job = findJob(world, identity);
  const ignored = takeFindings(findUnknown(jobsInsert.request, input));
  for (const { path, meant } of ignored)
    if (meant?.startsWith("/if_"))
      return refine(why, "job_exists", `The field is called \`if_\`: \`${path.slice(1)}\` was ignored.`);
  if (!job || !caller) return why;
  type Earlier = { readonly id: string; readonly at: number; readonly status: number; readonly faults: string | null };
  const earlier = world.db.get<Earlier>(
    "SELECT id, at, status, faults FROM requests WHERE job_id = ? AND integration_id = ? AND operation = 'repairer.jobs.insert' " +
      "AND (status IN (0, 200) OR status >= 500) ORDER BY seq LIMIT 1",
    job.id,
    caller.integration_id,
  );
  if (!earlier) return why;
  const passed = realTime() - world.db.fromStored(earlier.at);
  const isLost = earlier.status !== 200;
  if (passed > REPEAT_WINDOW_MS && !isLost) return why;
  const fact = `This program created the job ${formatDuration(passed)} earlier${isLost ? "; that response was never received" : ""}.`;
  return { ...refine(why, "job_exists", fact), earlier: earlier.id };
};

// --- Values of another kind

/** Explains a reference that names something else. @param meant with an article */
const refineReference =
  (meant: string) =>
  (why: RefusalReason, { world, input }: RefusedCall): RefusalReason => {
    const value = why.fact === undefined ? valueAt(input, why.pointers[0] ?? "") : undefined;
    if (typeof value !== "string") return why;
    if (isPlaceholder(value)) return { ...why, fact: "The value is a placeholder: a variable was not filled in." };
    const kind = findKind(world, value);
    return kind ? { ...why, fact: `The value is ${kind.words}, not ${meant}.` } : why;
  };

const refineInsurer = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const value = valueAt(call.input, "/work_provider_contract");
  const { directory } = call.world.stores;
  const isId = directory.insurers().some(({ organization_id }) => organization_id === value);
  return isId && why.pointers.includes("/work_provider_contract")
    ? { ...why, fact: "`work_provider_contract` holds an insurer’s ID, which belongs in `work_provider_id`." }
    : refineReference("an insurer")(why, call);
};

const refineOffer = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const identity = valueAt(call.input, "/job_identity") as Identity;
  const job = findJob(call.world, identity);
  return job && call.world.stores.parts.listByJob(job.id).length === 0
    ? { ...why, fact: "The job has no offers, because it has no parts. Call `repairer.jobs.parts.insert` first." }
    : refineReference("an offer")(why, call);
};

const refineNewId = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const { cause, fact } = refineJob({ ...why, cause: "job_unknown", pointers: ["/identity"] }, call);
  return cause === "job_unknown" || !fact ? why : { ...why, fact };
};

/** Record of the caller that a name or a reference stands for, in place of its ID. */
const findNamed = (
  { db, stores }: World,
  { organization_id }: Caller,
  pointer: string,
  value: string,
): { readonly words: string; readonly id: string } | null => {
  if (pointer === "/repairer_site_id") {
    const sites = stores.directory.listBusinesses(organization_id).filter(({ type }) => type === "repairer_site");
    const site = sites.find(({ name }) => name.toLowerCase() === value.trim().toLowerCase());
    return site ? { words: "the name of a site", id: site.id } : null;
  }
  if (!pointer.endsWith("/id")) return null;
  const order = db.get<{ readonly id: string }>(
    `SELECT id FROM (SELECT * FROM procurements ORDER BY seq DESC LIMIT ${MAX_ORDERS_SEARCHED}) WHERE reference = ? AND ? IN (buyer_organization_id, supplier_organization_id)`,
    value.trim(),
    organization_id,
  );
  return order ? { words: "the reference of an order", id: order.id } : null;
};

/** Explains a text that is a known value but no ID. */
const refineShape = (why: RefusalReason, { world, input, caller }: RefusedCall): RefusalReason => {
  const [pointer = ""] = why.pointers;
  const value = valueAt(input, pointer);
  if (why.fact !== undefined || typeof value !== "string" || isUuid(value)) return why;
  const { directory, jobs } = world.stores;
  if (pointer === "/work_provider_id" && directory.insurers().some(({ name }) => name === value))
    return { ...why, fact: "`work_provider_id` holds an insurer’s name, which belongs in `work_provider_contract`." };
  if (caller && /identity\/id$/.test(pointer) && jobs.find({ external: value }, caller.organization_id))
    return { ...why, fact: "`id` holds the identifier your program gave the job, which belongs in `external`." };
  if (caller && /identity\/id$/.test(pointer) && hasJobNumber(world, caller, value))
    return { ...why, fact: "`id` holds the job’s number. `id` is the UUID that the service gave the job." };
  const meant = caller && findNamed(world, caller, pointer, value);
  if (meant) return { ...why, fact: `\`${pointer}\` holds ${meant.words}. Send its ID, \`${meant.id}\`.` };
  const kind = findKind(world, value);
  return kind ? { ...why, fact: `\`${pointer}\` holds ${kind.words}.` } : why;
};

const subscription = Type.Object({ integration_id: Type.Unknown(), url: Type.Unknown() });
const refineSubscription = (why: RefusalReason, { world, input }: RefusedCall): RefusalReason => {
  const renamed = takeFindings(findUnknown(subscription, input)).find(
    ({ meant }) => meant && why.pointers.includes(meant),
  );
  if (renamed)
    return {
      ...why,
      fact: `The field is called \`${renamed.meant?.slice(1)}\` here: \`${renamed.path.slice(1)}\` was ignored.`,
    };
  const [pointer = ""] = why.pointers;
  const value = valueAt(input, pointer);
  if (typeof value !== "string") return why;
  const emptyValueProblem = describeEmptyValue(pointer.slice(1), value);
  const kind = findKind(world, value);
  if (emptyValueProblem || !kind || kind.is === "integration")
    return emptyValueProblem ? { ...why, fact: emptyValueProblem } : why;
  return { ...why, fact: `\`${pointer.slice(1)}\` holds ${kind.words}, not an integration ID.` };
};

const finders: Partial<Record<Cause, (why: RefusalReason, call: RefusedCall) => RefusalReason>> = {
  no_credentials: refineCredentials,
  no_bearer: refineCredentials,
  credentials: refineCredentials,
  job_unknown: refineJob,
  procurement_unknown: refineProcurement,
  client_unknown: refineClient,
  client_secret_wrong: refineSecret,
  access_code_unusable: refineCode,
  job_exists: refineExisting,
  job_id_not_assigned: refineNewId,
  site_unknown: refineReference("a site"),
  work_provider_unknown: refineInsurer,
  offer_unknown: refineOffer,
  shape: refineShape,
  subscription_fields: refineSubscription,
  url_invalid: refineSubscription,
};

/**
 * Finds the detailed cause of a refusal for the record, because keys are masked and the world changes later. The
 * response stays the same.
 */
export const findFinerCause = ({ why }: Pick<Refusal, "why">, call: RefusedCall): RefusalReason | null => {
  const find = why && Object.hasOwn(causes, why.cause) ? finders[why.cause as Cause] : undefined;
  return why && find ? find(why, call) : why;
};
