import { type Cause, type Check, causeOf, checkNames, checks, reasonOf } from "../contract/causes.ts";
import { MOST_FINDINGS } from "../contract/control/check-operations.ts";
import type { CheckVerdict, ExplainedRefusal, Explanation } from "../contract/control/explain-operations.ts";
import type { webhookCalls } from "../contract/control/fault-rows.ts";
import { policyChoices } from "../contract/control/policies.ts";
import type { UnroutedKind } from "../contract/control/rows.ts";
import { type ErrorCode, errorCodes, NO_MESSAGE, type RefusedFor } from "../contract/errors.ts";
import { decisionOnShape } from "../contract/explain.ts";
import { type DecisionId, decisionOf, isDecision } from "../contract/openapi/decisions.ts";
import type { Operation } from "../contract/operation.ts";
import { plural } from "../contract/plural.ts";
import { isUuid } from "../contract/schema.ts";
import { whyUnknown } from "../operations/authenticate.ts";
import { isJson } from "../operations/execute.ts";
import { partnerHandlers } from "../operations/registry.ts";
import { ignoredIn, parseBody } from "../operations/validation.ts";
import { remedyOfFault } from "../rules/faults.ts";
import { DEFAULT_WORLD } from "../rules/world-name.ts";
import type { KeptDetail } from "../storage/requests-store.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import { type Corrected, correctionOf, webhookCorrection } from "./corrections.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { ControlContext } from "./handler.ts";

type WebhookCall = (typeof webhookCalls)[number];

const checkOfUnrouted: Record<UnroutedKind, Check> = {
  unknown_operation: "address",
  unknown_path: "address",
  method: "address",
  host: "host",
  tenant: "tenant",
  too_large: "size",
  unreadable: "protocol",
};

const ofThePipeline: ReadonlySet<Check> = new Set(["credentials", "scope", "json", "shape"]);
/** What of it the operations beside the partner's go through. */
const ofWebhooks: Readonly<Record<WebhookCall, readonly Check[]>> = {
  "webhooks.subscribe": ["json", "shape"],
  "webhooks.secret": ["credentials", "json"],
};
const isWebhookCall = (operation: string | null): operation is WebhookCall =>
  operation !== null && Object.hasOwn(ofWebhooks, operation);

const isKnown = (code: string | null): code is ErrorCode => code !== null && Object.hasOwn(errorCodes, code);

const headerOf = ({ request_headers }: KeptDetail, name: string): string | undefined =>
  request_headers.find(([one]) => one === name)?.[1];

const sentence = (text: string): string => {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
};

/** The fault that answered in the place of the service; a delay only made the caller wait. */
const answeringFault = ({ faults = [], status }: KeptDetail) =>
  faults.findLast(({ kind }) => kind !== "delay" || status === 0);

/** The world that has the integration a call was refused for, where that is another; null otherwise. */
const worldOfCaller = (worlds: Worlds, world: World, kept: KeptDetail, why: RefusedFor | null): string | null => {
  const id = headerOf(kept, "service-integration-id")?.trim().toLowerCase();
  if (why?.cause !== "credentials" || id === undefined || world.stores.credentials.byIntegration(id)) return null;
  return worlds.findIntegration(id)?.world ?? null;
};

const goTo = (world: string): string =>
  world === DEFAULT_WORLD
    ? "Send the call without `x-sandbox-tenant`"
    : `Send \`x-sandbox-tenant: ${world}\` with the call`;

/** What one call met at each check. */
class Facts {
  readonly #world: World;
  readonly #kept: KeptDetail;
  readonly #operation: Operation | null;
  readonly #elsewhere: string | null;

  constructor(world: World, kept: KeptDetail, operation: Operation | null, elsewhere: string | null) {
    this.#world = world;
    this.#kept = kept;
    this.#operation = operation;
    this.#elsewhere = elsewhere;
  }

  #credentials(refused: boolean): string | null {
    if (this.#operation?.scope === "none") return "none needed";
    const authorization = headerOf(this.#kept, "authorization");
    const integration = headerOf(this.#kept, "service-integration-id");
    const credential =
      this.#kept.integration_id === null
        ? undefined
        : this.#world.stores.credentials.byIntegration(this.#kept.integration_id);
    const owner = credential && this.#world.stores.directory.organization(credential.organization_id)?.name;
    if (!refused) return [authorization?.replace(/^Bearer\s+/i, ""), owner && `of ${owner}`].filter(Boolean).join(" ");
    if (authorization === undefined) return "no Authorization header";
    if (whyUnknown({ authorization, integrationId: integration }) === "no_bearer")
      return "Authorization does not begin with Bearer";
    if (integration === undefined) return "no Service-Integration-ID header";
    if (!isUuid(integration.trim())) return "Service-Integration-ID is not a UUID";
    if (this.#world.stores.credentials.byIntegration(integration.trim().toLowerCase()))
      return "the key is not this integration’s";
    return `this world has no such integration${this.#elsewhere === null ? "" : `; ${this.#elsewhere} has`}`;
  }

  #fields(): string | null {
    const parsed = parseBody(Buffer.from(this.#kept.request_body_base64, "base64"));
    const { properties } = (this.#operation?.request ?? {}) as { properties?: Readonly<Record<string, unknown>> };
    if (!("value" in parsed) || !properties) return null;
    const declared = Object.keys(properties);
    const sent = declared.filter((key) => Object.hasOwn(Object(parsed.value), key));
    return `${sent.length} of ${plural(declared.length, "field")}`;
  }

  of(check: Check, refused: boolean): string | null {
    const { method, path, request_bytes, side, outcome } = this.#kept;
    switch (check) {
      case "address":
        return this.#operation ? `${method} ${this.#operation.id}` : `${method} ${path}`;
      case "host":
        return headerOf(this.#kept, "host") ?? null;
      case "tenant":
        return headerOf(this.#kept, "x-sandbox-tenant") ?? DEFAULT_WORLD;
      case "world":
        return this.#world.name;
      case "size":
        return refused ? null : plural(request_bytes, "byte");
      case "fault_before":
      case "fault_after":
        return answeringFault(this.#kept)?.kind ?? null;
      case "credentials":
        return this.#credentials(refused);
      case "scope":
        if (this.#operation?.scope === "none") return "none needed";
        return refused ? `${side}, but it takes ${this.#operation?.scope}` : side;
      case "json": {
        const type = headerOf(this.#kept, "content-type");
        return refused && !isJson(type) ? `sent as ${type}, not application/json` : plural(request_bytes, "byte");
      }
      case "shape":
        return this.#fields();
      case "rules":
        return refused ? null : outcome || null;
      default:
        return null;
    }
  }
}

const WHAT_ARRIVED =
  "Look at the bytes that arrived, and at what sent them: they end, or stop being HTTP, before a call is whole.";

const isRefused = ({ status }: KeptDetail): boolean => status === 0 || status >= 400;

const refusingCheck = (kept: KeptDetail, why: RefusedFor | null): Check | null => {
  if (!isRefused(kept)) return null;
  const fault = answeringFault(kept);
  if (fault) return fault.when === "before" ? "fault_before" : "fault_after";
  if (kept.unrouted) return checkOfUnrouted[kept.unrouted];
  if (why) return causeOf(why.cause).check;
  if (kept.error_code === "world_unavailable" || kept.error_code === "too_many_worlds") return "world";
  if (kept.error_code === "unauthorized") return "credentials";
  return kept.error_code === "forbidden" ? "scope" : "rules";
};

/** What of the check of the body is refused before its JSON is read. */
const nameBeforeJson: Partial<Record<Cause, string>> = { media_type: "Content type", encoding: "Content encoding" };

const verdictsOf = (
  world: World,
  kept: KeptDetail,
  operation: Operation | null,
  why: RefusedFor | null,
  elsewhere: string | null,
): CheckVerdict[] => {
  const at = refusingCheck(kept, why);
  const facts = new Facts(world, kept, operation, elsewhere);
  const { faults = [] } = kept;
  const met: Check[] = faults.map(({ when }) => (when === "before" ? "fault_before" : "fault_after"));
  const made = checks.filter((check) => {
    if (check.startsWith("fault_")) return met.includes(check);
    if (kept.unrouted !== undefined || operation !== null || !ofThePipeline.has(check)) return true;
    return isWebhookCall(kept.operation) && ofWebhooks[kept.operation].includes(check);
  });
  const last = at === null ? made.length : made.indexOf(at);
  return made.map((check, index): CheckVerdict => {
    const verdict = index < last ? "passed" : index === last ? "refused" : "not_reached";
    const fact = verdict === "not_reached" ? null : facts.of(check, verdict === "refused");
    const name = (verdict === "refused" && why && nameBeforeJson[why.cause]) || checkNames[check];
    return { check, name, verdict, fact };
  });
};

const decisionIn =
  ({ policies }: World) =>
  (id: DecisionId): ExplainedRefusal["decisions"][number] => {
    const { meaning, policy } = decisionOf(id);
    return {
      id,
      meaning,
      policy: policy && { name: policy, value: policies[policy], choices: [...policyChoices[policy]] },
    };
  };

/** The objects of the contract that bodies have, by the member they are sent in. */
const objectNames: ReadonlyMap<string, string> = new Map([
  ["vehicle", "Vehicle"],
  ["job_identity", "Job identity"],
  ["parts", "Part to insert"],
]);

/** Where the contract declares the field that a body is refused for. */
const sectionOfShape = ({ operation }: KeptDetail, [pointer = ""]: readonly string[]): string => {
  const name = objectNames.get(pointer.split("/")[1] ?? "");
  return name === undefined ? `Endpoints: ${operation}` : `Resources and their fields: ${name}`;
};

const whereInstead = (kept: KeptDetail): string => {
  const [nearest] = didYouMean(kept);
  if (nearest === undefined) return "Check the address: no operation is named nearly so.";
  const name = nearest.slice(nearest.lastIndexOf("/") + 1);
  return kept.path.endsWith(`/${name}`)
    ? `Call it at its own address: ${nearest}.`
    : `Check the operation’s name; the nearest is ${name}.`;
};

const refusalOf = (
  world: World,
  kept: KeptDetail,
  why: RefusedFor | null,
  elsewhere: string | null,
): ExplainedRefusal | null => {
  if (!isRefused(kept)) return null;
  const { status, error_code: code, outcome } = kept;
  const base = { code, status, cause: why?.cause ?? null, pointers: [...(why?.pointers ?? [])] };
  const fault = answeringFault(kept);
  if (fault) {
    const armed = world.faults.list().find(({ id }) => id === fault.id);
    return {
      ...base,
      ...{ cause: "fault", pointers: [], whose_side: "fault", section: null, decisions: [] },
      sentence: sentence(outcome),
      what_to_do: remedyOfFault(armed, Date.now()),
    };
  }
  if (status === 0) {
    return {
      ...base,
      ...{ whose_side: "sandbox", section: null, decisions: [] },
      sentence: "The connection ended before there was an answer.",
      what_to_do: "Read what the call was about, then send it again if it is not there.",
    };
  }
  const known = isKnown(code) ? errorCodes[code] : null;
  const isNowhere = kept.unrouted === "unknown_operation" || kept.unrouted === "unknown_path";
  const declared = why && causeOf(why.cause);
  const of = isNowhere ? "D5" : known?.origin;
  const origin = of !== undefined && isDecision(of) ? [of] : [];
  const isOfOperation = why?.cause === "shape" && !isWebhookCall(kept.operation);
  const onShape = isOfOperation ? decisionOnShape(outcome) : null;
  const ids = [...new Set<DecisionId>([...(declared?.decisions ?? []), ...(onShape ? [onShape] : []), ...origin])];
  const said =
    outcome === "" || outcome === NO_MESSAGE ? (known?.meaning ?? `It was answered ${code ?? status}`) : outcome;
  return {
    ...base,
    whose_side: status >= 500 ? "sandbox" : "partner",
    sentence: reasonOf(why, kept.label) ?? sentence(said),
    section: isOfOperation
      ? sectionOfShape(kept, why.pointers)
      : (declared?.section ?? (of === "contract" || of === "D1" ? "Errors" : null)),
    decisions: ids.map(decisionIn(world)),
    what_to_do:
      (elsewhere === null ? null : `${goTo(elsewhere)}: its integration is one of the world ${elsewhere}.`) ??
      declared?.whatToDo ??
      (kept.unrouted === "unreadable" ? WHAT_ARRIVED : null) ??
      (isNowhere ? whereInstead(kept) : known?.remedy) ??
      "Compare the call with the operation’s declaration.",
  };
};

const uncorrected = (kept: KeptDetail, elsewhere: string | null): string | null => {
  if (elsewhere !== null) return `The call is for the world ${elsewhere}; there is nothing else in it to correct.`;
  if (answeringFault(kept)) return "A fault answered the call; there is nothing in it to correct.";
  if (kept.unrouted) return "The call reached no operation; its body was not looked at.";
  if (kept.status === 0 || kept.status >= 500) return "The cause is not in the call.";
  if (kept.operation === "integrations.insert" || (kept.body_masked && kept.operation !== "webhooks.secret"))
    return "Its body held secrets, which are not kept: no correction of it can be tried.";
  return null;
};

/** What the call had that its operation does not know; a body that is no JSON object has nothing. */
const ignoredOf = ({ request }: Operation, text: string): Explanation["ignored"] => {
  const parsed = parseBody(Buffer.from(text));
  return "problem" in parsed ? [] : ignoredIn(request, parsed.value, MOST_FINDINGS);
};

/** Why an exchange was answered as it was. Changes nothing. */
export const explained = async (
  world: World,
  worlds: Worlds,
  info: ControlContext["info"],
  kept: KeptDetail,
): Promise<Explanation> => {
  const bound = partnerHandlers.find(({ operation }) => operation.id === kept.operation);
  const why = world.stores.requests.refusedFor(kept.id);
  const elsewhere = worldOfCaller(worlds, world, kept, why);
  const refusal = refusalOf(world, kept, why, elsewhere);
  const none = uncorrected(kept, elsewhere);
  const corrected: Corrected | null =
    refusal === null
      ? null
      : none !== null
        ? { none }
        : bound
          ? await correctionOf(world, bound, kept, info.baseUrl)
          : isWebhookCall(kept.operation)
            ? webhookCorrection(world, info, kept, why)
            : { none: "Corrections are known for what partners call alone." };
  const allow = kept.response_headers.find(([name]) => name === "allow")?.[1];
  return {
    id: kept.id,
    operation: kept.operation,
    checks: verdictsOf(world, kept, bound?.operation ?? null, why, elsewhere),
    refusal,
    correction: corrected && "correction" in corrected ? corrected.correction : null,
    no_correction: corrected && "none" in corrected ? corrected.none : null,
    ignored: bound ? ignoredOf(bound.operation, kept.request_body) : [],
    nearest: kept.unrouted ? { addresses: didYouMean(kept), method: allow?.split(",")[0]?.trim() ?? null } : null,
  };
};
