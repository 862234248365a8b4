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
import { jsonIn } from "../json/untyped.ts";

/** A call as it was kept, its secrets masked. */
export interface KeptCall
  extends Readonly<Pick<RequestDetail, "id" | "method" | "path" | "operation" | "status" | "request_headers">> {
  readonly unrouted: UnroutedKind | null;
  /** With whose key it was made; null: with none, or with a wrong one. */
  readonly caller: Pick<CallStep["call"], "as" | "credentials"> | null;
  readonly body: Buffer;
  readonly answer: Buffer;
  /** Asked for, not only what it needs to be the same. */
  readonly picked: boolean;
  /** What its refusal rests on. */
  readonly decision: string | null;
  /** What an install that succeeded was allowed. */
  readonly grant: object | null;
  /** The client's secret that it was made with, as a reference. */
  readonly clientSecret: string | null;
  /** The notifications it led to that were sent, by subscription. */
  readonly notifications: ReadonlyMap<string, readonly { readonly event_type: EventType; readonly payload: unknown }[]>;
}

/** When an act that is repeated was made the first time: in real time and on its world's clock, milliseconds since 1970. */
export interface RepeatedAt {
  readonly at: number;
  readonly clock: number;
}

/** One thing that happened, in its order; `at` is real time in milliseconds since 1970. */
export type Act = { readonly at: number } & (
  | { readonly call: KeptCall }
  | { readonly control: string; readonly name: string; readonly body: object }
  | {
      readonly subscription: string;
      readonly integration_id: string;
      readonly url: string;
      /** What every attempt at it was answered; null: nothing. */
      readonly answered: readonly (number | null)[];
      /** Of a built-in receiver. */
      readonly behaviour: ReceiverBehaviour | null;
    }
  /** What cannot be repeated, as a sentence. */
  | { readonly note: string }
);

export interface RecordedSteps {
  readonly steps: Step[];
  /** What could not be taken over, in sentences. */
  readonly notes: string[];
  /** Of every step, which of the acts it repeats. */
  readonly of: number[];
}

/** Waits in a file that people read are worth a step. */
const GAP_MS = 60_000;
/** A branch shares them with the world it comes from. */
export const PICTURES_NOTE = "Uploaded pictures aren’t recorded.";
/** What stands for a secret that nobody knows any more, and in a header what is sent for it. */
const MASKED = "•";
const MASKED_IN_HEADER = "x";
const TIMESTAMP = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/;
/** So deep a value is written as JSON; a step is around it. */
const DEEPEST = 50;

/** It would be taken for a reference. */
const looksReferring = (text: string): boolean => text.includes("{{");

const isDeep = (value: unknown, left = DEEPEST): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 || Object.values(value).some((one) => isDeep(one, left - 1)));

/** The JSON of a body, or its text where it is none or deeper than anybody reads. */
const parsed = (bytes: Buffer): unknown => {
  const text = bytes.toString("utf8");
  const value = jsonIn(text);
  return value === undefined || isDeep(value) ? text : value;
};

/** Whether JSON that is written anew says the same: `1.0`, a repeated key or an escape would not. */
const isFaithful = (text: string, value: unknown): boolean =>
  JSON.stringify(value).replace(/\s/g, "") === text.replace(/\s/g, "");

const headerOf = (headers: KeptCall["request_headers"], name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

/** How a built-in receiver repeats what a partner's server answered. */
const behaviourLike = (answered: readonly (number | null)[]) => {
  const failures = answered.filter((status) => status !== 200);
  if (failures.length === 0) return { regular: true };
  const [first = null] = failures;
  const accepted = answered.indexOf(200);
  const leading = accepted === -1 ? answered.length : accepted;
  const status = first !== null && first > 200 ? first : 503;
  return {
    behaviour: { answer: "status" as const, status, first: accepted === -1 ? null : Math.max(1, leading) },
    regular: leading === failures.length && failures.every((one) => one === status),
  };
};

/** What an answer must be in every run. @param others what is another in each: the call's id, the service's address */
const expected = (json: unknown, others: readonly string[]): unknown => {
  if (typeof json === "string") {
    if (TIMESTAMP.exec(json)?.[0] === json) return { $is: "timestamp" };
    const isNew = TIMESTAMP.test(json) || [MASKED, "{{", ...others].some((one) => json.includes(one));
    return isNew ? { $is: "string" } : json;
  }
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map((one) => expected(one, others));
  const entries = Object.entries(json);
  // It would be taken for what stands for many values.
  if (entries.length === 1 && entries[0]?.[0].startsWith("$")) return { $is: "object" };
  return Object.fromEntries(entries.map(([key, one]) => [key, expected(one, others)]));
};

/** Why a call cannot be a step; null: it can. */
const unsayable = ({ method, unrouted, path }: KeptCall): string | null => {
  if (!(scenarioMethods as readonly string[]).includes(method)) return `a call with ${method || "no method"}`;
  if (unrouted === "too_large") return "a body that was too large to be kept";
  if (unrouted === "host" || unrouted === "tenant") return "a call that named another host or no world";
  return /^\/[^\s]*$/.test(path) && !looksReferring(path) ? null : "an address that cannot be written";
};

/**
 * The steps that repeat what happened. A run gives out the identifiers that were given out then, as each step says which
 * call it repeats; only what a service makes anew each time is referred to: codes and client secrets.
 */
class Recorder {
  readonly #baseUrl: string;
  readonly #steps: Step[] = [];
  readonly #notes = new Set<string>();
  /** The names of receivers, by the subscriptions they stand for. */
  readonly #receivers = new Map<string, string>();
  /** The code of the latest install that needs one, as a reference. */
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

  #receiver({ subscription, integration_id, url, answered, behaviour: own }: Extract<Act, { subscription: string }>) {
    const save = `receiver${this.#steps.length + 1}`;
    this.#receivers.set(subscription, save);
    const like = behaviourLike(answered);
    const behaviour = own ?? like.behaviour;
    if (!own && !like.regular)
      this.#note(`the responses of ${url} changed, or there were none; its receiver returns ${like.behaviour?.status}`);
    this.#steps.push({
      name: `Setup: subscribe ${looksReferring(url) ? "a receiver" : url}`,
      save,
      receiver: { integration_id, ...(behaviour ? { behaviour } : {}) },
    });
  }

  #call(call: KeptCall): void {
    const { id, status, picked, operation, path, decision } = call;
    const problem = unsayable(call);
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
    const answer = parsed(call.answer);
    const others = [id, this.#baseUrl];
    if (operation === "uploads.prepare" && status === 200) this.#notes.add(PICTURES_NOTE);
    // A masked secret in an address is sent encoded, and the answer may repeat the address.
    const body = path.includes(MASKED) ? {} : { body: expected(answer, others) };
    const expect: Expectation = status === 0 ? { no_answer: true } : { status, ...body };
    this.#steps.push({
      ...(picked ? {} : { name: `Setup: ${operation ?? path}` }),
      call: written,
      expect,
      ...(decision !== null && isDecision(decision) ? { decision } : {}),
      came: { trace_id: id, status: status === 0 ? null : status, body: answer },
    });
    for (const [subscription, notifications] of call.notifications) {
      const receiver = this.#receivers.get(subscription);
      const expect = notifications.map(({ event_type, payload }) => ({
        ...{ event_type, payload: expected(payload, others) },
      }));
      if (receiver !== undefined) this.#steps.push({ deliveries: { receiver, expect } });
    }
  }

  #written(call: KeptCall): CallStep["call"] {
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

  /** What of its headers matters; what is sent by nobody that is known is sent as it is shown. */
  #headers({ request_headers: headers, caller }: KeptCall): Record<string, string> {
    const type = headerOf(headers, "content-type");
    const sent: (readonly [string, string | undefined])[] = [
      ["content-type", type !== undefined && /^application\/json\s*(;|$)/i.test(type) ? undefined : type],
      ["content-encoding", headerOf(headers, "content-encoding")],
    ];
    if (caller === null)
      for (const name of ["authorization", "service-integration-id"]) sent.push([name, headerOf(headers, name)]);
    const written = sent.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.replaceAll(MASKED, MASKED_IN_HEADER)] as const],
    );
    return Object.fromEntries(written.filter(([, value]) => /^[\t -~]*$/.test(value) && !looksReferring(value)));
  }

  #content({ body, operation, grant, clientSecret }: KeptCall): Partial<CallStep["call"]> {
    const text = body.toString("utf8");
    if (!isUtf8(body) || looksReferring(text)) return { base64: body.toString("base64") };
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
 * The steps that repeat what happened.
 *
 * @param baseUrl the address the service was reached under
 * @param from when the world was as it begins, real time; null: no time is made to pass before the first act
 */
export const recordSteps = (acts: readonly Act[], baseUrl: string, from: number | null): RecordedSteps =>
  new Recorder(baseUrl).record(acts, from);
