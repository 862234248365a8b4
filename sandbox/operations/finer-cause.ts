import { type Cause, causes } from "../contract/causes.ts";
import { sideWords } from "../contract/control/rows.ts";
import type { Refusal, RefusedFor } from "../contract/errors.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { isUuid } from "../contract/schema.ts";
import type { JobRecord } from "../rules/records.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import type { CredentialHeaders } from "./authenticate.ts";
import type { Caller } from "./handler.ts";
import { agoWords, kindIn, nearlyWords } from "./likely-mistakes.ts";

/** Finds something in the other worlds that are in use; undefined: it is in none of them. */
export type Elsewhere = (is: (world: World) => boolean) => string | undefined;

/** A refused call, as far as the reason is looked for in it. */
export interface RefusedCall {
  readonly world: World;
  /** The world the call names: {@link world} is the seed where that one doesn't exist. */
  readonly named: string;
  readonly credentials: CredentialHeaders;
  /** As it was parsed; undefined: it was not. */
  readonly input: unknown;
  readonly caller: Caller | null;
  /** Left out: there are no other worlds. */
  readonly elsewhere?: Elsewhere | undefined;
}

const finer = (why: RefusedFor, cause: Cause, fact?: string | null): RefusedFor => ({
  ...why,
  cause,
  ...(fact ? { fact } : {}),
});

/** `Meridian Parts’`, `Acme’s`. */
const ofWhom = (name: string): string => `${name}’${name.endsWith("s") ? "" : "s"}`;
const organizationIn = ({ stores }: World, id: string): string =>
  stores.directory.organization(id)?.name ?? "another organization";

// --- Credentials

const BEARER = /^Bearer(?:[ \t]+|$)/i;
const OPENING = "\"'`“”‘’<[{(";
const CLOSING = "\"'`“”‘’>]})";
const isQuoted = (value: string): boolean =>
  value.length > 1 && OPENING.includes(value.charAt(0)) && CLOSING.includes(value.charAt(value.length - 1));
const PLACEHOLDER = /^(?:\{\{.*\}\}|\$\{?\w+\}?|<.*>|%\w+%|\[.*\]|(?:your|my)[-_ ]?.*key.*|undefined|null|none)$/i;

/** Headers come as Latin-1: what was typed in UTF-8 is read as that. */
const typed = (header: string): string => Buffer.from(header, "latin1").toString("utf8");

const ofHeaders = (authorization: string, id: string): readonly [Cause, string?] | null => {
  const key = typed(authorization).replace(BEARER, "").trim();
  if (key === "") return ["key_missing"];
  if (BEARER.test(`${key} `)) return /^Bearer$/i.test(key) ? ["key_missing"] : ["bearer_twice"];
  for (const [value, name] of [
    [key, "key"],
    [typed(id), "integration ID"],
  ] as const) {
    if (PLACEHOLDER.test(value))
      return ["key_placeholder", `The ${name} is a placeholder: a variable was not filled in.`];
    if (isQuoted(value))
      return ["key_quoted", `The ${name} is in ${/["'`“”‘’]/u.test(value) ? "quotes" : "brackets"}.`];
  }
  return null;
};

const SCHEMES = /^(basic|digest|token|apikey|api-key|key)$/i;

/** Of a header that doesn't begin with the word. */
const ofScheme = (why: RefusedFor, { stores }: World, authorization: string): RefusedFor => {
  const [scheme = ""] = authorization.split(" ", 1);
  if (stores.credentials.byKey(authorization.trim()))
    return finer(why, "no_bearer", "The `Authorization` header holds the key without the word `Bearer`.");
  const fact = `The \`Authorization\` header starts with \`${scheme}\`, not with \`Bearer\`.`;
  return finer(why, "no_bearer", SCHEMES.test(scheme) ? fact : null);
};

const ofCredentials = (why: RefusedFor, { world, credentials }: RefusedCall): RefusedFor => {
  const { authorization, integrationId } = credentials;
  const isGiven = [authorization, integrationId].map((header) => header !== undefined && header.trim() !== "");
  if (authorization !== undefined && isGiven[0] && !BEARER.test(authorization))
    return ofScheme(why, world, authorization);
  if (authorization === undefined || integrationId === undefined || !isGiven[1]) {
    const missing = ["`Authorization`", "`Service-Integration-ID`"].filter((_, at) => !isGiven[at]);
    return finer(
      why,
      "no_credentials",
      missing.length === 2
        ? `The ${missing.join(" and the ")} headers are missing.`
        : `The ${missing[0]} header is missing.`,
    );
  }
  const given = integrationId.trim();
  const spelt = ofHeaders(authorization, given);
  if (spelt) return finer(why, ...spelt);
  const key = typed(authorization).replace(BEARER, "").trim();
  const { stores } = world;
  const [keyIs, idIs] = [kindIn(world, key), kindIn(world, given)];
  if (isUuid(key) && idIs?.is === "key") return finer(why, "key_and_id_swapped");
  if (keyIs && keyIs.is !== "key")
    return finer(why, "key_of_other_kind", `The \`Authorization\` header holds ${keyIs.words}, not an API key.`);
  if (idIs && idIs.is !== "integration")
    return finer(
      why,
      "key_of_other_kind",
      `The \`Service-Integration-ID\` header holds ${idIs.words}, not an integration ID.`,
    );
  if (!isUuid(given)) return finer(why, "id_malformed");
  const ofId = stores.credentials.byIntegration(given.toLowerCase());
  const ofKey = stores.credentials.byKey(key);
  const named = (id: string): string => ofWhom(organizationIn(world, id));
  if (ofId && ofKey) {
    const fact =
      ofId.organization_id === ofKey.organization_id
        ? `The key and the integration ID are of two installations of ${organizationIn(world, ofId.organization_id)} (${sideWords[ofKey.scope]} and ${sideWords[ofId.scope]}).`
        : `The key is ${named(ofKey.organization_id)}; the integration ID is ${named(ofId.organization_id)}.`;
    return finer(why, "keys_differ", fact);
  }
  const nearly = ofId && nearlyWords(key, [ofId.api_key]);
  if (nearly) return finer(why, "key_nearly", `The key is ${nearly}.`);
  if (ofId)
    return finer(
      why,
      "credentials",
      `The integration ID is ${named(ofId.organization_id)}, but the key is not its key in this world.`,
    );
  if (ofKey) {
    const wrong = nearlyWords(given.toLowerCase(), [ofKey.integration_id]);
    const fact = wrong ? `The integration ID is ${wrong}.` : "but no integration has this ID in this world.";
    return finer(why, "credentials", wrong ? fact : `The key is ${named(ofKey.organization_id)}, ${fact}`);
  }
  return why;
};

// --- Jobs and orders

type Identity = { readonly id?: unknown; readonly external?: unknown };

const jobIn = ({ stores }: World, { id, external }: Identity): JobRecord | undefined => {
  if (typeof id === "string") return stores.jobs.get(id.toLowerCase());
  if (typeof external !== "string") return undefined;
  return stores.directory
    .organizations()
    .map(({ id: organization }) => stores.jobs.find({ external }, organization))
    .find((job) => job !== undefined);
};

const tenantWords = (named: string): string =>
  named === "default" ? "The call named no world, so it went to default." : `This call names ${named}.`;

const inOther = (why: RefusedFor, what: string, named: string, name: string | undefined): RefusedFor =>
  name === undefined
    ? why
    : { ...why, elsewhere: { world: name, fact: `${what} is in world ${name}. ${tenantWords(named)}` } };

const ofJob = (why: RefusedFor, { world, named, input, caller, elsewhere }: RefusedCall): RefusedFor => {
  const [pointer = ""] = why.pointers;
  const identity = (valueAt(input, pointer) ?? {}) as Identity;
  const { stores } = world;
  const found = jobIn(world, identity);
  if (found && caller && found.organization_id !== caller.organization_id) {
    const [owner, own] = [found.organization_id, caller.organization_id].map((id) => organizationIn(world, id));
    return finer(why, "job_of_another", `The job belongs to ${owner}; this key is ${ofWhom(own ?? "")}.`);
  }
  const { id, external } = identity;
  if (typeof id === "string") {
    const kind = kindIn(world, id);
    if (kind && kind.is !== "key") return finer(why, "id_of_other_kind", `The ID is ${kind.words}, not of a job.`);
    const gone = world.db.get<{ at: number }>(
      "SELECT at FROM requests WHERE job_id = ? AND operation = 'repairer.jobs.delete' AND status = 200 ORDER BY seq DESC LIMIT 1",
      id.toLowerCase(),
    );
    if (gone)
      return finer(
        why,
        "job_deleted",
        `The job was deleted ${agoWords(realTime() - world.db.fromStored(gone.at))} before this call.`,
      );
  }
  if (typeof external === "string" && caller) {
    const other = isUuid(external) ? stores.jobs.get(external.toLowerCase()) : undefined;
    if (other) return finer(why, "id_as_external", "`external` holds the job’s ID, which belongs in `id`.");
    const numbered = stores.directory
      .businessesOf(caller.organization_id)
      .some((site) => stores.jobs.byNumber(site.id, external) !== undefined);
    if (numbered)
      return finer(
        why,
        "id_as_external",
        "`external` holds the job’s number. `external` is the identifier your program gave it.",
      );
  }
  // One look into each: of an external identifier only what the same organization would find there.
  const isIn = ({ stores: { jobs } }: World): boolean =>
    typeof id === "string"
      ? jobs.get(id.toLowerCase()) !== undefined
      : typeof external === "string" &&
        caller !== null &&
        jobs.find({ external }, caller.organization_id) !== undefined;
  return inOther(why, "This job", named, elsewhere?.(isIn));
};

const ofProcurement = (why: RefusedFor, { world, named, input, caller, elsewhere }: RefusedCall): RefusedFor => {
  const id = valueAt(input, why.pointers[0] ?? "");
  if (typeof id !== "string") return why;
  const found = world.stores.procurements.get(id.toLowerCase());
  if (found && caller) {
    const [buyer, supplier] = [found.buyer_organization_id, found.supplier_organization_id].map((one) =>
      organizationIn(world, one),
    );
    const isSide = [found.buyer_organization_id, found.supplier_organization_id].includes(caller.organization_id);
    const own = organizationIn(world, caller.organization_id);
    return finer(
      why,
      "procurement_of_another",
      isSide
        ? `The order is between ${buyer} (buyer) and ${supplier} (supplier); this key is ${ofWhom(own)}, of the other side.`
        : `The order is between ${buyer} and ${supplier}; this key is ${ofWhom(own)}.`,
    );
  }
  const kind = kindIn(world, id);
  if (kind && kind.is !== "key") return finer(why, "id_of_other_kind", `The ID is ${kind.words}, not of an order.`);
  return inOther(
    why,
    "This order",
    named,
    elsewhere?.((other) => other.stores.procurements.get(id.toLowerCase()) !== undefined),
  );
};

// --- Installation

type Install = { readonly client_id: string; readonly client_secret: string; readonly access_code: string };

const ofClient = (why: RefusedFor, { world, input }: RefusedCall): RefusedFor => {
  const { client_id, client_secret } = input as Install;
  const clients = world.stores.credentials.clients();
  const kind = kindIn(world, client_id);
  if (kind?.is === "secret" && clients.some((one) => one.client_id === client_secret))
    return finer(why, "client_swapped");
  if (kind) return finer(why, "client_id_of_other_kind", `\`client_id\` holds ${kind.words}.`);
  const known = clients.map((one) => one.client_id);
  const nearly = nearlyWords(client_id, known);
  return nearly ? finer(why, "client_id_nearly", `\`client_id\` is ${nearly}.`) : why;
};

const ofSecret = (why: RefusedFor, { world, input }: RefusedCall): RefusedFor => {
  const { client_id, client_secret } = input as Install;
  const clients = world.stores.credentials.clients();
  const own = clients.find((one) => one.client_id === client_id);
  const nearly = nearlyWords(client_secret, own ? [own.client_secret] : []);
  if (nearly) return finer(why, "client_secret_nearly", `\`client_secret\` is ${nearly}.`);
  const other = clients.find((one) => one.client_secret === client_secret);
  if (other)
    return finer(
      why,
      "client_secret_wrong",
      `\`client_secret\` is the secret of ${other.client_id}, not of ${client_id}.`,
    );
  const kind = kindIn(world, client_secret);
  return kind && kind.is !== "secret"
    ? finer(why, "client_secret_of_other_kind", `\`client_secret\` holds ${kind.words}.`)
    : why;
};

/** By how much the world's clock was moved since a moment of it, in milliseconds. */
const movedSince = (world: World, issuedAt: number): number => {
  type Moved = { readonly at: number; readonly data: string };
  const changes = world.db.all<Moved>(
    "SELECT at, data FROM (SELECT at, kind, data FROM log ORDER BY seq DESC LIMIT 2000) WHERE kind = 'world' AND data LIKE '{\"what\":\"clock\"%'",
  );
  let offset = world.clockOffset;
  for (const { at, data } of changes) {
    if (issuedAt - offset >= world.db.fromStored(at)) break;
    const { before } = JSON.parse(data) as { readonly before?: { readonly offset_seconds?: number } };
    offset = (before?.offset_seconds ?? 0) * 1_000;
  }
  return world.clockOffset - offset;
};

const ofCode = (why: RefusedFor, { world, named, input, elsewhere }: RefusedCall): RefusedFor => {
  const { access_code } = input as Install;
  const { credentials } = world.stores;
  const code = credentials.code(access_code);
  if (code) {
    const moved = movedSince(world, code.issued_at);
    const isByClock =
      code.consumed_at === null && moved > 0 && world.now() - moved <= code.expires_at && world.now() > code.expires_at;
    return isByClock
      ? finer(
          why,
          "access_code_clock",
          `Expired because this world’s clock was moved ${agoWords(moved)} ahead after it was issued.`,
        )
      : why;
  }
  const kind = kindIn(world, access_code);
  if (kind && kind.is !== "code")
    return finer(why, "access_code_of_other_kind", `\`access_code\` holds ${kind.words}.`);
  const nearly = nearlyWords(access_code, credentials.codes());
  if (nearly) return finer(why, "access_code_nearly", `The code is ${nearly}.`);
  const name = elsewhere?.((other) => other.stores.credentials.code(access_code) !== undefined);
  if (name === undefined) return why;
  const here = named === "default" ? "this call names none, so it went to default" : `this call names ${named}`;
  return { ...why, elsewhere: { world: name, fact: `The code was issued in world ${name}; ${here}.` } };
};

// --- Insert

/** A call that did the same before: its answer may never have come. */
const LATELY_MS = 10 * 60_000;
const ofExisting = (why: RefusedFor, { world, input, caller }: RefusedCall): RefusedFor => {
  const identity = valueAt(input, "/identity") as Identity;
  const job = jobIn(world, identity);
  if (typeof input === "object" && input !== null && "if" in input)
    return finer(why, "job_exists", "The field is called `if_`: `if` was ignored.");
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
  if (passed > LATELY_MS && !isLost) return why;
  const fact = `This program created the job ${agoWords(passed)} earlier${isLost ? "; that answer was never received" : ""}.`;
  return { ...finer(why, "job_exists", fact), earlier: earlier.id };
};

const finders: Partial<Record<Cause, (why: RefusedFor, call: RefusedCall) => RefusedFor>> = {
  no_credentials: ofCredentials,
  no_bearer: ofCredentials,
  credentials: ofCredentials,
  job_unknown: ofJob,
  procurement_unknown: ofProcurement,
  client_unknown: ofClient,
  client_secret_wrong: ofSecret,
  access_code_unusable: ofCode,
  job_exists: ofExisting,
};

/**
 * Finds the finer reason of a refusal, for the record: afterwards keys are masked and the world has changed. What the
 * caller is answered stays what it is.
 */
export const finerCause = ({ why }: Refusal, call: RefusedCall): RefusedFor | null => {
  const find = why && Object.hasOwn(causes, why.cause) ? finders[why.cause as Cause] : undefined;
  return why && find ? find(why, call) : why;
};
