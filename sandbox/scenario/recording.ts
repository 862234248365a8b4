import { causeOf } from "../contract/causes.ts";
import { changedSomething } from "../contract/control/exchange-kinds.ts";
import { NOT_SENT_AFTER_RESTORE } from "../contract/control/failure-words.ts";
import type { FaultFiring } from "../contract/control/fault-rows.ts";
import type { Policies } from "../contract/control/policies.ts";
import type { DrillRow } from "../contract/control/receiver-rows.ts";
import type { StateChange } from "../contract/control/rows.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { WorldChange } from "../contract/live.ts";
import type { Recorded } from "../contract/scenario.ts";
import type { ArmedFault } from "../rules/faults.ts";
import { leftOf, stateOf } from "../rules/faults.ts";
import { maskSecret } from "../rules/keys.ts";
import {
  type ReceiverPlan,
  type RecordedAct,
  type RecordedCall,
  type RecordedDelivery,
  type Recording,
  receiverLike,
  redacted,
} from "../rules/recording.ts";
import { redactedBytes } from "../rules/redaction.ts";
import type { Database } from "../storage/database.ts";
import { SettingsStore } from "../storage/settings-store.ts";
import type { World } from "../worlds/world.ts";

/** How a world stood at the moment a recording begins with. */
export interface Then {
  /** The last entry of its log; 0: none. */
  readonly log: number;
  /** The last of its exchanges. */
  readonly requests: number;
  readonly epoch: number;
  readonly offset: number;
  readonly policies: Policies;
  readonly faults: readonly ArmedFault[];
  readonly integrations: ReadonlySet<string>;
  readonly subscriptions: readonly { readonly id: string; readonly integration_id: string; readonly url: string }[];
  /** The last row of each table of things that a partner is told the identifiers of. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Where identifiers stand that a partner is told. */
const IDENTIFIED = ["organizations", "businesses", "jobs", "job_parts", "procurements", "uploads"];

/** Reads how a world stood from its file. */
export const readThen = (db: Database): Then => {
  const settings = new SettingsStore(db);
  const last = (table: string): number =>
    db.get<{ seq: number | null }>(`SELECT max(seq) AS seq FROM ${table}`)?.seq ?? 0;
  const integrations = db.all<{ id: string }>("SELECT integration_id AS id FROM credentials").map(({ id }) => id);
  return {
    log: last("log"),
    requests: last("requests"),
    epoch: db.epoch,
    offset: settings.get("clock_offset"),
    policies: settings.get("policies"),
    faults: settings.get("faults"),
    integrations: new Set(integrations),
    subscriptions: db.all(
      "SELECT id, integration_id, url FROM subscriptions WHERE ended_at IS NULL AND paused_at IS NULL ORDER BY seq",
    ),
    rows: Object.fromEntries(IDENTIFIED.map((table) => [table, last(table)])),
  };
};

/** Whether everything that happened in a world after a moment is still known. */
export const isWhole = ({ db, stores }: World, then: Pick<Then, "log" | "epoch">): boolean => {
  const trimmed = stores.settings.get("log_trimmed");
  if (then.epoch !== db.epoch || then.log < trimmed) return false;
  if (then.log > 0 && then.log !== trimmed && !db.get("SELECT 1 FROM log WHERE seq = ?", then.log)) return false;
  const unkept =
    "SELECT 1 FROM log l WHERE l.seq > ? AND l.kind = 'state' AND l.trace_id IS NOT NULL " +
    "AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.id = l.trace_id) LIMIT 1";
  if (db.get(unkept, then.log) !== undefined) return false;
  // What a restore gave up would go on in another world.
  const givenUp = "SELECT 1 FROM deliveries WHERE last_error = ? AND attempts_made > 0 AND created_at > ? LIMIT 1";
  return db.get(givenUp, NOT_SENT_AFTER_RESTORE, db.toStored(then.log / 1_000)) === undefined;
};

/** What a scenario takes at most. */
export const MOST_STEPS = 1_000;

export const tooMany = (steps: number): Refusal =>
  refuse(
    "unprocessable",
    `it would have ${steps} steps, and a scenario has at most ${MOST_STEPS}; save a snapshot nearer to the calls and make them again, or pick fewer`,
  );

export interface Picked {
  /** Null: every call. */
  readonly ids: ReadonlySet<string> | null;
  readonly baseUrl: string;
  readonly redact: (text: string) => string;
}

type Entry = { readonly at: number; readonly trace_id: string | null } & (
  | { readonly kind: "world"; readonly data: WorldChange }
  | { readonly kind: "drill"; readonly data: DrillRow }
  | { readonly kind: "state"; readonly data: StateChange }
);

/** What a world did by itself or was made to do by its operator, after a moment. */
const entriesAfter = ({ db }: World, log: number): Entry[] =>
  db
    .all<{ kind: Entry["kind"]; at: number; trace_id: string | null; data: string }>(
      "SELECT kind, at, trace_id, data FROM log WHERE seq > ? AND (kind IN ('world', 'drill') OR kind = 'state' AND data LIKE '{\"entity\":\"subscription\"%') ORDER BY seq",
      log,
    )
    .map(({ at, data, ...entry }) => ({ ...entry, at: db.fromStored(at), data: JSON.parse(data) }) as Entry);

/** A fault as it is armed again: what it has counted so far counts. @param now when, real time */
const armBody = (fault: ArmedFault, now: number): Recorded["faults"][number] => {
  const { name, operation, integration_id, calls, effect, uses, expires_at, matched, fired } = fault;
  return {
    ...(name === null ? {} : { name }),
    operation,
    ...(integration_id === null ? {} : { integration_id }),
    ...(calls === null ? {} : { calls: { nth: calls.nth - matched } }),
    effect,
    ...(uses === null ? {} : { uses: uses - fired }),
    ...(expires_at === null ? {} : { for_seconds: Math.max(1, Math.ceil((expires_at - now) / 1_000)) }),
  };
};

/** What was armed at a moment and could still fire. */
export const armedAt = (faults: readonly ArmedFault[], now: number): Recorded["faults"] =>
  faults.filter((fault) => stateOf(fault, now) === "armed" && leftOf(fault) !== 0).map((fault) => armBody(fault, now));

/** A call with when it began, real time, and how long it took, in milliseconds. */
type TimedCall = RecordedCall & { readonly at: number; readonly duration: number };

/** A call that follows another at once may seem to have begun so much earlier. */
const JITTER_MS = 5;

/** Reads from a world what a recording is made of. */
export class RecordingReader {
  readonly #world: World;
  readonly #then: Then;
  readonly #picked: Picked;

  constructor(world: World, then: Then, picked: Picked) {
    this.#world = world;
    this.#then = then;
    this.#picked = picked;
  }

  /** @param from real time of the moment it begins with; null: the seed */
  *read(from: number | null): Generator<void, Recording | Refusal> {
    const { credentials } = this.#world.stores;
    const ids = this.#callIds();
    yield;
    const last = ids.at(-1);
    if (last === undefined) return refuse("unprocessable", "nothing was called yet: there is nothing to record");
    if (ids.length > MOST_STEPS) return tooMany(ids.length);
    const calls = yield* this.#calls(ids);
    const acts = yield* this.#acts(calls);
    return {
      baseUrl: this.#picked.baseUrl,
      isOld: (uuid) => this.#isOld(uuid),
      from,
      credentials: credentials.list().map(({ integration_id, api_key, scope, preloaded }) => ({
        ...{ integration_id, scope, preloaded, key_hint: maskSecret(api_key) },
        isOld: this.#then.integrations.has(integration_id),
      })),
      clients: credentials.clients().map(({ client_id, oauth_enabled, client_secret }) => ({
        ...{ client_id, oauth_enabled },
        secret_hint: maskSecret(client_secret),
      })),
      acts: yield* this.#withWorldTimes(acts),
    };
  }

  /** The calls that come along, in the order they began: those that were picked, and what changed something before them. */
  #callIds(): string[] {
    const { db } = this.#world;
    const { ids } = this.#picked;
    const rows = db.all<{ id: string; operation: string | null; status: number; faults: string | null }>(
      "SELECT id, operation, status, faults FROM requests WHERE seq > ? ORDER BY at, id",
      this.#then.requests,
    );
    const end = ids === null ? rows.length : rows.findLastIndex(({ id }) => ids.has(id)) + 1;
    const entries = entriesAfter(this.#world, this.#then.log);
    // A fault that counts calls counts the reads, too.
    const counting =
      this.#then.faults.length > 0 || entries.some(({ kind, data }) => kind === "world" && data.what === "faults");
    return rows
      .slice(0, end)
      .filter((row) => ids === null || ids.has(row.id) || counting || changedSomething(row))
      .map(({ id }) => id);
  }

  *#calls(ids: readonly string[]): Generator<void, TimedCall[]> {
    const calls: TimedCall[] = [];
    for (const id of ids) {
      const kept = this.#world.stores.requests.get(id);
      if (kept) calls.push({ ...this.#call(kept), at: Date.parse(kept.at), duration: kept.duration_ms });
      yield;
    }
    return calls;
  }

  /** Whether the world had this identifier at the moment it begins with. */
  #isOld(uuid: string): boolean {
    const { rows, integrations } = this.#then;
    const has = ([table, last]: [string, number]): boolean =>
      this.#world.db.get(`SELECT 1 FROM ${table} WHERE id = ? AND seq <= ?`, uuid, last) !== undefined;
    return integrations.has(uuid) || Object.entries(rows).some(has);
  }

  #call(kept: NonNullable<ReturnType<World["stores"]["requests"]["get"]>>): RecordedCall {
    const { redact, ids } = this.#picked;
    const bytes = (base64: string): Buffer => {
      const content = Buffer.from(base64, "base64");
      const text = content.toString("utf8");
      if (!Buffer.from(text).equals(content)) return redactedBytes(content, redact);
      const masked = redact(text);
      return masked === text ? content : Buffer.from(masked);
    };
    const headers = (list: readonly (readonly [string, string])[]) =>
      list.map(([name, value]) => [name, redact(value)] as const);
    const { stores } = this.#world;
    const why = stores.requests.refusedFor(kept.id);
    const fired = stores.log
      .ofTrace(kept.id)
      .flatMap(({ kind, data }) => (kind === "fault" ? [data as FaultFiring] : []));
    return {
      id: kept.id,
      method: kept.method,
      path: redact(kept.path),
      operation: kept.operation,
      unrouted: kept.unrouted ?? null,
      integration_id: kept.integration_id,
      status: kept.status,
      headers: headers(kept.request_headers),
      body: bytes(kept.request_body_base64),
      answerHeaders: headers(kept.response_headers),
      answer: bytes(kept.response_body_base64),
      label: kept.label === null ? null : redact(kept.label),
      picked: ids === null || ids.has(kept.id),
      decision: why === null ? null : (causeOf(why.cause)?.decisions[0] ?? null),
      faults: fired.map(({ sentence }) => sentence),
      deliveries: this.#deliveries(kept.id),
    };
  }

  #deliveries(trace: string): RecordedDelivery[] {
    const { db, stores } = this.#world;
    const { redact } = this.#picked;
    const rows = db.all<{ id: string }>(
      "SELECT d.id FROM deliveries d JOIN events e ON e.seq = d.event_seq WHERE e.trace_id = ? ORDER BY d.seq",
      trace,
    );
    return rows.flatMap(({ id }) => {
      const delivery = stores.outbox.delivery(id);
      if (!delivery) return [];
      const { event, side, url, status, subscription_id, message_id, repeats_id } = delivery;
      const attempts = stores.outbox.attempts(delivery.seq).map(({ response_status, error }) => ({
        status: response_status,
        error: error === null ? null : redact(error),
      }));
      return {
        ...{ subscription_id, message_id, side, status, attempts },
        event_type: event.event_type,
        to: redact(url),
        payload: redacted(event.payload, redact),
        repeated: repeats_id !== null,
      };
    });
  }

  /** What a partner's server is played by. */
  #receiver(subscription: string, url: string): ReceiverPlan {
    const { db, stores } = this.#world;
    const shown = this.#picked.redact(url);
    const own = stores.receivers.list().find((one) => one.url === url);
    if (own) {
      const { behaviour } = own;
      return {
        url: shown,
        behaviour,
        isConstant: behaviour.answer === "accept" || behaviour.first === null,
        note: null,
      };
    }
    const answered = db.all<{ status: number | null; error: string | null }>(
      "SELECT a.response_status AS status, a.error FROM attempts a JOIN deliveries d ON d.seq = a.delivery_seq " +
        "JOIN subscriptions s ON s.seq = d.subscription_seq WHERE s.id = ? AND a.started_at >= ? ORDER BY a.started_at, a.seq",
      subscription,
      this.#then.epoch === db.epoch ? this.#since : 0,
    );
    return receiverLike(shown, answered);
  }

  /** From when on attempts are those of the recording, as stored. */
  get #since(): number {
    const { db } = this.#world;
    return db.get<{ at: number }>("SELECT at FROM log WHERE seq > ? ORDER BY seq LIMIT 1", this.#then.log)?.at ?? 0;
  }

  *#acts(calls: readonly TimedCall[]): Generator<void, RecordedAct[]> {
    const end = calls.at(-1)?.at ?? 0;
    const entries = entriesAfter(this.#world, this.#then.log);
    yield;
    let offset = this.#then.offset;
    const first = calls[0]?.at ?? 0;
    const acts: RecordedAct[] = this.#then.subscriptions.map(({ id, integration_id, url }) => ({
      ...{ at: first, offset, subscription: id, integration_id },
      receiver: this.#receiver(id, url),
    }));
    if (
      calls.some(
        ({ at, duration }, index) => at + duration - JITTER_MS > (calls[index + 1]?.at ?? Number.POSITIVE_INFINITY),
      )
    )
      acts.push({ at: first, offset, note: "calls that overlapped are made one after the other" });
    // A call that subscribed an address is played by the receiver it leads to.
    const bySubscribing = new Map(
      entries.flatMap((entry) => (entry.kind === "state" && entry.trace_id !== null ? [[entry.trace_id, entry]] : [])),
    );
    const queue: ({ readonly at: number } & ({ readonly call: RecordedCall } | { readonly entry: Entry }))[] = [
      ...calls.map(({ at, duration: _, ...call }) => ({ at, call })),
      ...entries
        .filter((entry) => entry.at <= end && (entry.trace_id === null || entry.kind === "drill"))
        .map((entry) => ({ at: entry.at, entry })),
    ];
    queue.sort((one, other) => one.at - other.at);
    for (const one of queue) {
      const { at } = one;
      if ("call" in one) {
        const made = bySubscribing.get(one.call.id);
        acts.push(made ? this.#subscribed(made.data as StateChange, at, offset) : { at, offset, call: one.call });
        continue;
      }
      const { kind, data } = one.entry;
      if (kind === "state") acts.push(...this.#ofSubscription(data, at, offset));
      else if (kind === "drill") acts.push({ at, offset, note: "drills of receivers are left out" });
      else {
        const act = actOf(data, at, offset);
        if (data.what === "clock") offset = Math.round(offsetOf(data.after) * 1_000);
        acts.push(...act);
      }
    }
    return acts;
  }

  #subscribed(change: StateChange, at: number, offset: number): RecordedAct {
    const { id, integration_id, url } = change.after as { id: string; integration_id: string; url: string };
    return { at, offset, subscription: id, integration_id, receiver: this.#receiver(id, url) };
  }

  #ofSubscription(change: StateChange, at: number, offset: number): RecordedAct[] {
    if (change.change === "inserted") return [this.#subscribed(change, at, offset)];
    const paused = (side: unknown): boolean =>
      typeof side === "object" && side !== null && Reflect.get(side, "paused_at") !== null;
    const operation =
      change.change === "deleted"
        ? "subscriptions.delete"
        : paused(change.after)
          ? "subscriptions.pause"
          : "subscriptions.resume";
    return [{ at, offset, ofSubscription: change.id, operation }];
  }

  /** With what the world's own clock says when it was: access codes and uploads. */
  *#withWorldTimes(acts: readonly RecordedAct[]): Generator<void, RecordedAct[]> {
    const { db } = this.#world;
    const used = new Set<string>();
    for (const act of acts) {
      if ("call" in act)
        for (const [code] of act.call.body.toString("utf8").matchAll(/ac_•{8}[A-Za-z0-9_-]{0,4}/g)) used.add(code);
      yield;
    }
    const codes = db
      .all<{ code: string; client_id: string; organization_id: string; scope: string; issued_at: number }>(
        "SELECT code, client_id, organization_id, scope, issued_at FROM access_codes",
      )
      .filter(({ code }) => used.has(maskSecret(code)))
      .map(({ code, issued_at, ...grant }) => ({ when: db.fromStored(issued_at), code: maskSecret(code), grant }));
    const uploads = db
      .all<{ id: string; uploaded_at: number }>(
        "SELECT id, uploaded_at FROM uploads WHERE uploaded_at IS NOT NULL AND seq > ?",
        this.#then.rows.uploads,
      )
      .map(({ id, uploaded_at }) => ({ when: db.fromStored(uploaded_at), upload: id }));
    const made = [...acts];
    for (const { when, ...what } of [...codes, ...uploads]) {
      // A clock that was put back comes by a moment twice: it was then when what came before it had been.
      const index = made.findIndex(
        ({ at, offset }, position) => at + offset >= when && (made[position - 1]?.at ?? 0) <= when - offset,
      );
      const next = made[index];
      if (next) made.splice(index, 0, { at: Math.max(when - next.offset, 0), offset: next.offset, ...what });
    }
    return made;
  }
}

const offsetOf = (side: unknown): number =>
  typeof side === "object" && side !== null ? Number(Reflect.get(side, "offset_seconds")) : 0;

/** What the operator did to the world, as steps of the control plane. */
const actOf = ({ what, before, after }: WorldChange, at: number, offset: number): RecordedAct[] => {
  const control = (operation: string, name: string, body: object): RecordedAct => ({
    ...{ at, offset, control: operation, name, body },
  });
  if (what === "clock") {
    const seconds = offsetOf(after) - offsetOf(before);
    return [
      seconds > 0
        ? control("clock.advance", "the clock is moved ahead", { seconds })
        : control("clock.reset", "the clock is put back to real time", {}),
    ];
  }
  if (what === "policies") {
    const earlier = before as Readonly<Record<string, string>>;
    const policies = Object.entries(after as Readonly<Record<string, string>>).filter(
      ([name, value]) => earlier[name] !== value,
    );
    return policies.length === 0
      ? []
      : [control("policies.set", "policies are set", { policies: Object.fromEntries(policies) })];
  }
  if (what !== "faults" || !Array.isArray(after)) return [];
  const faults = after as readonly ArmedFault[];
  const earlier = new Map(((before ?? []) as readonly ArmedFault[]).map((fault) => [fault.id, fault]));
  const added = faults.filter((fault) => earlier.get(fault.id)?.armed_at !== fault.armed_at);
  const cleared = [...earlier.keys()].some((id) => !faults.some((fault) => fault.id === id));
  // One fault that is taken away has no name that is the same in every run: those that stay are armed anew.
  const armed = cleared ? armedAt(faults, at) : added.map((fault) => armBody(fault, at));
  return [
    ...(cleared ? [control("faults.clear", "faults are cleared", {})] : []),
    ...armed.map((fault) => control("faults.set", "a fault is armed", fault)),
  ];
};
