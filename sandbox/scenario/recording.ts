import { causeOf } from "../contract/causes.ts";
import { changedSomething } from "../contract/control/exchange-kinds.ts";
import { NOT_SENT_AFTER_RESTORE } from "../contract/control/failure-words.ts";
import type { FaultFiring } from "../contract/control/fault-rows.ts";
import type { Policies } from "../contract/control/policies.ts";
import type { DrillRow } from "../contract/control/receiver-rows.ts";
import type { StateChange } from "../contract/control/rows.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { WorldChange } from "../contract/live.ts";
import { MOST_STEPS, type Recorded } from "../contract/scenario.ts";
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
import type { CredentialRow } from "../storage/credentials-store.ts";
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

/** So many rows are looked at before others have their turn. */
const PAGE = 1_000;

/** The rows of a table that came after one, in windows of their numbers, which have gaps of any size. */
function* windowsAfter({ db }: World, table: "log" | "requests", after: number) {
  const end = `SELECT max(seq) AS seq FROM (SELECT seq FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ${PAGE})`;
  for (let from = after; ; ) {
    const to = db.get<{ seq: number | null }>(end, from)?.seq ?? null;
    if (to === null) return;
    yield { from, to };
    from = to;
  }
}

/** Whether everything that happened in a world after a moment is still known. */
export function* isWhole(world: World, then: Pick<Then, "log" | "epoch">): Generator<void, boolean> {
  const { db, stores } = world;
  const trimmed = stores.settings.get("log_trimmed");
  if (then.epoch !== db.epoch || then.log < trimmed) return false;
  if (then.log > 0 && then.log !== trimmed && !db.get("SELECT 1 FROM log WHERE seq = ?", then.log)) return false;
  const unkept =
    "SELECT 1 FROM log l WHERE l.seq > ? AND l.seq <= ? AND l.kind = 'state' AND l.trace_id IS NOT NULL " +
    "AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.id = l.trace_id) LIMIT 1";
  for (const { from, to } of windowsAfter(world, "log", then.log)) {
    if (db.get(unkept, from, to) !== undefined) return false;
    yield;
  }
  // What a restore gave up would go on in another world.
  const givenUp = "SELECT 1 FROM deliveries WHERE last_error = ? AND attempts_made > 0 AND created_at > ? LIMIT 1";
  return db.get(givenUp, NOT_SENT_AFTER_RESTORE, db.toStored(then.log / 1_000)) === undefined;
}

export const tooMany = (steps: number): Refusal =>
  refuse(
    "unprocessable",
    `it would have more than ${MOST_STEPS} steps${steps > MOST_STEPS ? ` (${steps})` : ""}, which is the most that a scenario has; save a snapshot nearer to the calls and make them again, or pick fewer`,
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
function* entriesAfter(world: World, log: number): Generator<void, Entry[]> {
  const { db } = world;
  const found: Entry[] = [];
  for (const { from, to } of windowsAfter(world, "log", log)) {
    const rows = db.all<{ kind: Entry["kind"]; at: number; trace_id: string | null; data: string }>(
      "SELECT kind, at, trace_id, data FROM log WHERE seq > ? AND seq <= ? AND (kind IN ('world', 'drill') OR kind = 'state' AND data LIKE '{\"entity\":\"subscription\"%') ORDER BY seq",
      from,
      to,
    );
    for (const { at, data, ...entry } of rows)
      found.push({ ...entry, at: db.fromStored(at), data: JSON.parse(data) } as Entry);
    yield;
  }
  return found;
}

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

interface CodeRow {
  readonly code: string;
  readonly client_id: string;
  readonly organization_id: string;
  readonly scope: string;
  readonly issued_at: number;
  readonly consumed_at: number | null;
}

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
    const entries = yield* entriesAfter(this.#world, this.#then.log);
    const ids = yield* this.#callIds(entries);
    if (ids.length === 0) return refuse("unprocessable", "nothing was called yet: there is nothing to record");
    if (ids.length > MOST_STEPS) return tooMany(ids.length);
    const calls = yield* this.#calls(ids);
    const acts = yield* this.#acts(calls, entries);
    const { credentials } = this.#world.stores;
    const known = ({ integration_id, api_key, scope, preloaded }: CredentialRow) => ({
      ...{ integration_id, scope, preloaded, key_hint: maskSecret(api_key) },
    });
    const preloaded = this.#world.db.all<{ id: string }>(
      "SELECT integration_id AS id FROM credentials WHERE preloaded = 1 ORDER BY seq DESC",
    );
    return {
      baseUrl: this.#picked.baseUrl,
      isOld: (uuid) => this.#isOld(uuid),
      from,
      credential: (id) => {
        const found = credentials.byIntegration(id);
        return found && known(found);
      },
      preloaded: preloaded.flatMap(({ id }) => {
        const found = credentials.byIntegration(id);
        return found ? [known(found)] : [];
      }),
      clients: credentials.clients().map(({ client_id, oauth_enabled, client_secret }) => ({
        ...{ client_id, oauth_enabled },
        secret_hint: maskSecret(client_secret),
      })),
      acts,
    };
  }

  /** The calls that come along, in the order they began: those that were picked, and what changed something before them. */
  *#callIds(entries: readonly Entry[]): Generator<void, string[]> {
    const { db } = this.#world;
    const { ids } = this.#picked;
    // A fault that counts calls counts the reads, too.
    const counting =
      this.#then.faults.length > 0 || entries.some(({ kind, data }) => kind === "world" && data.what === "faults");
    const found: { readonly id: string; readonly at: number }[] = [];
    for (const { from, to } of windowsAfter(this.#world, "requests", this.#then.requests)) {
      const rows = db.all<{ id: string; operation: string | null; status: number; at: number }>(
        "SELECT id, operation, status, at FROM requests WHERE seq > ? AND seq <= ?",
        from,
        to,
      );
      for (const row of rows) if (ids === null || ids.has(row.id) || counting || changedSomething(row)) found.push(row);
      // Of those that are picked more may be found than come along.
      if (ids === null && found.length > MOST_STEPS) break;
      yield;
    }
    found.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
    const end = ids === null ? found.length : found.findLastIndex(({ id }) => ids.has(id)) + 1;
    return found.slice(0, end).map(({ id }) => id);
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
      code: null,
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
      const { event_type, payload, side, url, status, subscription_id, message_id, repeats_id } = delivery;
      const attempts = stores.outbox.attempts(delivery.seq).map(({ response_status, error }) => ({
        status: response_status,
        error: error === null ? null : redact(error),
      }));
      return {
        ...{ subscription_id, message_id, side, status, attempts },
        event_type,
        to: redact(url),
        payload: redacted(payload, redact),
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

  *#acts(calls: readonly TimedCall[], entries: readonly Entry[]): Generator<void, RecordedAct[]> {
    const end = calls.at(-1)?.at ?? 0;
    const { offset } = this.#then;
    const first = calls[0]?.at ?? 0;
    const acts: RecordedAct[] = this.#then.subscriptions.map(({ id, integration_id, url }) => ({
      ...{ at: first, subscription: id, integration_id },
      receiver: this.#receiver(id, url),
    }));
    if (
      calls.some(
        ({ at, duration }, index) => at + duration - JITTER_MS > (calls[index + 1]?.at ?? Number.POSITIVE_INFINITY),
      )
    )
      acts.push({ at: first, note: "calls that overlapped are made one after the other" });
    // A call that subscribed an address is played by the receiver it leads to.
    const bySubscribing = new Map(
      entries.flatMap((entry) => (entry.kind === "state" && entry.trace_id !== null ? [[entry.trace_id, entry]] : [])),
    );
    const clock: { readonly from: number; readonly offset: number }[] = [{ from: Number.NEGATIVE_INFINITY, offset }];
    const made: RecordedAct[] = [];
    for (const { at, kind, data, trace_id } of entries) {
      if (at > end || (trace_id !== null && kind !== "drill")) continue;
      if (kind === "state") made.push(...this.#ofSubscription(data, at));
      else if (kind === "drill") made.push({ at, note: "drills of receivers are left out" });
      else {
        made.push(...actOf(data, at));
        if (data.what === "clock") clock.push({ from: at, offset: Math.round(offsetOf(data.after) * 1_000) });
      }
    }
    yield;
    const offsetAt = (at: number): number => clock.findLast(({ from }) => from < at)?.offset ?? 0;
    const codes = new UsedCodes(this.#world);
    for (const { at, duration: _, ...call } of calls) {
      const subscribing = bySubscribing.get(call.id);
      if (subscribing) made.push(this.#subscribed(subscribing.data as StateChange, at));
      else made.push({ at, offset: offsetAt(at), call: { ...call, code: codes.of(call, at + offsetAt(at)) } });
      yield;
    }
    for (const { when, ...act } of [...codes.issued(), ...this.#uploads()])
      made.push({ at: realTimeOf(when, clock), ...act });
    const rank = (act: RecordedAct): number => ("code" in act ? 0 : "upload" in act ? 2 : 1);
    made.sort((one, other) => one.at - other.at || rank(one) - rank(other));
    return [...acts, ...made];
  }

  /** The uploads that came, in the world's time. */
  #uploads(): { readonly when: number; readonly upload: string }[] {
    const { db } = this.#world;
    const sql = "SELECT id, uploaded_at FROM uploads WHERE uploaded_at IS NOT NULL AND seq > ?";
    return db
      .all<{ id: string; uploaded_at: number }>(sql, this.#then.rows.uploads)
      .map(({ id, uploaded_at }) => ({ when: db.fromStored(uploaded_at), upload: id }));
  }

  #subscribed(change: StateChange, at: number): RecordedAct {
    const { id, integration_id, url } = change.after as { id: string; integration_id: string; url: string };
    return { at, subscription: id, integration_id, receiver: this.#receiver(id, url) };
  }

  #ofSubscription(change: StateChange, at: number): RecordedAct[] {
    if (change.change === "inserted") return [this.#subscribed(change, at)];
    const paused = (side: unknown): boolean =>
      typeof side === "object" && side !== null && Reflect.get(side, "paused_at") !== null;
    const changed = paused(change.after) ? "subscriptions.pause" : "subscriptions.resume";
    const operation = change.change === "deleted" ? "subscriptions.delete" : changed;
    return [{ at, ofSubscription: change.id, operation }];
  }
}

/** Real time of a moment of the world's clock. A clock that was put back comes by a moment twice: then the first. */
const realTimeOf = (when: number, clock: readonly { readonly from: number; readonly offset: number }[]): number => {
  for (const [index, { from, offset }] of clock.entries()) {
    const at = when - offset;
    if (at >= from && at < (clock[index + 1]?.from ?? Number.POSITIVE_INFINITY)) return at;
  }
  return when - (clock.at(-1)?.offset ?? 0);
};

/** The access codes that the calls of a recording were made with: found by what is left of them, and by when they were used. */
class UsedCodes {
  readonly #db: Database;
  readonly #byHint = new Map<string, CodeRow[]>();
  readonly #used = new Set<CodeRow>();

  constructor({ db }: World) {
    this.#db = db;
    const sql =
      "SELECT code, client_id, organization_id, scope, issued_at, consumed_at FROM access_codes ORDER BY consumed_at, issued_at";
    for (const row of db.all<CodeRow>(sql)) {
      const hint = maskSecret(row.code);
      const known = this.#byHint.get(hint);
      if (known) known.push(row);
      else this.#byHint.set(hint, [row]);
    }
  }

  /** The code of an install; null: none that is there. @param when it was made, in the world's time */
  of({ operation, status, body }: RecordedCall, when: number): string | null {
    if (operation !== "integrations.insert") return null;
    const hint = /ac_•{8}[A-Za-z0-9_-]{0,4}/.exec(body.toString("utf8"))?.[0] ?? "";
    const known = this.#byHint.get(hint) ?? [];
    // Two may look the same. Each is used up by one install, in the order of the calls.
    const usedUpBy = ({ consumed_at }: CodeRow): boolean =>
      consumed_at !== null && this.#db.fromStored(consumed_at) >= when - JITTER_MS;
    const found =
      status === 200
        ? known.find((row) => usedUpBy(row) && !this.#used.has(row))
        : (known.find((row) => this.#used.has(row)) ?? known.find((row) => row.consumed_at === null || usedUpBy(row)));
    if (!found) return null;
    this.#used.add(found);
    return found.code;
  }

  /** What was issued, in the world's time. */
  issued(): { readonly when: number; readonly code: string; readonly grant: object }[] {
    return [...this.#used].map(({ code, client_id, organization_id, scope, issued_at }) => ({
      when: this.#db.fromStored(issued_at),
      code,
      grant: { client_id, organization_id, scope },
    }));
  }
}

const offsetOf = (side: unknown): number =>
  typeof side === "object" && side !== null ? Number(Reflect.get(side, "offset_seconds")) : 0;

/** What the operator did to the world, as steps of the control plane. */
const actOf = ({ what, before, after }: WorldChange, at: number): RecordedAct[] => {
  const control = (operation: string, name: string, body: object): RecordedAct => ({
    ...{ at, control: operation, name, body },
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
