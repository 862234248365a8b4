import { isUtf8 } from "node:buffer";
import type { ReceiverBehaviour } from "../contract/control/receiver-rows.ts";
import type { UnroutedKind } from "../contract/control/rows.ts";
import type { EventType } from "../contract/event-types.ts";
import { isDecision } from "../contract/openapi/decisions.ts";
import { pathOf } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import {
  type CallStep,
  type Came,
  type CameDelivery,
  type DeliveriesStep,
  type Expectation,
  type Step,
  scenarioMethods,
} from "../contract/scenario.ts";
import { looksReferring, type RecordedAt, RecordedValues } from "./recording-values.ts";
import { referredNames } from "./scenario-references.ts";
import { iso } from "./timestamp.ts";

/** Real time that passes between two calls is made to pass in a run from so much on. */
const GAP_MS = 60_000;
/** A picture of one pixel, in the place of those that were uploaded. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A credential as a recording knows it: by its id. */
export interface RecordedCredential {
  readonly integration_id: string;
  /** Its key, masked. */
  readonly key_hint: string;
  readonly scope: "repairer" | "supplier";
  readonly preloaded: boolean;
}

export interface RecordedClient {
  readonly client_id: string;
  readonly oauth_enabled: boolean;
  readonly secret_hint: string;
}

export interface RecordedDelivery extends CameDelivery {
  readonly subscription_id: string;
  readonly payload: unknown;
  readonly message_id: string;
  readonly repeated: boolean;
}

/** A call as it was kept, its secrets masked. */
export interface RecordedCall {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  readonly unrouted: UnroutedKind | null;
  readonly integration_id: string | null;
  /** The access code it was made with, where one is known. */
  readonly code: string | null;
  /** 0: the connection was closed without an answer. */
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly answerHeaders: readonly (readonly [string, string])[];
  readonly answer: Buffer;
  readonly label: string | null;
  /** Asked for, not only what it needs to be the same. */
  readonly picked: boolean;
  /** What its refusal rests on. */
  readonly decision: string | null;
  /** What the faults did to it, in sentences. */
  readonly faults: readonly string[];
  readonly deliveries: readonly RecordedDelivery[];
}

/** One thing that happened, in its order; `at` is real time in milliseconds since 1970. */
export type RecordedAct = { readonly at: number } & (
  | {
      readonly call: RecordedCall;
      /** How far the world's clock was ahead of real time. */
      readonly offset: number;
    }
  | { readonly control: string; readonly name: string; readonly body: object }
  | { readonly subscription: string; readonly integration_id: string; readonly receiver: ReceiverPlan }
  | { readonly ofSubscription: string; readonly operation: string }
  | { readonly code: string; readonly grant: object }
  | { readonly upload: string }
  /** What cannot be repeated, as a sentence. */
  | { readonly note: string }
);

export interface ReceiverPlan {
  readonly url: string;
  /** Left out: a correct receiver. */
  readonly behaviour?: Partial<ReceiverBehaviour>;
  /** Whether it answers every notification the same way. */
  readonly isConstant: boolean;
  readonly note: string | null;
}

export interface Recording extends RecordedAt {
  readonly preloaded: readonly RecordedCredential[];
  readonly credential: (integration_id: string) => RecordedCredential | undefined;
  readonly clients: readonly RecordedClient[];
  /** When the world was as it begins; null: the seed, to which no time has passed. */
  readonly from: number | null;
  readonly acts: readonly RecordedAct[];
}

/** So deep a value is written as JSON; a step is around it. */
const DEEPEST = 50;

const isDeep = (value: unknown, left: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 || Object.values(value).some((one) => isDeep(one, left - 1)));

/** The JSON of a body, or its text where it is none or deeper than anybody reads. */
const parsed = (bytes: Buffer): unknown => {
  const text = bytes.toString("utf8");
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value, DEEPEST) ? text : value;
  } catch {
    return text;
  }
};

/** Whether JSON that is written anew says the same: `1.0`, a repeated key or a large number would not. */
const isFaithful = (text: string, value: unknown): boolean => {
  const plain = text.replace(/("(?:\\.|[^"\\])*")|\s+/g, (_, string: string | undefined) =>
    string === undefined ? "" : JSON.stringify(JSON.parse(string)),
  );
  return JSON.stringify(value) === plain;
};

const headerOf = (headers: RecordedCall["headers"], name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

/** What stands for a secret that nobody knows any more, and in a header what is sent for it. */
const MASKED = "•";
const MASKED_IN_HEADER = "x";

/** Of one connection, or of the moment. */
const PASSING = new Set(["connection", "keep-alive", "date", "transfer-encoding", "content-length"]);

/**
 * How a built-in receiver repeats what a partner's server answered.
 *
 * @param answered to every attempt, in their order
 */
export const receiverLike = (url: string, answered: CameDelivery["attempts"]): ReceiverPlan => {
  const failures = answered.filter(({ status }) => status !== 200);
  const [first] = failures;
  if (!first) return { url, isConstant: true, note: null };
  const never = failures.length === answered.length;
  const leading = never ? answered.length : answered.findIndex(({ status }) => status === 200);
  const sameKind = failures.every(({ status }) => status === first.status);
  const regular = sameKind && leading === failures.length;
  const timedOut = first.status === null && /time|no answer within|answered nothing/i.test(first.error ?? "");
  const status = first.status !== null && first.status > 200 ? first.status : 503;
  const behaviour = { ...(timedOut ? { answer: "time_out" as const } : { answer: "status" as const, status }) };
  const approximated = first.status === null && !timedOut;
  const notes = [
    ...(regular ? [] : [`the answers of ${url} changed from attempt to attempt; its receiver fails as it first did`]),
    ...(approximated ? [`${url} could not be reached; its receiver answers ${status} instead`] : []),
  ];
  return {
    url,
    behaviour: { ...behaviour, first: never ? null : Math.max(1, leading) },
    isConstant: never && sameKind,
    note: notes.length === 0 ? null : notes.join("; "),
  };
};

export interface RecordedSteps {
  readonly steps: Step[];
  /** What could not be taken over, in sentences. */
  readonly notes: string[];
}

/** The steps that repeat what happened; between two of them something else may be done. */
export const stepsOf = (recording: Recording): Generator<void, RecordedSteps> => new Recorder(recording).record();

const clientName = (oauthEnabled: boolean): string => (oauthEnabled ? "client" : "client_no_oauth");

class Recorder {
  readonly #recording: Recording;
  readonly #values: RecordedValues;
  readonly #steps: Step[] = [];
  readonly #notes: string[] = [];
  /** Whether a step sends what was masked. */
  #sendsMasked = false;
  readonly #receivers = new Map<string, { readonly name: string; readonly plan: ReceiverPlan }>();
  /** What the addresses of uploads are found under. */
  readonly #uploads = new Map<string, string>();
  /** What access codes are found under. */
  readonly #codes = new Map<string, string>();

  constructor(recording: Recording) {
    this.#recording = recording;
    this.#values = new RecordedValues(recording);
    for (const { integration_id, scope } of recording.preloaded)
      this.#values.know(integration_id, `${scope}.integration_id`);
    for (const { client_id, oauth_enabled } of recording.clients)
      this.#values.know(client_id, `${clientName(oauth_enabled)}.client_id`);
  }

  #note(sentence: string): void {
    const known = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
    if (!this.#notes.includes(known)) this.#notes.push(known);
  }

  get #next(): number {
    return this.#steps.length + 1;
  }

  *record(): Generator<void, RecordedSteps> {
    let before = this.#recording.from;
    for (const act of this.#recording.acts) {
      const gap = before === null ? 0 : act.at - before;
      before = act.at;
      if (gap >= GAP_MS) this.#advance(Math.floor(gap / 1_000), "time passes");
      this.#act(act);
      yield;
    }
    if (this.#sendsMasked) this.#note("secrets that were sent are sent as they are shown, masked");
    const used = new Set<string>();
    for (const step of this.#steps) {
      for (const name of referredNames(step)) used.add(name);
      yield;
    }
    const steps = this.#steps.map(({ save, ...step }) =>
      save === undefined || !(used.has(save) || "receiver" in step) ? step : { ...step, save },
    ) as Step[];
    return { steps, notes: this.#notes };
  }

  #advance(seconds: number, name: string): void {
    this.#steps.push({ name: `before: ${name}`, control: { operation: "clock.advance", body: { seconds } } });
  }

  #act(act: RecordedAct): void {
    if ("call" in act) this.#call(act.call, act.at + act.offset);
    else if ("note" in act) this.#note(act.note);
    else if ("control" in act) {
      const body = this.#values.request(act.body);
      this.#steps.push({ name: `before: ${act.name}`, control: { operation: act.control, body } });
    } else if ("subscription" in act) this.#receiver(act.subscription, act.integration_id, act.receiver);
    else if ("ofSubscription" in act) {
      const receiver = this.#receivers.get(act.ofSubscription);
      if (!receiver) {
        this.#note("a subscription was changed that is none of this recording");
        return;
      }
      const id = `{{${receiver.name}.subscription_id}}`;
      this.#steps.push({
        name: `before: ${act.operation}`,
        control: { operation: act.operation, body: { id } },
      });
    } else if ("code" in act) {
      const save = `code${this.#next}`;
      this.#codes.set(act.code, `{{${save}.access_code}}`);
      const body = this.#values.request(act.grant);
      this.#steps.push({
        name: "before: an access code is issued",
        save,
        control: { operation: "access-codes.issue", body },
      });
    } else this.#upload(act.upload);
  }

  #receiver(id: string, integration_id: string, plan: ReceiverPlan): void {
    const save = `receiver${this.#next}`;
    this.#receivers.set(id, { name: save, plan });
    if (plan.note !== null) this.#note(plan.note);
    this.#steps.push({
      name: `before: ${looksReferring(plan.url) ? "a receiver" : plan.url} is subscribed`,
      save,
      receiver: {
        integration_id: this.#values.written(integration_id),
        ...(plan.behaviour ? { behaviour: plan.behaviour } : {}),
      },
    });
  }

  #upload(id: string): void {
    const address = this.#uploads.get(id);
    if (address === undefined) {
      this.#note("a picture was uploaded whose address is older than the recording");
      return;
    }
    this.#note("uploaded pictures are replaced by a picture of one pixel");
    this.#steps.push({
      name: "before: a picture is uploaded",
      call: { route: `{{${address}}}`, method: "PUT", base64: PICTURE },
    });
  }

  /** Why a call cannot be a step; null: it can. */
  #unsayable({ method, unrouted, path }: RecordedCall): string | null {
    if (!(scenarioMethods as readonly string[]).includes(method)) return `a call with ${method || "no method"}`;
    if (unrouted === "unreadable") return "bytes that were no request";
    if (unrouted === "too_large") return "a body that was too large to be kept";
    if (unrouted === "host") return "a call that named another host";
    return /^\/[^\s]*$/.test(path) ? null : "an address that cannot be written";
  }

  #call(call: RecordedCall, at: number): void {
    const problem = this.#unsayable(call);
    if (problem !== null) {
      this.#note(`left out: ${problem} (${call.id})`);
      return;
    }
    const save = `step${this.#next}`;
    const written = this.#written(call);
    if (JSON.stringify(written).includes(MASKED)) this.#sendsMasked = true;
    const answer = parsed(call.answer);
    // A masked secret in an address is sent encoded, and the answer may repeat the address.
    const body = call.path.includes(MASKED) ? {} : { body: this.#values.expected(answer) };
    const expect: Expectation = call.status === 0 ? { no_answer: true } : { status: call.status, ...body };
    const decision = call.decision !== null && isDecision(call.decision) ? call.decision : undefined;
    const step: CallStep = {
      ...(call.picked ? {} : { name: `before: ${call.operation ?? call.path} ${call.label ?? ""}`.trim() }),
      save,
      call: written,
      expect,
      ...(decision === undefined ? {} : { decision }),
      came: this.#came(call, answer, at),
    };
    this.#steps.push(step);
    if (call.status === 200 && typeof answer === "object" && answer !== null) {
      const id =
        call.operation === "uploads.prepare" ? /__uploads\/([0-9a-f-]{36})/.exec(JSON.stringify(answer)) : null;
      if (id?.[1] !== undefined) this.#uploads.set(id[1], `${save}.upload_url`);
    }
    this.#values.learn(answer, save);
    this.#deliveries(call);
  }

  #came(call: RecordedCall, answer: unknown, at: number): Came {
    const { id, status, faults } = call;
    const deliveries = call.deliveries.filter(({ repeated }) => !repeated);
    return {
      at: iso(at),
      trace_id: id,
      status: status === 0 ? null : status,
      headers: Object.fromEntries(call.answerHeaders.filter(([name]) => !PASSING.has(name))),
      body: answer,
      ...(faults.length === 0 ? {} : { faults: [...faults] }),
      ...(deliveries.length === 0
        ? {}
        : {
            deliveries: deliveries.map(({ event_type, side, to, status: ended, attempts }) => ({
              ...{ event_type, side, to, attempts: [...attempts] },
              status: ended,
            })),
          }),
    } as Came;
  }

  #written(call: RecordedCall): CallStep["call"] {
    const declared = partnerOperations.find(({ id }) => id === call.operation);
    const plain = declared !== undefined && call.method === "POST" && call.path === pathOf(declared);
    const method = call.method as (typeof scenarioMethods)[number];
    return {
      ...(plain ? { operation: declared.id } : { route: this.#values.written(call.path), method }),
      ...this.#credentials(call),
      ...(method === "GET" ? {} : this.#content(call)),
    };
  }

  /** Whose it is; what is sent by nobody that is known is sent as headers. */
  #credentials({ integration_id, operation, headers, unrouted }: RecordedCall): Partial<CallStep["call"]> {
    const more: Record<string, string> = {};
    const type = headerOf(headers, "content-type");
    if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) more["content-type"] = type;
    const encoding = headerOf(headers, "content-encoding");
    if (encoding !== undefined) more["content-encoding"] = encoding;
    const tenant = headerOf(headers, "x-sandbox-tenant");
    if (unrouted === "tenant" && tenant !== undefined) more["x-sandbox-tenant"] = tenant;
    const sent = headerOf(headers, "authorization");
    const integration = headerOf(headers, "service-integration-id");
    const credential = integration_id === null ? undefined : this.#recording.credential(integration_id);
    const isItsKey = /^Bearer[ \t]+(\S+)$/i.exec(sent ?? "")?.[1] === credential?.key_hint;
    if (credential && isItsKey && operation !== "integrations.insert") {
      const id = this.#values.written(credential.integration_id);
      const who = credential.preloaded ? { as: credential.scope } : { credentials: { integration_id: id } };
      return { ...who, ...(Object.keys(more).length === 0 ? {} : { headers: more }) };
    }
    if (sent !== undefined) {
      if (sent.includes(MASKED)) this.#sendsMasked = true;
      more.authorization = sent.replaceAll(MASKED, MASKED_IN_HEADER);
    }
    if (integration !== undefined) more["service-integration-id"] = this.#values.written(integration);
    const written = Object.entries(more).filter(([, value]) => /^[\t -~]*$/.test(value));
    return written.length === 0 ? {} : { headers: Object.fromEntries(written) };
  }

  /** The body of an install with the secrets of this run in the place of those that were sent. */
  #install(sent: object, body: object, code: string | null): object {
    const { client_id, client_secret } = sent as { readonly client_id?: unknown; readonly client_secret?: unknown };
    const client = this.#recording.clients.find((one) => one.client_id === client_id);
    const known = client?.secret_hint === client_secret ? clientName(client?.oauth_enabled ?? true) : null;
    const issued = code === null ? undefined : this.#codes.get(code);
    return {
      ...body,
      ...(known === null ? {} : { client_secret: `{{${known}.client_secret}}` }),
      ...(issued === undefined ? {} : { access_code: issued }),
    };
  }

  #content({ body, operation, code }: RecordedCall): Partial<CallStep["call"]> {
    if (body.length === 0) return { text: "" };
    if (!isUtf8(body)) return { base64: body.toString("base64") };
    const text = body.toString("utf8");
    if (looksReferring(text)) return { base64: body.toString("base64") };
    const value = parsed(body);
    const isObject = typeof value === "object" && value !== null;
    if (isObject && !text.startsWith("\ufeff") && isFaithful(text, value)) {
      const written = this.#values.request(value) as object;
      return { body: operation === "integrations.insert" ? this.#install(value, written, code) : written };
    }
    if (isObject) this.#values.request(value);
    return { text: this.#values.written(text) };
  }

  /** What must reach the receivers because of a call. */
  #deliveries({ deliveries }: RecordedCall): void {
    const byReceiver = new Map<string, RecordedDelivery[]>();
    for (const delivery of deliveries) {
      if (delivery.repeated) this.#note("notifications that somebody had sent again are left out");
      if (delivery.repeated || delivery.attempts.length === 0) continue;
      if (!this.#receivers.has(delivery.subscription_id)) {
        this.#note(`notifications to ${delivery.to} are left out: it was subscribed before the recording`);
        continue;
      }
      byReceiver.set(delivery.subscription_id, [...(byReceiver.get(delivery.subscription_id) ?? []), delivery]);
    }
    for (const [subscription, some] of byReceiver) {
      const receiver = this.#receivers.get(subscription);
      if (!receiver) continue;
      const expect = some.map(({ event_type, payload, attempts: [first] }) => ({
        event_type: event_type as EventType,
        payload: this.#values.expected(payload),
        ...(receiver.plan.isConstant && first ? { answered: first.status } : {}),
      })) as DeliveriesStep["deliveries"]["expect"];
      this.#steps.push({ deliveries: { receiver: receiver.name, expect } });
    }
  }
}

/** JSON with every secret masked, wherever it stands, in keys too. */
export const redacted = <T>(json: T, redact: (text: string) => string): T =>
  JSON.parse(JSON.stringify(json), (_, value: unknown) => {
    if (typeof value === "string") return redact(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const keys = Object.keys(value);
    return keys.every((key) => redact(key) === key)
      ? value
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [redact(key), one]));
  }) as T;
