import { isUtf8 } from "node:buffer";
import type { ReceiverBehaviour } from "../../contract/control/receiver-operations.ts";
import type { RequestDetail, UnroutedKind } from "../../contract/control/rows.ts";
import type { EventType } from "../../contract/event-types.ts";
import { isDecision } from "../../contract/openapi/decisions.ts";
import { operationPath } from "../../contract/operation.ts";
import { partnerOperations } from "../../contract/operations/partner.ts";
import {
  type CallStep,
  type Expectation,
  type ScenarioMethod,
  type Step,
  scenarioMethods,
} from "../../contract/scenario.ts";
import { tryParseJson } from "../json/untyped.ts";

/** A recorded call with masked secrets. */
export interface RecordedCall
  extends Readonly<Pick<RequestDetail, "id" | "method" | "path" | "operation" | "status" | "request_headers">> {
  readonly unrouted: UnroutedKind | null;
  /** Credential of the call; null without one, or with an invalid one. */
  readonly caller: Pick<CallStep["call"], "as" | "credentials"> | null;
  readonly body: Buffer;
  readonly answer: Buffer;
  /** True if the user picked the call; otherwise it is a prerequisite. */
  readonly picked: boolean;
  /** Policy the refusal depends on. */
  readonly decision: string | null;
  /** Grant of a successful install. */
  readonly grant: object | null;
  /** The client's secret, as a reference. */
  readonly clientSecret: string | null;
  /** Sent notifications it caused, by subscription. */
  readonly notifications: ReadonlyMap<string, readonly { readonly event_type: EventType; readonly payload: unknown }[]>;
}

/** Original time of a repeated act: real and on the world's clock, milliseconds since 1970. */
export interface OriginalTime {
  readonly at: number;
  readonly clock: number;
}

/** One act in chronological order. `at` is real time, milliseconds since 1970. */
export type Act = { readonly at: number } & (
  | { readonly call: RecordedCall }
  | { readonly control: string; readonly name: string; readonly body: object }
  | {
      readonly subscription: string;
      readonly integration_id: string;
      readonly url: string;
      /** Response status of each attempt; null for no response. */
      readonly statuses: readonly (number | null)[];
      /** Set for a built-in receiver. */
      readonly behaviour: ReceiverBehaviour | null;
    }
  /** An act that can't be repeated, described in a sentence. */
  | { readonly note: string }
);

interface RecordedSteps {
  readonly steps: Step[];
  /** Sentences about acts that couldn't be recorded. */
  readonly notes: string[];
  /** Index of the repeated act, for each step. */
  readonly of: number[];
}

/** Shortest pause that becomes a step of the file. */
const GAP_MS = 60_000;
/** Doesn't apply to a branch, which shares the pictures of its origin. */
export const PICTURES_NOTE = "Uploaded pictures aren’t recorded.";
/** Placeholders for a masked secret, in text and in headers. */
const MASKED = "•";
const MASKED_IN_HEADER = "x";
const TIMESTAMP = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/;
/** Deepest value that is written as JSON. The step adds further levels. */
const MAX_DEPTH = 50;

/** Checks whether a text would be read as a reference. */
const looksLikeReference = (text: string): boolean => text.includes("{{");

const isDeep = (value: unknown, left = MAX_DEPTH): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 || Object.values(value).some((one) => isDeep(one, left - 1)));

/** Parses a body; returns its text if it isn't JSON or is too deep. */
const parsed = (bytes: Buffer): unknown => {
  const text = bytes.toString("utf8");
  const value = tryParseJson(text);
  return value === undefined || isDeep(value) ? text : value;
};

/** Checks whether serializing JSON again keeps its text. It changes `1.0`, repeated keys and escapes. */
const isFaithful = (text: string, value: unknown): boolean =>
  JSON.stringify(value).replace(/\s/g, "") === text.replace(/\s/g, "");

const findHeader = (headers: RecordedCall["request_headers"], name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

/** Behaviour of a built-in receiver that repeats a partner server's responses. */
const deriveBehaviour = (statuses: readonly (number | null)[]) => {
  const failures = statuses.filter((status) => status !== 200);
  if (failures.length === 0) return { regular: true };
  const [first = null] = failures;
  const accepted = statuses.indexOf(200);
  const leading = accepted === -1 ? statuses.length : accepted;
  const status = first !== null && first > 200 ? first : 503;
  return {
    behaviour: { answer: "status" as const, status, first: accepted === -1 ? null : Math.max(1, leading) },
    regular: leading === failures.length && failures.every((one) => one === status),
  };
};

/**
 * Expectation that a response meets in every run. @param others texts that vary: the call's ID, the service's address
 */
const expected = (json: unknown, others: readonly string[]): unknown => {
  if (typeof json === "string") {
    if (TIMESTAMP.exec(json)?.[0] === json) return { $is: "timestamp" };
    const isNew = TIMESTAMP.test(json) || [MASKED, "{{", ...others].some((one) => json.includes(one));
    return isNew ? { $is: "string" } : json;
  }
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map((one) => expected(one, others));
  const entries = Object.entries(json);
  // Would be read as a matcher.
  if (entries.length === 1 && entries[0]?.[0].startsWith("$")) return { $is: "object" };
  return Object.fromEntries(entries.map(([key, one]) => [key, expected(one, others)]));
};

/** Reason why a call can't be a step; null if it can. */
const explainUnrepeatable = ({ operation, method, unrouted, path }: RecordedCall): string | null => {
  if (operation === "oauth.authorize") return "a call of the consent page";
  if (!(scenarioMethods as readonly string[]).includes(method)) return `a call with ${method || "no method"}`;
  if (unrouted === "too_large") return "a body that was too large to be kept";
  if (unrouted === "host" || unrouted === "tenant") return "a call that named another host or no world";
  return /^\/[^\s]*$/.test(path) && !looksLikeReference(path) ? null : "an address that cannot be written";
};

/**
 * Builds the steps that repeat acts. Runs issue the original IDs, because each step names its original call. Only
 * values that are new each time become references: codes and client secrets.
 */
class Recorder {
  readonly #baseUrl: string;
  readonly #steps: Step[] = [];
  readonly #notes = new Set<string>();
  /** Receiver names by the subscriptions they replace. */
  readonly #receivers = new Map<string, string>();
  /** Reference to the code of the latest install that issued one. */
  #code = "";

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  #note(sentence: string): void {
    this.#notes.add(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`);
  }

  record(acts: readonly Act[], from: number | null): RecordedSteps {
    let before = from;
    const of: number[] = [];
    for (const [index, act] of acts.entries()) {
      const gap = before === null ? 0 : act.at - before;
      before = act.at;
      if (gap >= GAP_MS) this.#control("clock.advance", "wait", { seconds: Math.floor(gap / 1_000) });
      if ("call" in act) this.#call(act.call);
      else if ("note" in act) this.#note(act.note);
      else if ("control" in act) this.#control(act.control, act.name, act.body);
      else this.#receiver(act);
      while (of.length < this.#steps.length) of.push(index);
    }
    return { steps: this.#steps, notes: [...this.#notes], of };
  }

  #control(operation: string, name: string, body: object): void {
    this.#steps.push({ name: `Setup: ${name}`, control: { operation, body } });
  }

  #receiver({ subscription, integration_id, url, statuses, behaviour: own }: Extract<Act, { subscription: string }>) {
    const save = `receiver${this.#steps.length + 1}`;
    this.#receivers.set(subscription, save);
    const like = deriveBehaviour(statuses);
    const behaviour = own ?? like.behaviour;
    if (!own && !like.regular)
      this.#note(`the responses of ${url} changed, or there were none; its receiver returns ${like.behaviour?.status}`);
    this.#steps.push({
      name: `Setup: subscribe ${looksLikeReference(url) ? "a receiver" : url}`,
      save,
      receiver: { integration_id, ...(behaviour ? { behaviour } : {}) },
    });
  }

  #call(call: RecordedCall): void {
    const { id, status, picked, operation, path, decision } = call;
    if (operation === "uploads.put" || operation === "media.get") {
      this.#notes.add(PICTURES_NOTE);
      return;
    }
    const problem = explainUnrepeatable(call);
    if (problem !== null) {
      this.#note(`left out: ${problem} (${id})`);
      return;
    }
    if (call.grant) {
      const save = `code${this.#steps.length + 1}`;
      const control = { operation: "access-codes.issue", body: call.grant };
      this.#steps.push({ name: "Setup: issue an access code", save, control });
      this.#code = `{{${save}.access_code}}`;
    }
    const written = this.#written(call);
    if (JSON.stringify(written).includes(MASKED)) this.#note("secrets in calls are sent masked");
    const recordedBody = parsed(call.answer);
    const others = [id, this.#baseUrl];
    if (operation === "uploads.prepare" && status === 200) this.#notes.add(PICTURES_NOTE);
    // A masked secret in a URL is sent encoded, and the response may repeat the URL.
    const body = path.includes(MASKED) ? {} : { body: expected(recordedBody, others) };
    const expect: Expectation = status === 0 ? { no_answer: true } : { status, ...body };
    this.#steps.push({
      ...(picked ? {} : { name: `Setup: ${operation ?? path}` }),
      call: written,
      expect,
      ...(decision !== null && isDecision(decision) ? { decision } : {}),
      came: { trace_id: id, status: status === 0 ? null : status, body: recordedBody },
    });
    for (const [subscription, notifications] of call.notifications) {
      const receiver = this.#receivers.get(subscription);
      const expect = notifications.map(({ event_type, payload }) => ({
        ...{ event_type, payload: expected(payload, others) },
      }));
      if (receiver !== undefined) this.#steps.push({ deliveries: { receiver, expect } });
    }
  }

  #written(call: RecordedCall): CallStep["call"] {
    const declared = partnerOperations.find(({ id }) => id === call.operation);
    const plain = declared !== undefined && call.method === "POST" && call.path === operationPath(declared);
    const method = call.method as ScenarioMethod;
    const headers = this.#headers(call);
    return {
      ...(plain ? { operation: declared.id } : { route: call.path, method }),
      ...call.caller,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(method === "GET" ? {} : this.#content(call)),
    };
  }

  /** Relevant headers. Unknown credentials are sent as recorded, masked. */
  #headers({ request_headers: headers, caller }: RecordedCall): Record<string, string> {
    const type = findHeader(headers, "content-type");
    const sent: (readonly [string, string | undefined])[] = [
      ["content-type", type !== undefined && /^application\/json\s*(;|$)/i.test(type) ? undefined : type],
      ["content-encoding", findHeader(headers, "content-encoding")],
    ];
    if (caller === null)
      for (const name of ["authorization", "service-integration-id"]) sent.push([name, findHeader(headers, name)]);
    const written = sent.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.replaceAll(MASKED, MASKED_IN_HEADER)] as const],
    );
    return Object.fromEntries(written.filter(([, value]) => /^[\t -~]*$/.test(value) && !looksLikeReference(value)));
  }

  #content({ body, operation, grant, clientSecret }: RecordedCall): Partial<CallStep["call"]> {
    const text = body.toString("utf8");
    if (!isUtf8(body) || looksLikeReference(text)) return { base64: body.toString("base64") };
    const value = parsed(body);
    if (typeof value !== "object" || value === null) return { text };
    if (operation === "integrations.insert" && (grant || clientSecret !== null))
      return {
        body: {
          ...value,
          ...(clientSecret === null ? {} : { client_secret: clientSecret }),
          ...(grant ? { access_code: this.#code } : {}),
        },
      };
    return isFaithful(text, value) ? { body: value } : { text };
  }
}

/**
 * Builds the steps that repeat acts.
 *
 * @param baseUrl address of the service
 * @param from real time of the world's initial state; null adds no pause before the first act
 */
export const recordSteps = (acts: readonly Act[], baseUrl: string, from: number | null): RecordedSteps =>
  new Recorder(baseUrl).record(acts, from);
