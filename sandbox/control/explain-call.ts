import { type Check, checkNames, checks } from "../contract/causes/row.ts";
import type { Section } from "../contract/causes/sections.ts";
import {
  type Cause,
  causeNames,
  causes,
  findCause,
  refusalReason,
  withFullReason,
  withNext,
  withNextRemedy,
} from "../contract/causes.ts";
import { type LinkCall, webhookCalls } from "../contract/control/exchange-kinds.ts";
import type { CheckVerdict, ExplainedRefusal, Explanation } from "../contract/control/explain-operations.ts";
import { MAX_FINDINGS } from "../contract/control/explain-operations.ts";
import type { FaultMark } from "../contract/control/fault-operations.ts";
import { policyChoices } from "../contract/control/policies.ts";
import type { RequestDetail } from "../contract/control/rows.ts";
import { NO_MESSAGE, type RefusalReason, sentence } from "../contract/errors.ts";
import { similarity } from "../contract/nearest-names.ts";
import { type DecisionId, getDecision } from "../contract/openapi/decisions.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { TEST_PREFIX } from "../contract/test-values.ts";
import { readIntegrationId, subscription } from "../operations/credential-causes.ts";
import { tellLaterInsert } from "../operations/existing-causes.ts";
import { describeOtherWorld } from "../operations/key-pairs.ts";
import { findMeantAddress, methodOf } from "../operations/meant-address.ts";
import type { FindOrigin } from "../operations/refused-call.ts";
import { partnerHandlers } from "../operations/registry.ts";
import { explainShape } from "../operations/shape-causes.ts";
import { findIgnored, findViolation } from "../operations/validation.ts";
import { describeFaultRemedy, findRespondingFault, findTestValue } from "../rules/worlds/faults.ts";
import { describeWorldRemedy } from "../rules/worlds/world-name.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import { explainSilence, findWarning, noteInsertInstead, parseRecordedBody } from "./accepted-warnings.ts";
import {
  describeCallRemedy,
  describeElsewhereRemedy,
  describeFurtherEdits,
  describeRemedy,
  describeShapeRemedy,
} from "./call-remedy.ts";
import { findCorrection, NO_CORRECTION } from "./correction.ts";
import type { ControlContext } from "./handler.ts";
import { noteIgnored } from "./ignored-parts.ts";
import { correctParameters } from "./parameters-body.ts";
import { tellUnknownEverywhere } from "./unknown-everywhere.ts";

/** Checks that not every operation outside the contract makes. */
const optionalChecks: readonly Check[] = ["credentials", "scope", "json", "shape"];
const routeChecks: Readonly<Record<string, readonly Check[]>> = {
  "webhooks.subscribe": ["json", "shape"],
  "webhooks.secret": ["credentials", "json"],
  "uploads.put": ["credentials"],
  "media.get": [],
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
  if (findTestValue(call)) return "fault_after";
  return cause === null ? "rules" : causes[cause].check;
};

const listVerdicts = (call: RequestDetail, cause: Cause | null): CheckVerdict[] => {
  const hit = (call.faults ?? []).map(({ when }) => `fault_${when}`);
  const own = call.operation === null ? undefined : routeChecks[call.operation];
  const at = refusingCheck(call, cause);
  const isTest = at === "fault_after" && findTestValue(call) !== undefined;
  const performed = checks.filter((check) => {
    // A test value responds in place of the operation.
    if (check === "rules" && isTest) return false;
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
    name: isTest && check === at ? "Test value" : checkNames[check],
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
  const stored = world.stores.requests.findRefusal(call.id);
  const why = stored && withFullReason(stored, maySee);
  if (!why || why.elsewhere || why.next?.elsewhere) return why;
  const { next } = why;
  // A reason of its own says of which world the key is, or the ID.
  const isUnknown = why.cause === "credentials" && why.fact === undefined;
  const isOfPair = isUnknown || (next?.cause === "credentials" && next.fact === causes.credentials.sentence);
  const sent = call.request_headers.find(([name]) => name === "service-integration-id")?.[1];
  const id = sent === undefined ? undefined : readIntegrationId(sent).toLowerCase();
  if (!isOfPair || id === undefined || world.stores.credentials.findByIntegration(id)) return why;
  const other = (await worlds.findIntegration(id))?.world;
  if (other === undefined || other === world.name || !maySee(other)) return why;
  // Records have no keys, so it isn't known whether the key is the ID's.
  const remedy = `${describeWorldRemedy(other)} Its key is the one that was issued with this ID.`;
  const elsewhere = { world: other, fact: describeOtherWorld(other, world.name), remedy };
  return withFullReason(
    next?.cause === "credentials" ? { ...why, next: { ...next, elsewhere } } : { ...why, elsewhere },
    maySee,
  );
};

/** Says which fault of the world a call met. @param name null if it has none, or was deleted */
const describeMeeting = ({ kind }: FaultMark, name: string | null, world: string): string => {
  const fault = `${name === null ? "A fault" : `The fault “${name}”`} of world ${world}`;
  if (kind === "delay") return `${fault} delayed this call.`;
  return kind === "drop" || kind === "hang"
    ? `${fault} left this call without a response.`
    : `${fault} responded to this call.`;
};

/** Explains a response that a test value of the job's claim number caused (D93). */
const describeTestAnswer = (
  { status, error_code, label }: RequestDetail,
  value: string,
): Pick<ExplainedRefusal, "sentence" | "what_to_do"> => {
  const claim = `The claim number of job ${label ?? ""} has the test value \`${TEST_PREFIX}${value}\``;
  const change = "Or give the job another claim number.";
  if (status === 0)
    return {
      sentence: `${claim}, and the caller did not wait so long. The call never ran.`,
      what_to_do: `Allow the client more time than the delay, then send the call again. ${change}`,
    };
  const times = Number(/\*(\d+)$/.exec(value)?.[1] ?? 1);
  const calls = times === 1 ? "one call" : `${times} calls`;
  return {
    sentence: `${claim}, which asks for this response: ${status} ${error_code ?? ""}. The call did not run.`,
    what_to_do: `Send the call again: the test value responds to ${calls} that ${times === 1 ? "names" : "name"} the job. ${change}`,
  };
};

/** Section of an operation; null for extensions, which the contract doesn't show. */
const sectionOf = ({ id, surface }: Operation): Section | null => (surface === "contract" ? `Endpoints: ${id}` : null);

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
    const said = `${describeMeeting(fault, armed?.name ?? null, world.name)} ${sentence(outcome)}`;
    return { ...none, whose_side: "fault", cause: "fault", sentence: said, what_to_do: todo };
  }
  const value = findTestValue(call);
  if (value !== undefined) return { ...none, whose_side: "fault", cause: "fault", ...describeTestAnswer(call, value) };
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
    whose_side: why?.side ?? (status >= 500 ? "sandbox" : "partner"),
    sentence: refusalReason(why, call.label) ?? sentence(outcomeText),
    section: cause === "shape" && operation ? sectionOf(operation) : (row?.section ?? null),
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
/** A longer address resembles none that is known. */
const MAX_ADDRESS_CHARS = 300;
/** Likely intended addresses. Compares words, so parts, camel case and REST paths match. */
const findNearestAddresses = ({ path, method }: RequestDetail): string[] => {
  const address = path.split("?", 1)[0]?.slice(0, MAX_ADDRESS_CHARS) ?? "";
  const meant = findMeantAddress(address);
  const words = splitWords(address);
  const named = words.map(canonicalVerb);
  const verbs = otherVerbs[named.at(-1) ?? ""] ? named.slice(-1) : [named.at(-1), canonicalVerb(method.toLowerCase())];
  const near = addresses
    .map((one) => {
      const theirs = splitWords(one);
      const isWithin = words.length > 0 && named.every((word) => theirs.includes(word));
      const alike = similarity(words.join("."), theirs.join(".")) + (isWithin ? MIN_ADDRESS_SIMILARITY : 0);
      return { one, alike, by: alike + (verbs.includes(theirs.at(-1) ?? "") ? SAME_VERB_BONUS : 0) };
    })
    .filter(({ alike }) => alike >= MIN_ADDRESS_SIMILARITY)
    .toSorted((one, other) => other.by - one.by)
    .map(({ one }) => one);
  return [...new Set([...(meant ? [meant.address] : []), ...near])].slice(0, MAX_NEAREST);
};

/** Adds the mistake of a body that a call refused for its key would be refused for next. */
const addShape = (why: RefusalReason, operation: Operation | null, body: unknown): RefusalReason => {
  const check = findCause(why.cause)?.check;
  const isOfKey = why.next === undefined && (check === "credentials" || check === "scope");
  const problem = isOfKey && operation && body !== undefined ? findViolation(operation.request, body) : null;
  if (!problem || !operation) return why;
  const { fact = sentence(problem.message), ...explained } = explainShape(operation.request, body, problem);
  const next = { cause: "shape", pointers: [problem.pointer], fact, ...explained };
  return withNext(why, {
    ...next,
    remedy: explained.remedy ?? describeShapeRemedy(next, body, []) ?? "Correct the body.",
  });
};

/** Tells that only the first of several `Authorization` headers counts, if another has a key. */
const tellSecondHeader = (why: RefusalReason, { request_headers }: RequestDetail): RefusalReason => {
  const [first = "", ...others] = request_headers
    .filter(([name]) => name === "authorization")
    .map(([, value]) => value);
  if (why.cause !== "no_bearer" || !others.some((one) => /^Bearer\s/i.test(one))) return why;
  const [scheme = ""] = first.split(" ", 1);
  return {
    ...why,
    fact: `The \`Authorization\` header was sent twice, and only the first counts: it starts with \`${scheme}\`, not with \`Bearer\`.`,
    remedy:
      "Send the header once, with `Bearer` and the key. A proxy or an HTTP client likely adds the first one: turn that off there.",
  };
};

/** Tells that a clock is back that made a code expire. */
const tellClockBack = (why: RefusalReason, { clockOffset }: World): RefusalReason =>
  why.cause === "access_code_clock" && clockOffset <= 0
    ? { ...why, remedy: "The clock is back: send the call again. If the code has expired since, get a new one." }
    : why;

/** Further values are only counted. */
const MAX_SUGGESTIONS = 8;

export const explainCall = async (
  world: World,
  worlds: Worlds,
  call: RequestDetail,
  maySee: ControlContext["maySee"],
  findOrigin: FindOrigin,
): Promise<Explanation> => {
  const bound = partnerHandlers.find(({ operation }) => operation.id === call.operation);
  const operation = bound?.operation ?? null;
  const refusal = await findRefusal(worlds, world, call, maySee);
  const cause = readCause(call, refusal);
  const isNowhere = call.unrouted === "unknown_operation" || call.unrouted === "unknown_path";
  const near = isNowhere ? findNearestAddresses(call) : [];
  const body = parseRecordedBody(call);
  const told = refusal && tellClockBack(tellSecondHeader(refusal, call), world);
  const why = told && tellLaterInsert(world, call, addShape(told, operation, body?.value), body?.value);
  const warning = isRefused(call) ? null : await findWarning(world, worlds, call, body?.value, { maySee, findOrigin });
  const silence = isRefused(call) || warning !== null ? null : explainSilence(world, worlds, call, maySee);
  const notes = [
    ...noteIgnored(world, call, cause, body !== null),
    ...(isRefused(call) ? [] : noteInsertInstead(world, call, body?.value)),
    ...(silence === null ? [] : [silence]),
  ];
  const isCorrectable = bound && body && why && !call.body_masked && !findRespondingFault(call);
  const ofAddress = cause === "method" || cause === "shape" ? correctParameters(call) : null;
  const proposed = ofAddress ?? (isCorrectable ? findCorrection(world, bound, call, body.value, why) : NO_CORRECTION);
  const nowhere =
    proposed.correction || proposed.suggestions.length > 0
      ? null
      : await tellUnknownEverywhere(worlds, why, body?.value, maySee);
  const shown = why && nowhere ? { ...why, fact: nowhere.fact } : why;
  const first =
    describeElsewhereRemedy(cause, why) ??
    why?.remedy ??
    nowhere?.remedy ??
    describeCallRemedy(call, cause, why, body?.value, proposed) ??
    describeRemedy(cause, near);
  const next = why?.next && {
    ...why.next,
    remedy: describeElsewhereRemedy(why.next.cause, why.next) ?? why.next.remedy,
  };
  const further = why?.cause === "shape" && why.remedy ? describeFurtherEdits(first, proposed) : null;
  const todo = further === null ? first : `${first} ${further}`;
  const allow = call.response_headers.find(([name]) => name === "allow")?.[1];
  const meantMethod = why?.next?.cause === "method" ? methodOf(near[0]) : null;
  const request = operation?.request ?? (call.operation === "webhooks.subscribe" ? subscription : null);
  return {
    id: call.id,
    operation: call.operation,
    checks: listVerdicts(call, cause),
    refusal: isRefused(call) ? explainRefusal(world, call, operation, shown, withNextRemedy(todo, next)) : null,
    correction: proposed.correction,
    suggestions: proposed.suggestions.slice(0, MAX_SUGGESTIONS),
    more_suggestions: Math.max(0, proposed.suggestions.length - MAX_SUGGESTIONS),
    ignored: request && body ? findIgnored(request, body.value, MAX_FINDINGS) : [],
    ...(notes.length === 0 ? {} : { notes }),
    ...(warning === null ? {} : { warning }),
    nearest: call.unrouted ? { addresses: near, method: allow?.split(",")[0]?.trim() ?? meantMethod } : null,
  };
};
