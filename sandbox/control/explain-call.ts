import {
  type Cause,
  type Check,
  causeNames,
  causes,
  checkNames,
  checks,
  findCause,
  refusalReason,
  withFullReason,
} from "../contract/causes.ts";
import { type LinkCall, webhookCalls } from "../contract/control/exchange-kinds.ts";
import type {
  CheckVerdict,
  Correction,
  Edit,
  ExplainedRefusal,
  Explanation,
} from "../contract/control/explain-operations.ts";
import { MAX_FINDINGS } from "../contract/control/explain-operations.ts";
import { policyChoices } from "../contract/control/policies.ts";
import type { RequestDetail } from "../contract/control/rows.ts";
import { NO_MESSAGE, type RefusalReason, sentence } from "../contract/errors.ts";
import { isObject } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { similarity } from "../contract/nearest-names.ts";
import { type DecisionId, getDecision } from "../contract/openapi/decisions.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import { integrationsInsert, partnerOperations } from "../contract/operations/partner.ts";
import { describeOtherWorld, subscription } from "../operations/credential-causes.ts";
import { isPlaceholder } from "../operations/likely-mistakes.ts";
import { partnerHandlers } from "../operations/registry.ts";
import { findIgnored } from "../operations/validation.ts";
import { repeatedNames } from "../rules/json/raw-json.ts";
import { describeFaultRemedy, findRespondingFault, isTestAnswer } from "../rules/worlds/faults.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import { explainSilence, findWarning, parseRecordedBody } from "./accepted-warnings.ts";
import { findCorrection } from "./correction.ts";
import type { ControlContext } from "./handler.ts";

/** Checks that not every operation outside the contract makes. */
const optionalChecks: readonly Check[] = ["credentials", "scope", "json", "shape"];
const routeChecks: Readonly<Record<string, readonly Check[]>> = {
  "webhooks.subscribe": ["json", "shape"],
  "webhooks.secret": ["credentials", "json"],
  "uploads.put": ["credentials"],
  "oauth.authorize": [],
} satisfies Record<(typeof webhookCalls)[number] | LinkCall, readonly Check[]>;

const addresses = [
  ...partnerOperations.map(operationPath),
  ...webhookCalls.map((id) => `/__${id.replace(".", "/")}`),
  "/__webhooks/sink",
];

const isRefused = ({ status }: RequestDetail): boolean => status === 0 || status >= 400;

/** Cause of a refusal, by its name in the table; null if none is recorded. */
const readCause = ({ unrouted, error_code }: RequestDetail, why: RefusalReason | null): Cause | null => {
  const name = why?.cause ?? unrouted ?? error_code;
  return causeNames.find((one) => one === name) ?? null;
};

const refusingCheck = (call: RequestDetail, cause: Cause | null): Check | null => {
  if (!isRefused(call)) return null;
  const fault = findRespondingFault(call);
  if (fault) return fault.when === "before" ? "fault_before" : "fault_after";
  return cause === null || isTestAnswer(call) ? "rules" : causes[cause].check;
};

const listVerdicts = (call: RequestDetail, cause: Cause | null): CheckVerdict[] => {
  const hit = (call.faults ?? []).map(({ when }) => `fault_${when}`);
  const own = call.operation === null ? undefined : routeChecks[call.operation];
  const at = refusingCheck(call, cause);
  const performed = checks.filter((check) => {
    // A world's policies may add this check.
    if (check === at) return true;
    if (check.startsWith("fault_")) return hit.includes(check);
    // Most services have no rate limit.
    if (check === "limit") return call.unrouted === "rate_limited";
    return own === undefined || !optionalChecks.includes(check) || own.includes(check);
  });
  const last = at === null ? performed.length : performed.indexOf(at);
  return performed.map((check, index) => ({
    check,
    name: checkNames[check],
    verdict: index < last ? "passed" : index === last ? "refused" : "not_reached",
  }));
};

const decisionIn =
  ({ policies }: World) =>
  (id: DecisionId): ExplainedRefusal["decisions"][number] => {
    const { meaning, policy } = getDecision(id);
    const value = policy && { name: policy, value: policies[policy], choices: [...policyChoices[policy]] };
    return { id, meaning, policy: value };
  };

/** Reason for a refusal. Also looks in other worlds, the likeliest place of an unknown integration. */
const findRefusal = async (
  worlds: Worlds,
  world: World,
  call: RequestDetail,
  maySee: ControlContext["maySee"],
): Promise<RefusalReason | null> => {
  const why = world.stores.requests.findRefusal(call.id);
  if (why?.elsewhere) return maySee(why.elsewhere.world) ? withFullReason(why) : why;
  const id = call.request_headers
    .find(([name]) => name === "service-integration-id")?.[1]
    .trim()
    .toLowerCase();
  if (why?.cause !== "credentials" || id === undefined || world.stores.credentials.findByIntegration(id)) return why;
  const other = (await worlds.findIntegration(id))?.world;
  if (other === undefined || other === world.name || !maySee(other)) return why;
  return withFullReason({ ...why, elsewhere: { world: other, fact: describeOtherWorld(other) } });
};

/** Headers that affect the result of a call. */
const RELEVANT_HEADERS = ["x-sandbox-tenant", "service-integration-id", "authorization"];
/** Similar headers of other services. */
const HEADER_ALIASES: Readonly<Record<string, string>> = {
  "x-api-key": "authorization",
  "api-key": "authorization",
  apikey: "authorization",
  "x-auth-token": "authorization",
  "x-tenant": "x-sandbox-tenant",
  "x-tenant-id": "x-sandbox-tenant",
  tenant: "x-sandbox-tenant",
  "x-world": "x-sandbox-tenant",
  "x-sandbox-world": "x-sandbox-tenant",
  "integration-id": "service-integration-id",
  "x-integration-id": "service-integration-id",
};
/** Similarity (0 to 1) from which a header counts as a misspelling. */
const MIN_HEADER_SIMILARITY = 0.75;

/** Notes on ignored headers that were likely meant as one of these. */
const noteIgnoredHeaders = ({ request_headers }: RequestDetail): string[] =>
  [...new Set(request_headers.map(([name]) => name))].flatMap((name) => {
    if (RELEVANT_HEADERS.includes(name)) return [];
    if (/^(?:x-)?idempotency-key$/.test(name))
      return `The header ${name} was ignored. The identity of a job or a part says whether a call is repeated.`;
    const dashedName = name.replaceAll("_", "-");
    const meant =
      HEADER_ALIASES[dashedName] ??
      RELEVANT_HEADERS.find((one) => similarity(dashedName, one) >= MIN_HEADER_SIMILARITY);
    if (meant === undefined) return [];
    return `The header ${name} was ignored. Did you mean ${meant === "authorization" ? "authorization: Bearer <api_key>" : meant}?`;
  });

/** Note on OAuth credentials in a header, where other services read them. */
const noteBasicClient = ({ operation, request_headers }: RequestDetail): string[] =>
  operation === integrationsInsert.id && request_headers.some(([name]) => name === "authorization")
    ? ["The header authorization was ignored. Send client_id and client_secret in the body."]
    : [];

/** Note on a second `Authorization` header, which Node drops. */
const noteRepeatedKey = ({ request_headers }: RequestDetail): string[] =>
  request_headers.filter(([name]) => name === "authorization").length > 1
    ? ["The header authorization was sent twice. Only the first counts."]
    : [];

/** Note on credentials among the fields of a body, where HTTP clients put misplaced headers. */
const noteKeyInBody = ({ request_body_base64 }: RequestDetail, cause: Cause | null): string[] =>
  cause === "no_credentials" &&
  /"(?:authorization|api_?key|integration_?id)"\s*:/i.test(Buffer.from(request_body_base64, "base64").toString("utf8"))
    ? ["The body has credentials. They are read from the headers only."]
    : [];

/** Parameters of an address named in notes. */
const MAX_PARAMETERS_NAMED = 4;
/** Notes on parameters of the address, which operations don't read. */
const noteIgnoredQuery = ({ path }: RequestDetail, { name: world }: World): string[] =>
  [...new Set(new URLSearchParams(path.split("?")[1] ?? "").keys())]
    .slice(0, MAX_PARAMETERS_NAMED)
    .map((name) =>
      /key|token|auth/i.test(name)
        ? `The parameter ${name} of the address was ignored. Send the key as authorization: Bearer <api_key>.`
        : /tenant|world/i.test(name)
          ? `The parameter ${name} of the address was ignored, and the call went to world ${world}. Name the world in the header x-sandbox-tenant.`
          : `The parameter ${name} of the address was ignored. Fields belong in the body.`,
    );

/** Notes on repeated names in a body, of which only the last counts. */
const noteRepeatedNames = ({ request_body_base64 }: RequestDetail): string[] =>
  repeatedNames(Buffer.from(request_body_base64, "base64").toString("utf8")).map(
    (name) => `The name ${name} is twice in one object of the body. Only the last value counts.`,
  );

/** Longest value shown in a sentence. */
const MAX_SHOWN_CHARS = 80;

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

const describeEdit = ({ pointer, after }: Edit): string | null => {
  const value = JSON.stringify(after) ?? "";
  return value.length <= MAX_SHOWN_CHARS ? `\`${pointer}\` as \`${value}\`` : null;
};

/** Remedy for invalid fields, by their names. */
const describeShapeRemedy = (
  { pointers }: RefusalReason,
  body: unknown,
  correction: Correction | null,
): string | null => {
  const named = pointers.filter((one) => one !== "");
  const [pointer] = named;
  if (pointer === undefined) return null;
  const all = listed(named.map((one) => `\`${one}\``));
  if (valueAt(body, pointer) === undefined) return `Add ${all}, then send the call again.`;
  const edits = named.map((one) => correction?.edits.find((edit) => edit.pointer === one));
  if (edits[0] && edits[0].after === undefined) return `Leave \`${pointer}\` out, then send the call again.`;
  const sent = edits.flatMap((edit) => (edit ? (describeEdit(edit) ?? []) : []));
  return sent.length === named.length ? `Send ${listed(sent)}.` : `Correct ${all}, then send the call again.`;
};

/** Remedy for a value that a program didn't fill in or printed as an object; null for others. */
const describeUnfilled = (body: unknown, [pointer = ""]: readonly string[]): string | null => {
  const value = valueAt(body, pointer);
  const [sent] = isObject(value) ? Object.values(value) : [value];
  if (typeof sent !== "string") return null;
  if (sent.includes("[object ")) return "Send the object’s field, not the object: the program joined it with a text.";
  return isPlaceholder(sent) ? causes.key_placeholder.remedy : null;
};

/** Checks whether a browser asked if a page of another site may call the service. */
const isPreflight = ({ method, request_headers }: RequestDetail): boolean =>
  method === "OPTIONS" && request_headers.some(([name]) => name === "access-control-request-method");

const hostOf = ({ request_headers }: RequestDetail): string =>
  request_headers.find(([name]) => name === "host")?.[1].replace(/:\d+$/, "") ?? "";

/** Remedy derived from the call; null if only the cause gives one. */
const describeCallRemedy = (
  call: RequestDetail,
  cause: Cause | null,
  why: RefusalReason | null,
  body: unknown,
  correction: Correction | null,
): string | null => {
  const allow = call.response_headers.find(([name]) => name === "allow")?.[1];
  if (isPreflight(call)) return causes.cross_site.remedy;
  if (cause === "method" && call.path.startsWith("/__media/"))
    return "Send the picture to the `upload_url`. The `public_url` is for reading.";
  if (cause === "method" && allow) return `Send the call with the method ${allow}.`;
  if (cause === "shape" && call.path.includes("?") && call.request_bytes === 0)
    return "Send the fields as JSON in the body. They are not read from the address.";
  if (cause === "host" && why)
    return `Call the service at the address that it printed, or start it with \`--allow-host ${hostOf(call)}\`.`;
  const unfilled = why && describeUnfilled(body, why.pointers);
  if (unfilled) return unfilled;
  const meant = why?.meant && correction?.edits.filter(({ after }) => after !== undefined).map(describeEdit);
  if (meant?.length && !meant.includes(null)) return `Send ${listed(meant.map(String))}.`;
  if (cause === "shape" && why && body !== undefined) return describeShapeRemedy(why, body, correction);
  const edit = correction?.edits.at(-1);
  if (cause === "job_exists" && valueAt(correction?.body, "/if_/exists") === "replace")
    return 'Send `if_` as `{"exists":"replace"}`.';
  const isNearest = typeof findCause(cause)?.fix === "string" && edit;
  return isNearest ? `Send the nearest one known: \`${String(edit.after).slice(0, MAX_SHOWN_CHARS)}\`.` : null;
};

const describeRemedy = (cause: Cause | null, nearest: readonly string[], why: RefusalReason | null): string => {
  const other = cause?.endsWith("_other_world") ? why?.elsewhere?.world : undefined;
  if (other === DEFAULT_WORLD) return "Send the call without `x-sandbox-tenant`: it is meant for the world `default`.";
  if (other !== undefined) return `Send \`x-sandbox-tenant: ${other}\` with the call.`;
  if (nearest[0] !== undefined) return `Check the address. The nearest one is \`${nearest[0]}\`.`;
  return findCause(cause)?.remedy ?? "Correct what the response names, then send the call again.";
};

const explainRefusal = (
  world: World,
  call: RequestDetail,
  operation: Operation | null,
  why: RefusalReason | null,
  what_to_do: string,
): ExplainedRefusal => {
  const { status, error_code: code, outcome } = call;
  const none = { code, status, cause: null, pointers: [], section: null, decisions: [] };
  const fault = findRespondingFault(call);
  if (fault) {
    const armed = world.faults.list().find(({ id }) => id === fault.id);
    const todo = describeFaultRemedy(armed, fault.when, realTime());
    return { ...none, whose_side: "fault", cause: "fault", sentence: sentence(outcome), what_to_do: todo };
  }
  if (isTestAnswer(call)) {
    const todo =
      "Send the call again: each value applies to a limited number of calls. Or give the job another claim number.";
    return { ...none, whose_side: "fault", sentence: sentence(outcome), what_to_do: todo };
  }
  const cause = readCause(call, why);
  if (status === 0 && cause === null) {
    const todo = "Read the affected record. Send the call again if the change is missing.";
    return { ...none, whose_side: "sandbox", sentence: "The connection ended before the response.", what_to_do: todo };
  }
  const row = findCause(cause);
  const outcomeText =
    outcome === "" || outcome === NO_MESSAGE ? (row?.sentence ?? `The response was ${code ?? status}`) : outcome;
  return {
    ...none,
    cause,
    pointers: [...(why?.pointers ?? [])],
    ...(why?.place ? { place: why.place } : {}),
    ...(why?.earlier ? { earlier: why.earlier } : {}),
    whose_side: status >= 500 ? "sandbox" : "partner",
    sentence: refusalReason(why, call.label) ?? sentence(outcomeText),
    section: cause === "shape" && operation ? `Endpoints: ${operation.id}` : (row?.section ?? null),
    decisions: (row?.decisions ?? []).map(decisionIn(world)),
    what_to_do,
  };
};

/** Verbs of other services for the same operations. */
const otherVerbs: Readonly<Record<string, readonly string[]>> = {
  insert: ["create", "add", "new", "update", "upsert", "save", "post", "put", "patch"],
  get: ["read", "fetch", "show", "find", "head"],
  list: ["all", "index", "search"],
  delete: ["remove"],
  confirm: ["accept"],
};
const canonicalVerb = (word: string): string =>
  Object.keys(otherVerbs).find((verb) => verb === word || otherVerbs[verb]?.includes(word)) ?? word;

/** Addresses of other services for the same operations. */
const foreignAddresses: readonly (readonly [RegExp, string])[] = [
  [/^\/?(?:api\/)?(?:oauth2?\/)?token\/?$/i, operationPath(integrationsInsert)],
  [/^\/?(?:api\/)?oauth2?\/authorize\/?$/i, "/__oauth/authorize"],
];

const splitWords = (path: string): string[] =>
  path
    .replaceAll(/([a-z])([A-Z])/g, "$1.$2")
    .toLowerCase()
    .replace(/(?:%[\da-f]{2}|\.(?:json|xml|php))+$/, "")
    .split(/[/.]/)
    .filter((word) => word !== "" && !/^(?:api|__\w+|v?\d[\d.-]*|[0-9a-f-]{36}|(?:%7b|[{<]).*)$/.test(word));

/** Similarity (0 to 1) from which a name counts as meant; the same verb adds to it. */
const MIN_ADDRESS_SIMILARITY = 0.4;
const SAME_VERB_BONUS = 0.5;
const MAX_NEAREST = 3;
/** Likely intended addresses. Compares words, so parts, camel case and REST paths match. */
const findNearestAddresses = ({ path, method }: RequestDetail): string[] => {
  const [address = ""] = path.split("?", 1);
  const known = foreignAddresses.find(([pattern]) => pattern.test(address));
  if (known) return [known[1]];
  const words = splitWords(address);
  const named = words.map(canonicalVerb);
  const verbs = otherVerbs[named.at(-1) ?? ""] ? named.slice(-1) : [named.at(-1), canonicalVerb(method.toLowerCase())];
  return addresses
    .map((one) => {
      const theirs = splitWords(one);
      const isWithin = words.length > 0 && named.every((word) => theirs.includes(word));
      const alike = similarity(words.join("."), theirs.join(".")) + (isWithin ? MIN_ADDRESS_SIMILARITY : 0);
      return { one, alike, by: alike + (verbs.includes(theirs.at(-1) ?? "") ? SAME_VERB_BONUS : 0) };
    })
    .filter(({ alike }) => alike >= MIN_ADDRESS_SIMILARITY)
    .toSorted((one, other) => other.by - one.by)
    .slice(0, MAX_NEAREST)
    .map(({ one }) => one);
};

/** Further values are only counted. */
const MAX_SUGGESTIONS = 8;

export const explainCall = async (
  world: World,
  worlds: Worlds,
  call: RequestDetail,
  maySee: ControlContext["maySee"],
): Promise<Explanation> => {
  const bound = partnerHandlers.find(({ operation }) => operation.id === call.operation);
  const operation = bound?.operation ?? null;
  const why = await findRefusal(worlds, world, call, maySee);
  const cause = readCause(call, why);
  const isNowhere = call.unrouted === "unknown_operation" || call.unrouted === "unknown_path";
  const near = isNowhere ? findNearestAddresses(call) : [];
  const body = parseRecordedBody(call);
  const warning = isRefused(call) ? null : await findWarning(world, worlds, call, maySee);
  const silence = isRefused(call) || warning !== null ? null : explainSilence(world, call);
  const notes = [
    ...noteIgnoredHeaders(call),
    ...noteRepeatedKey(call),
    ...noteBasicClient(call),
    ...(body ? noteKeyInBody(call, cause) : []),
    ...(bound || call.operation?.startsWith("webhooks.") ? noteIgnoredQuery(call, world) : []),
    ...(call.test_values ?? []).filter(({ known }) => !known).map(({ sentence: text }) => text),
    ...(body ? noteRepeatedNames(call) : []),
    ...(silence === null ? [] : [silence]),
  ];
  const isCorrectable = bound && body && why && !call.body_masked && !findRespondingFault(call);
  const proposed = isCorrectable ? findCorrection(world, bound, call, body.value, why) : null;
  const todo =
    describeCallRemedy(call, cause, why, body?.value, proposed?.correction ?? null) ?? describeRemedy(cause, near, why);
  const allow = call.response_headers.find(([name]) => name === "allow")?.[1];
  const request = operation?.request ?? (call.operation === "webhooks.subscribe" ? subscription : null);
  return {
    id: call.id,
    operation: call.operation,
    checks: listVerdicts(call, cause),
    refusal: isRefused(call) ? explainRefusal(world, call, operation, why, todo) : null,
    correction: proposed?.correction ?? null,
    suggestions: proposed?.suggestions.slice(0, MAX_SUGGESTIONS) ?? [],
    more_suggestions: Math.max(0, (proposed?.suggestions.length ?? 0) - MAX_SUGGESTIONS),
    ignored: request && body ? findIgnored(request, body.value, MAX_FINDINGS) : [],
    ...(notes.length === 0 ? {} : { notes }),
    ...(warning === null ? {} : { warning }),
    nearest: call.unrouted ? { addresses: near, method: allow?.split(",")[0]?.trim() ?? null } : null,
  };
};
