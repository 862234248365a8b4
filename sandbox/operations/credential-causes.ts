import * as Type from "typebox";
import { type Cause, causes, withNext } from "../contract/causes.ts";
import type { Policies } from "../contract/control/policies.ts";
import type { RefusalReason } from "../contract/errors.ts";
import { extractUuid, jsonWithin } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { isUuid } from "../contract/schema.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import type { World } from "../worlds/world.ts";
import { authenticate, type CredentialHeaders } from "./authenticate.ts";
import { explainPair, findKeyElsewhere } from "./key-pairs.ts";
import {
  decodePercents,
  describePlaceholderRemedy,
  describeSimilar,
  findKind,
  isPlaceholder,
  withoutQuotes,
} from "./likely-mistakes.ts";
import { advise, describeEmptyValue, type RefusedCall, refine } from "./refused-call.ts";
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
  if (/^Authorization\s*:/i.test(key))
    return [
      "bearer_twice",
      "`Bearer` is followed by a whole `Authorization` header, not by a key.",
      "Put the key alone in the variable that holds it. Your program adds the name of the header and the word `Bearer`.",
    ];
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
  if (/^Bearer%[\da-f]{2}/i.test(authorization))
    return advise(
      refine(why, "no_bearer", "The `Authorization` header is percent-encoded: it has `%20` in place of a space."),
      "Send the header as it is: `Bearer`, a space and the key. Only addresses are percent-encoded.",
    );
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
  if (isPlaceholder(decodeHeader(given)))
    return withNext(why, {
      ...{ cause: "key_placeholder", pointers: [] },
      fact: "The integration ID is a placeholder: a variable was not filled in.",
      remedy: `Also set the variable of the \`Service-Integration-ID\`${ofKey ? ` to \`${ofKey.integration_id}\`` : ""}.`,
    });
  const mistake =
    given === ""
      ? "The `Service-Integration-ID` header is missing."
      : (describeIdMistake(given, ofKey?.integration_id) ?? causes.id_malformed.sentence);
  const id = ofKey
    ? `\`Service-Integration-ID: ${ofKey.integration_id}\``
    : "the `Service-Integration-ID` as it was issued";
  return withNext(why, { cause: "id_malformed", pointers: [], fact: mistake, remedy: `Also send ${id}.` });
};

/** ID in a `Service-Integration-ID` header, without what stands around it. */
export const readIntegrationId = (header: string): string => extractUuid(withoutQuotes(decodeHeader(header)));

const AROUND_KEY = /^["'“‘`]?(?:(?:token|api-?key|key)\s|(?:Bearer\W?\s*)+)/i;
/** First key in an `Authorization` header, without what stands around it. */
export const readBareKey = (authorization: string): string => {
  // A proxy that adds the header again joins both values with a comma.
  const [value = ""] = decodePercents(decodeHeader(authorization)).split(/,\s*Bearer\b/i, 1);
  return withoutQuotes(value.replace(AROUND_KEY, ""));
};

/** Headers without what stands around the key or the ID, for refusals over that; null for others. */
const bareHeaders = (
  { cause, fact }: RefusalReason,
  { authorization = "", integrationId = "" }: CredentialHeaders,
): CredentialHeaders | null => {
  if (cause === "key_and_id_swapped")
    return { authorization: `Bearer ${integrationId.trim()}`, integrationId: readKey(authorization) };
  if (cause === "no_bearer" || cause === "bearer_twice" || (cause === "key_quoted" && fact?.startsWith("The key"))) {
    const key = readBareKey(authorization);
    // Another scheme, such as Basic, has no key.
    return /\s/.test(key) ? null : { authorization: `Bearer ${key}`, integrationId };
  }
  return cause === "key_quoted" || cause === "id_malformed"
    ? { authorization, integrationId: readIntegrationId(integrationId) }
    : null;
};

/** Explains refused credentials, and what would be wrong with them if they were written as they should be. */
export const refineCredentials = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const first = judgeCredentials(why, call);
  const credentials = bareHeaders(first, call.credentials);
  if (credentials === null)
    return first.cause === "no_bearer" ? addIdMistake(first, call.credentials.integrationId?.trim() ?? "") : first;
  if (first.next || authenticate(credentials, call.world.stores.credentials) !== null) return first;
  const next = judgeCredentials({ cause: "credentials", pointers: [] }, { ...call, credentials });
  return next.cause === first.cause ? first : withNext(first, next);
};

const judgeCredentials = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const { world, credentials, findOtherWorld } = call;
  const headers = [credentials.authorization, credentials.integrationId];
  // An empty header is as good as none.
  const [authorization, integrationId] = headers.map((header) => (header?.trim() === "" ? undefined : header));
  const key = readKey(authorization ?? "");
  const ofKey = world.stores.credentials.findByKey(key);
  const sendId = ofKey ? `Send \`Service-Integration-ID: ${ofKey.integration_id}\` with this key.` : null;
  if (authorization !== undefined && !BEARER.test(authorization)) return refineScheme(why, world, authorization);
  if (authorization === undefined || integrationId === undefined) {
    const missing = [
      ...(authorization === undefined ? ["`Authorization`"] : []),
      ...(integrationId === undefined ? ["`Service-Integration-ID`"] : []),
    ];
    const fact =
      missing.length === 2
        ? `The ${missing.join(" and the ")} headers are missing.`
        : `The ${missing[0]} header is missing.`;
    const told = advise(refine(why, "no_credentials", fact), sendId);
    if (ofKey || key === "" || authorization === undefined || explainHeaders(authorization, "")) return told;
    const elsewhere = findKeyElsewhere(key, findOtherWorld);
    const unknown = { cause: "credentials", pointers: [], fact: "No integration in this world has this key." };
    return withNext(told, { ...unknown, ...(elsewhere ? { elsewhere } : {}) });
  }
  const given = integrationId.trim();
  const headerProblem = explainHeaders(authorization, given);
  if (headerProblem) {
    const [cause, fact, remedy = null] = headerProblem;
    const refined = advise(refine(why, cause, fact), remedy);
    return cause === "key_quoted" ? refined : addIdMistake(refined, given, ofKey);
  }
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
  return explainPair(why, call, key, given.toLowerCase());
};

/**
 * Names the setting that asks a subscription for credentials, if they are missing (D76).
 *
 * @param ownKeys whether the world has its own keys
 */
export const refineSubscriber = (
  why: RefusalReason,
  { subscribe_credentials: value }: Policies,
  ownKeys: boolean,
): RefusalReason => {
  if (why.cause !== "no_credentials") return why;
  const setting = `setting \`subscribe_credentials\` is \`${value}\``;
  const asks = value === "own_keys" ? `this world has its own keys, and its ${setting}` : `this world’s ${setting}`;
  const back = ownKeys ? "optional" : "own_keys";
  return {
    ...why,
    ...{ cause: "subscription_credentials", side: "sandbox" },
    fact: `${why.fact ?? causes.no_credentials.sentence} A subscription needs both, because ${asks}.`,
    remedy: `${why.remedy ?? causes.no_credentials.remedy} Or set \`subscribe_credentials\` to \`${back}\` with \`policies.set\`.`,
  };
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
