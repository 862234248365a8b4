import * as Type from "typebox";
import { type Cause, causes, withNext } from "../contract/causes.ts";
import type { RefusalReason } from "../contract/errors.ts";
import { extractUuid, jsonWithin } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { isUuid } from "../contract/schema.ts";
import { formatDuration } from "../rules/timestamp.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import type { AccessCodeRow, CredentialRow } from "../storage/credentials-store.ts";
import type { World } from "../worlds/world.ts";
import { authenticate, type CredentialHeaders } from "./authenticate.ts";
import { findDecisiveMove } from "./clock-moves.ts";
import {
  describeUnclearResponse,
  EARLIER_CALL,
  type EarlierCall,
  MAX_CALLS_SEARCHED,
  sideOf,
} from "./earlier-calls.ts";
import { describePlaceholderRemedy, describeSimilar, findKind, isPlaceholder } from "./likely-mistakes.ts";
import {
  advise,
  describeEmptyValue,
  describeTenant,
  findBeginning,
  findLaterBeginning,
  findOrganizationName,
  isLately,
  possessive,
  type RefusedCall,
  refine,
  refineFromBefore,
} from "./refused-call.ts";
import { explainShape } from "./shape-causes.ts";

const BEARER = /^Bearer(?:[ \t]+|$)/i;
const OPENING = "\"'`“”‘’<[{(";
const CLOSING = "\"'`“”‘’>]})";
const isQuoted = (value: string): boolean =>
  value.length > 1 && OPENING.includes(value.charAt(0)) && CLOSING.includes(value.charAt(value.length - 1));

/** Node decodes headers as Latin-1; restores UTF-8. */
const decodeHeader = (header: string): string => Buffer.from(header, "latin1").toString("utf8");

/** API key in an `Authorization` header. */
const readKey = (authorization: string): string => decodeHeader(authorization).replace(BEARER, "").trim();

const explainHeaders = (authorization: string, id: string): readonly [Cause, string?, string?] | null => {
  const key = readKey(authorization);
  if (key === "") return ["key_missing"];
  if (jsonWithin(key) !== undefined)
    return ["key_of_other_kind", "The `Authorization` header holds a JSON object, not an API key."];
  if (/,\s*Bearer\b/i.test(key))
    return [
      "bearer_twice",
      "The `Authorization` header has two values, joined by a comma.",
      "Send `Authorization: Bearer <api_key>` once. The program and a proxy or an HTTP client may both add it.",
    ];
  if (BEARER.test(`${key} `)) return /^Bearer$/i.test(key) ? ["key_missing"] : ["bearer_twice"];
  for (const [value, name] of [
    [key, "key"],
    [decodeHeader(id), "integration ID"],
  ] as const) {
    if (isPlaceholder(value))
      return [
        "key_placeholder",
        value.trim().startsWith("$")
          ? `The ${name} is the text of a \`$\` variable: neither a shell nor the program replaced it by its value.`
          : `The ${name} is a placeholder: a variable was not filled in.`,
        describePlaceholderRemedy(value),
      ];
    if (name === "integration ID" && jsonWithin(value) !== undefined)
      return ["key_of_other_kind", "The `Service-Integration-ID` header holds a JSON object, not an integration ID."];
    if (isQuoted(value))
      return ["key_quoted", `The ${name} is in ${/["'`“”‘’]/u.test(value) ? "quotes" : "brackets"}.`];
  }
  return null;
};

const SCHEMES = /^(basic|digest|token|apikey|api-key|key)$/i;

/** Explains a header without the word Bearer. */
const refineScheme = (why: RefusalReason, { stores }: World, authorization: string): RefusalReason => {
  const next = decodeHeader(authorization).charAt(6);
  if (/^Bearer\W/i.test(authorization))
    return refine(
      why,
      "no_bearer",
      `\`Bearer\` is followed by ${/[\s\p{Cf}]/u.test(next) ? "a character that only looks like a space, such as a no-break space" : `\`${next}\``}, not by a space.`,
    );
  if (/^Bearer/i.test(authorization)) return refine(why, "no_bearer", "No space comes between `Bearer` and the key.");
  const [scheme = ""] = authorization.split(" ", 1);
  if (stores.credentials.findByKey(authorization.trim()))
    return refine(why, "no_bearer", "The `Authorization` header holds the key without the word `Bearer`.");
  if (/["'“‘`]/u.test(decodeHeader(authorization).charAt(0)))
    return refine(why, "no_bearer", "The `Authorization` header is in quotes.");
  if (/\bBearer\b/i.test(authorization))
    return refine(why, "no_bearer", "Other text comes before `Bearer` in the `Authorization` header.");
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

/** Adds that the integration ID is missing or malformed too, to a reason that is about the other header. */
const addIdMistake = (why: RefusalReason, given: string, ofKey?: CredentialRow): RefusalReason => {
  if (isUuid(given) || why.fact?.includes("integration ID")) return why;
  const mistake =
    given === ""
      ? "The `Service-Integration-ID` header is missing."
      : (describeIdMistake(given, ofKey?.integration_id) ?? causes.id_malformed.sentence);
  const id = ofKey
    ? `\`Service-Integration-ID: ${ofKey.integration_id}\``
    : "the `Service-Integration-ID` as it was issued";
  return withNext(why, { cause: "id_malformed", pointers: [], fact: mistake, remedy: `Also send ${id}.` });
};

/** @param named world that the call names */
export const describeOtherWorld = (world: string, named: string): string =>
  `The integration ID belongs to world ${world}.${named === DEFAULT_WORLD ? ` ${describeTenant(named)}` : ""}`;

/** Headers without what stands around the key or the ID, for refusals over that; null for others. */
const bareHeaders = (
  { cause, fact }: RefusalReason,
  { authorization = "", integrationId = "" }: CredentialHeaders,
): CredentialHeaders | null => {
  const unquoted = (value: string): string => value.replaceAll(/^[\s"'`“”‘’<[{(]+|[\s"'`“”‘’>\]})]+$/gu, "");
  if (cause === "no_bearer" || (cause === "key_quoted" && fact?.startsWith("The key"))) {
    const key = unquoted(decodeHeader(authorization).replace(AROUND_KEY, ""));
    // Another scheme, such as Basic, has no key.
    return /\s/.test(key) ? null : { authorization: `Bearer ${key}`, integrationId };
  }
  return cause === "key_quoted" || cause === "id_malformed"
    ? { authorization, integrationId: extractUuid(unquoted(decodeHeader(integrationId))) }
    : null;
};
const AROUND_KEY = /^["'“‘`]?(?:(?:token|api-?key|key)\s|Bearer\W?)/i;

/** Explains refused credentials, and what would be wrong with them if they were written as they should be. */
export const refineCredentials = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const first = judgeCredentials(why, call);
  const credentials = bareHeaders(first, call.credentials);
  if (credentials === null)
    return first.cause === "no_bearer" ? addIdMistake(first, call.credentials.integrationId?.trim() ?? "") : first;
  if (authenticate(credentials, call.world.stores.credentials) !== null) return first;
  const { elsewhere: _, ...next } = judgeCredentials({ cause: "credentials", pointers: [] }, { ...call, credentials });
  return next.cause === first.cause ? first : withNext(first, next);
};

const judgeCredentials = (
  why: RefusalReason,
  { world, named: namedWorld, credentials, findOtherWorld, mayBeElsewhere, findOrigin }: RefusedCall,
): RefusalReason => {
  const { authorization, integrationId } = credentials;
  const isGiven = [authorization, integrationId].map((header) => header !== undefined && header.trim() !== "");
  const key = readKey(authorization ?? "");
  const ofKey = world.stores.credentials.findByKey(key);
  const sendId = ofKey ? `Send \`Service-Integration-ID: ${ofKey.integration_id}\` with this key.` : null;
  if (authorization !== undefined && isGiven[0] && !BEARER.test(authorization))
    return refineScheme(why, world, authorization);
  if (authorization === undefined || integrationId === undefined || !isGiven[1]) {
    const missing = ["`Authorization`", "`Service-Integration-ID`"].filter((_, at) => !isGiven[at]);
    const fact =
      missing.length === 2
        ? `The ${missing.join(" and the ")} headers are missing.`
        : `The ${missing[0]} header is missing.`;
    return advise(refine(why, "no_credentials", fact), sendId);
  }
  const given = integrationId.trim();
  const headerProblem = explainHeaders(authorization, given);
  if (headerProblem) {
    const [cause, fact, remedy = null] = headerProblem;
    const refined = advise(refine(why, cause, fact), remedy);
    return cause === "key_quoted" ? refined : addIdMistake(refined, given, ofKey);
  }
  const { stores } = world;
  const [keyIs, idIs] = [findKind(world, key), findKind(world, given)];
  if (isUuid(key) && idIs?.is === "key") return refine(why, "key_and_id_swapped");
  if (keyIs && keyIs.is !== "key")
    return advise(
      refine(why, "key_of_other_kind", `The \`Authorization\` header holds ${keyIs.words}, not an API key.`),
      keyIs.is === "code"
        ? "Exchange the code for a key first: call `integrations.insert` with it as `access_code`. Then send the `api_key` and the `integration_id` of its response."
        : null,
    );
  if (idIs && idIs.is !== "integration")
    return advise(
      refine(
        why,
        "key_of_other_kind",
        `The \`Service-Integration-ID\` header holds ${idIs.words}, not an integration ID.`,
      ),
      sendId,
    );
  if (!isUuid(given))
    return advise(refine(why, "id_malformed", describeIdMistake(given, ofKey?.integration_id)), sendId);
  const ofId = stores.credentials.findByIntegration(given.toLowerCase());
  const named = (id: string): string => possessive(findOrganizationName(world, id));
  if (ofId && ofKey?.integration_id === ofId.integration_id)
    return refine(
      why,
      "key_nearly",
      "The key is right but for a character that isn’t shown, such as a byte order mark.",
    );
  if (ofId && ofKey) {
    const fact =
      ofId.organization_id === ofKey.organization_id
        ? `The key and the integration ID are of two installations of ${findOrganizationName(world, ofId.organization_id)}.`
        : `The key is ${named(ofKey.organization_id)}; the integration ID is ${named(ofId.organization_id)}.`;
    return advise(
      refine(why, "keys_differ", fact),
      `${sendId} Or send the key that was issued with \`${ofId.integration_id}\`.`,
    );
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
    const whole = wrong ? fact : `The key is ${named(ofKey.organization_id)}, ${fact}`;
    return advise(refine(why, "credentials", whole), sendId);
  }
  const other = findOtherWorld?.(
    ({ stores: { credentials: one } }) => one.findByIntegration(given.toLowerCase()) !== undefined,
  );
  if (other !== undefined) return { ...why, elsewhere: { world: other, fact: describeOtherWorld(other, namedWorld) } };
  const later = mayBeElsewhere?.(given.toLowerCase()) ? null : findLaterBeginning(world, given, findOrigin);
  return later === null ? why : refineFromBefore(why, "key_from_before", "The key", world, later);
};

type Install = { readonly client_id: string; readonly client_secret: string; readonly access_code: string };

const UNKNOWN_CLIENT = "No client has this `client_id`.";
export const refineClient = (why: RefusalReason, { world, input }: RefusedCall): RefusalReason => {
  const { client_id, client_secret } = input as Install;
  const emptyValueProblem = describeEmptyValue("client_id", client_id);
  if (emptyValueProblem) return refine(why, "client_id_of_other_kind", emptyValueProblem);
  const clients = world.stores.credentials.clients();
  const kind = findKind(world, client_id);
  if (kind?.is === "secret" && clients.some((one) => one.client_id === client_secret))
    return refine(why, "client_swapped");
  const ofSecret = clients.find((one) => one.client_secret === client_secret);
  const sendOfSecret = ofSecret ? `Send \`client_id\` as \`${ofSecret.client_id}\`.` : null;
  if (kind) return advise(refine(why, "client_id_of_other_kind", `\`client_id\` holds ${kind.words}.`), sendOfSecret);
  const named = clients.find((one) => one.name === client_id);
  if (named)
    return advise(
      refine(why, "client_id_of_other_kind", "`client_id` holds the name of a client."),
      `Send \`client_id\` as \`${named.client_id}\`.`,
    );
  const meant = clients.find((one) => describeSimilar(client_id, [one.client_id]) !== null);
  if (!meant)
    return ofSecret
      ? advise({ ...why, fact: `${UNKNOWN_CLIENT} The secret is that of ${ofSecret.client_id}.` }, sendOfSecret)
      : why;
  return advise(
    refine(why, "client_id_nearly", `\`client_id\` is ${describeSimilar(client_id, [meant.client_id])}.`),
    `Send \`client_id\` as \`${meant.client_id}\`.`,
  );
};

export const refineSecret = (why: RefusalReason, { world, input }: RefusedCall): RefusalReason => {
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

/** Installation that a code was exchanged for. */
const findExchange = (
  { db }: World,
  { client_id, organization_id, scope, consumed_at }: AccessCodeRow,
): { readonly integration_id: string } | undefined =>
  consumed_at === null
    ? undefined
    : db.get<{ readonly integration_id: string }>(
        "SELECT integration_id FROM credentials WHERE organization_id = ? AND scope = ? AND client_id = ? AND created_at = ?",
        ...[organization_id, scope, client_id, db.toStored(consumed_at)],
      );

/** Call that made an installation. */
const findInstall = ({ db }: World, integration: string): EarlierCall | undefined =>
  db.get<EarlierCall>(
    `SELECT ${EARLIER_CALL} FROM requests WHERE seq > (SELECT max(seq) FROM requests) - ${MAX_CALLS_SEARCHED} AND operation = 'integrations.insert'
     AND EXISTS (SELECT 1 FROM log WHERE trace_id = requests.id AND kind = 'state' AND instr(data, ?)) ORDER BY seq DESC LIMIT 1`,
    integration,
  );

/** Explains a code that the same client used, by whether the response arrived. */
const refineUsed = (why: RefusalReason, world: World, integration: string): RefusalReason => {
  const fact =
    `${why.fact ?? ""} An earlier call of the same client exchanged it for the integration \`${integration}\`.`.trim();
  const install = findInstall(world, integration);
  const response = install ? describeUnclearResponse(world, install) : null;
  const told = { ...why, fact, ...(install ? { earlier: install.id } : {}) };
  return response === null || !install
    ? {
        ...told,
        remedy: "Use the key and the ID of that response. If they were lost, get a new access code: each works once.",
      }
    : {
        ...told,
        ...sideOf(world, install),
        fact: `${fact} ${response}`,
        remedy: "Get a new access code and install again: the key was in the response that didn’t arrive.",
      };
};

/** Says that a reset or a restore may have deleted a code; null if there was none lately. */
const describeDeletedCode = (
  world: World,
  code: string,
  findOrigin: RefusedCall["findOrigin"],
): Pick<RefusalReason, "fact" | "side"> | null => {
  const beginning = findBeginning(world, findOrigin);
  const { how, ago, side } = beginning;
  if (how === "created or reset" || !isLately(beginning) || findKind(world, code)?.is !== "code") return null;
  const fact = `This access code doesn’t exist in this world, which was ${how} ${ago} before this call. Codes from before don’t work any more.`;
  return { fact, ...side };
};

export const refineCode = (
  why: RefusalReason,
  { world, named, input, findOtherWorld, findOrigin }: RefusedCall,
): RefusalReason => {
  const { access_code } = input as Install;
  const { credentials } = world.stores;
  const code = credentials.code(access_code);
  if (code) {
    const moved = code.consumed_at === null ? findDecisiveMove(world, code.issued_at, code.expires_at) : null;
    if (moved !== null)
      return {
        ...refine(
          why,
          "access_code_clock",
          `The access code expired because this world’s clock was moved ${formatDuration(moved)} ahead after it was issued.`,
        ),
        side: "sandbox",
      };
    const first = code.client_id === (input as Install).client_id ? findExchange(world, code) : undefined;
    if (!first) return why;
    return refineUsed(why, world, first.integration_id);
  }
  const emptyValueProblem = describeEmptyValue("access_code", access_code);
  if (emptyValueProblem) return refine(why, "access_code_of_other_kind", emptyValueProblem);
  const kind = findKind(world, access_code);
  if (kind && kind.is !== "code")
    return refine(why, "access_code_of_other_kind", `\`access_code\` holds ${kind.words}.`);
  const nearly = describeSimilar(access_code, credentials.codes());
  if (nearly && /^https?:/i.test(access_code))
    return refine(
      why,
      "access_code_nearly",
      "`access_code` holds a whole address. The code is the value of its `code`.",
    );
  if (nearly) return refine(why, "access_code_nearly", `The code is ${nearly}.`);
  const name = findOtherWorld?.((other) => other.stores.credentials.code(access_code) !== undefined);
  if (name === undefined) return { ...why, ...describeDeletedCode(world, access_code, findOrigin) };
  const worldText =
    named === "default" ? "this call went to default, the world of calls that name none" : `this call names ${named}`;
  return { ...why, elsewhere: { world: name, fact: `The code was issued in world ${name}; ${worldText}.` } };
};

export const subscription = Type.Object({ integration_id: Type.Unknown(), url: Type.Unknown() });
export const refineSubscription = (why: RefusalReason, { world, input }: RefusedCall): RefusalReason => {
  const missing = why.pointers.find((one) => valueAt(input, one) === undefined) ?? "";
  const renamed = explainShape(subscription, input, { pointer: missing, message: "" });
  if (renamed.fact !== undefined) return { ...why, ...renamed };
  const [pointer = ""] = why.pointers;
  const value = valueAt(input, pointer);
  if (typeof value !== "string") return why;
  const emptyValueProblem = describeEmptyValue(pointer.slice(1), value);
  const kind = findKind(world, value);
  if (emptyValueProblem || !kind || kind.is === "integration")
    return emptyValueProblem ? { ...why, fact: emptyValueProblem } : why;
  return advise(
    { ...why, fact: `\`${pointer.slice(1)}\` holds ${kind.words}, not an integration ID.` },
    "Send the `integration_id` that `integrations.insert` returned with the key.",
  );
};
