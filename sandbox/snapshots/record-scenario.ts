import fs from "node:fs";
import path from "node:path";
import { findCause } from "../contract/causes.ts";
import type { CounterpartRule } from "../contract/control/counterpart-operations.ts";
import { changedSomething } from "../contract/control/exchange-kinds.ts";
import type { Receiver } from "../contract/control/receiver-operations.ts";
import type { RequestRow, StateChange, Subscription } from "../contract/control/rows.ts";
import type { EventType } from "../contract/event-types.ts";
import { isObject } from "../contract/explain.ts";
import { maskSecret } from "../contract/known-secrets.ts";
import type { WorldChange } from "../contract/live.ts";
import { MAX_STEPS, type Recorded, SCENARIO_FORMAT, type Step } from "../contract/scenario.ts";
import { scenarioFileName } from "../contract/scenario-name.ts";
import { type Act, type RecordedCall, recordSteps } from "../rules/scenarios/recorded-steps.ts";
import { iso } from "../rules/timestamp.ts";
import { actingRules } from "../rules/worlds/counterparts.ts";
import { type ArmedFault, faultState, remainingUses } from "../rules/worlds/faults.ts";
import { createRedactor, redactBytes, redactJson } from "../secrets/masking.ts";
import { Database } from "../storage/database.ts";
import { realTime } from "../storage/real-time.ts";
import { openStores, type Stores } from "../storage/stores.ts";
import { exportDocument, findSecrets } from "./export-document.ts";
import { copySnapshot } from "./read-snapshot.ts";
import { WorkRefusal } from "./work.ts";

/** A possible starting point of a recording. */
export interface StartPoint {
  /** The snapshot's name; null: the seed. */
  readonly name: string | null;
  readonly file: string;
  readonly media: string;
  /** Real time. */
  readonly at: number;
}

interface RecordWork {
  /** The world's file; the service may have it open. */
  readonly file: string;
  /** The world's snapshots, newest first, and the seed. */
  readonly beginnings: readonly StartPoint[];
  /** Folder for temporary files. */
  readonly folder: string;
  /** Destination of the response. */
  readonly to: string;
  /** The calls to record; null: every call since the world was created or reset. */
  readonly ids: readonly string[] | null;
  readonly name: string | null;
  /** True if the scenario includes the initial world. */
  readonly start: boolean;
  readonly about: Pick<Recorded, "version" | "world">;
  readonly baseUrl: string;
}

type SubscriptionRow = Readonly<Pick<Subscription, "id" | "integration_id" | "url">>;

/** Reads a world's state at the start of a recording. `last` is the newest log entry or call; 0: none. */
const readRecordingStart = (db: Database) => {
  const { settings } = openStores(db);
  const last = (table: string): number =>
    db.get<{ seq: number | null }>(`SELECT max(seq) AS seq FROM ${table}`)?.seq ?? 0;
  return {
    last: Math.max(last("log"), last("requests")),
    epoch: db.epoch,
    offset: settings.get("clock_offset"),
    policies: settings.get("policies"),
    faults: settings.get("faults"),
    counterparts: settings.get("counterparts"),
    subscriptions: db.all<SubscriptionRow>(
      "SELECT id, integration_id, url FROM subscriptions WHERE ended_at IS NULL AND paused_at IS NULL ORDER BY seq",
    ),
  };
};

export type RecordingStart = ReturnType<typeof readRecordingStart>;

/** Returns whether a world continues from this moment with no change deleted since. */
const continuesFrom = (db: Database, { settings }: Stores, then: RecordingStart): boolean => {
  const trimmed = settings.get("log_trimmed");
  if (then.epoch !== db.epoch || then.last < trimmed) return false;
  const EXISTS_SQL = "SELECT 1 FROM log WHERE seq = ? UNION ALL SELECT 1 FROM requests WHERE seq = ?";
  if (then.last > trimmed && !db.get(EXISTS_SQL, then.last, then.last)) return false;
  const unkept =
    "SELECT 1 FROM log l WHERE l.seq > ? AND l.kind = 'state' AND l.trace_id IS NOT NULL " +
    "AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.id = l.trace_id) LIMIT 1";
  return db.get(unkept, then.last) === undefined;
};

/**
 * Yields the usable starting points in their order, each with its state: the world continued from it, and no change
 * since was deleted.
 *
 * @param copy destination of a snapshot's copy; the copy of the chosen one stays
 */
export function* usableBeginnings(db: Database, beginnings: readonly StartPoint[], copy: string) {
  for (const beginning of beginnings) {
    const { name, file } = beginning;
    const opened = name === null ? new Database(file, { durability: "off" }) : copySnapshot(name, file, copy);
    const then = readRecordingStart(opened);
    opened.close();
    if (continuesFrom(db, openStores(db), then)) yield { beginning, then };
    fs.rmSync(copy, { force: true });
  }
}

const tooMany = (): WorkRefusal =>
  new WorkRefusal(
    "unprocessable",
    `the recording would have more than ${MAX_STEPS} steps, the limit. Save a snapshot closer to the calls and repeat them, or select fewer calls`,
  );

/** Faults that were armed at a moment and could still fire, with their remaining counts. */
const faultsArmedAt = (faults: readonly ArmedFault[], now: number): Recorded["faults"] =>
  faults
    .filter((fault) => faultState(fault, now) === "armed" && remainingUses(fault) !== 0)
    .map(({ name, operation, integration_id, calls, effect, uses, expires_at, matched, fired }) => ({
      ...(name === null ? {} : { name }),
      operation,
      ...(integration_id === null ? {} : { integration_id }),
      ...(calls === null ? {} : { calls: { nth: calls.nth - matched } }),
      effect,
      ...(uses === null ? {} : { uses: uses - fired }),
      ...(expires_at === null ? {} : { for_seconds: Math.max(1, Math.ceil((expires_at - now) / 1_000)) }),
    }));

const clockOffset = (side: unknown): number => Number(Reflect.get(side as object, "offset_seconds"));

/** A step that sets up counterpart suppliers. Counterpart buyers need none: their orders are repeated as calls. */
const supplierRules = (rules: readonly CounterpartRule[], at: number): Act => ({
  at,
  control: "counterparts.set",
  name: "set how suppliers answer",
  body: { rules: rules.filter(({ does }) => does !== "order") },
});

/** Converts the operator's changes of a world to control steps. */
const controlActs = ({ what, before, after }: WorldChange, at: number): Act[] => {
  if (what === "clock") {
    const seconds = clockOffset(after) - clockOffset(before);
    return seconds > 0
      ? [{ at, control: "clock.advance", name: "move the clock ahead", body: { seconds } }]
      : [{ at, control: "clock.reset", name: "reset the clock to real time", body: {} }];
  }
  if (what === "counterparts") return [supplierRules(after as CounterpartRule[], at)];
  if (what === "policies") return [{ at, control: "policies.set", name: "apply settings", body: { policies: after } }];
  if (what !== "faults" || !Array.isArray(after)) return [];
  // A cleared fault has no ID that is the same in every run, so the remaining ones are armed again.
  return [
    { at, control: "faults.clear", name: "clear faults", body: {} },
    ...faultsArmedAt(after, at).map((body) => ({ at, control: "faults.set", name: "arm a fault", body })),
  ];
};

/** A candidate call; with its order when the sandbox made the call for a counterpart supplier. */
type CallRow = Pick<RequestRow, "id" | "operation" | "status" | "job_id" | "integration_id"> &
  Effect & { readonly answers: string | null };

/** The moment something took effect: its first log entry except for faults, and that entry's real time. */
export interface Effect {
  readonly seq: number;
  readonly at: number;
}

type MadeCall = { readonly call: RecordedCall } & Effect & Pick<CallRow, "answers">;

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const findUuids = (text: string): string[] => text.match(UUIDS)?.map((id) => id.toLowerCase()) ?? [];

/** Partner-chosen identifiers in a call's JSON; values with escapes are not followed. */
const OWN_NAMES = /"(?:external|external_id|job_number)"\s*:\s*"([^"\\]*)"/g;

/** Returns the identifiers of a job, a part or an order. */
const identifiersIn = (value: unknown): string[] =>
  isObject(value) ? [value.id, value.external_id, value.job_number].filter((name) => typeof name === "string") : [];

/** Reads the content of a recording from a world. */
export class Recording {
  readonly #db: Database;
  readonly #stores: Stores;
  readonly #then: RecordingStart;
  readonly #ids: ReadonlySet<string> | null;
  readonly #redact: (text: string) => string;
  readonly #before: string | null;

  /**
   * @param before records the calls up to this one for a repetition without deliveries; null: for a scenario to read
   */
  constructor(
    db: Database,
    then: RecordingStart,
    ids: RecordWork["ids"],
    redact: (text: string) => string,
    before: string | null = null,
  ) {
    this.#db = db;
    this.#before = before;
    this.#stores = openStores(db);
    this.#then = then;
    this.#ids = ids && new Set(ids);
    this.#redact = redact;
  }

  /** Returns acts in the order they took effect, and when the final call did. */
  acts(): { readonly acts: (Act & Effect)[]; readonly end: Effect | undefined } {
    const entries = this.#db.all<{
      seq: number;
      kind: "world" | "drill" | "state";
      at: number;
      trace_id: string | null;
      data: string;
    }>(
      "SELECT seq, kind, at, trace_id, data FROM log WHERE seq > ? AND (kind IN ('world', 'drill') OR kind = 'state' AND data LIKE '{\"entity\":\"subscription\"%') ORDER BY seq",
      this.#then.last,
    );
    const { calls, end } = this.#calls(entries.some(({ kind, data }) => kind === "world" && data.includes('"faults"')));
    const [first, last] = [calls[0]?.at ?? 0, end ? end.seq - 1 : (calls.at(-1)?.seq ?? 0)];
    const traces = calls.map(({ call: { id } }) => id);
    const ownTraces = new Set<string | null>(traces);
    const reached = new Set(calls.flatMap(({ call: { notifications } }) => [...notifications.keys()]));
    const comes = (subscription: string, trace: string | null): boolean =>
      !this.#ids || reached.has(subscription) || (trace !== null && this.#ids.has(trace));
    const recorded: (Act & Effect)[] = [];
    const left = new Set<string>();
    for (const { seq, kind, data, trace_id, ...entry } of entries) {
      const at = this.#db.fromStored(entry.at);
      const add = (...acts: Act[]) => recorded.push(...acts.map((act) => ({ ...act, seq })));
      // The last call's own changes are its first entries.
      if (seq > last && !ownTraces.has(trace_id)) continue;
      if (kind === "drill") add(...(this.#ids || this.#before ? [] : [{ at, note: "drills aren’t recorded" }]));
      else if (kind === "world") add(...controlActs(JSON.parse(data) as WorldChange, at));
      else {
        const { id, label, change, after } = JSON.parse(data) as StateChange;
        // The repetition contains the call that made this change.
        if (this.#before ? trace_id !== null : !comes(id, trace_id)) continue;
        // A built-in receiver replaces the address that a call subscribed.
        const call = calls.find(({ call: { id } }) => id === trace_id);
        if (this.#before && change === "inserted" && !this.#receiverAt(after as SubscriptionRow)) {
          left.add(id);
          add({ at, note: "subscriptions of sandbox listen aren’t repeated" });
        } else if (change === "inserted") add(this.#subscribed(after as SubscriptionRow, call?.at ?? at, traces));
        else if (!this.#before) add({ at, note: "pausing, resuming and deleting subscriptions isn’t recorded" });
        else if (change === "deleted" && !left.has(id))
          add({
            at,
            note: `the subscription of ${this.#redact(label)} was deleted before the call, and is there again, paused`,
          });
      }
    }
    for (const one of calls) if (this.#before || !isSubscribing(one.call)) recorded.push(repeatAnswer(one));
    recorded.sort((one, other) => one.seq - other.seq);
    if (end) return { acts: recorded, end };
    const subscribed = this.#then.subscriptions.filter(({ id }) => comes(id, null));
    const initialActs = subscribed.map((row) => ({ ...this.#subscribed(row, first, traces), seq: 0 }));
    const rules = actingRules(this.#then.counterparts);
    const buys = rules.some(({ does }) => does === "order");
    return { acts: [...(buys ? [{ ...supplierRules(rules, first), seq: 0 }] : []), ...initialActs, ...recorded], end };
  }

  /** Selects the calls: all up to a final call, or the chosen ones with the earlier calls they need. */
  #calls(counting: boolean): { readonly calls: MadeCall[]; readonly end?: Effect } {
    // A call without changes took effect on arrival. For MIN() in a GROUP BY, SQLite returns the other columns of the
    // minimum's row.
    const rows = this.#db.all<CallRow>(
      "SELECT r.id, r.operation, r.status, r.job_id, r.integration_id, iif(r.origin = 'counterpart' AND r.side = 'supplier', r.procurement_id, NULL) AS answers, min(coalesce(l.seq, r.seq), r.seq) AS seq, iif(l.seq < r.seq, l.at, r.at) AS at FROM requests r " +
        "LEFT JOIN (SELECT trace_id, min(seq) AS seq, at FROM log WHERE seq > ? AND trace_id IS NOT NULL AND kind <> 'fault' GROUP BY trace_id) l ON l.trace_id = r.id " +
        "WHERE r.seq > ? ORDER BY seq",
      this.#then.last,
      this.#then.last,
    );
    // A fault that counts calls needs every call.
    const counts = counting || this.#then.faults.length > 0;
    const at = rows.findIndex(({ id }) => id === this.#before);
    const before = rows[at];
    const last = this.#ids ? rows.findLastIndex(({ id }) => this.#ids?.has(id)) : rows.length - 1;
    const all = rows.slice(0, before ? at : last + 1);
    const leading = before && !counts ? all.filter(changedSomething) : all;
    const found = this.#ids && !counts ? this.#withNeeded(all, this.#ids) : leading;
    if (found.length === 0 && !before) throw new WorkRefusal("unprocessable", "there are no calls to record yet");
    if (found.length > MAX_STEPS) throw tooMany();
    const calls = found.map((row) => this.#call(row));
    return before ? { calls, end: { seq: before.seq, at: this.#db.fromStored(before.at) } } : { calls };
  }

  /** Adds the earlier calls that changed or created the records that the chosen calls name. */
  #withNeeded(rows: readonly CallRow[], picked: ReadonlySet<string>): CallRow[] {
    const changes = this.#changes();
    const changing = rows.map((row, at) => ({ ...row, at })).filter(changedSomething);
    const pairs = changing.flatMap((row) => {
      const changed = (changes.get(row.id) ?? []).flatMap(({ names }) => names);
      return [row.job_id ?? this.#responseIds(row), changed].flat().map((name) => ({ name, at: row.at }));
    });
    const changersOf = Map.groupBy(pairs, ({ name }) => name);
    const needed = new Set<number>();
    const add = (at: number): void => {
      const row = rows[at];
      if (!row || needed.has(at)) return;
      needed.add(at);
      for (const name of [...this.#namedBy(row), ...(picked.has(row.id) ? this.#notified(row.id) : [])])
        for (const before of changersOf.get(name) ?? []) if (before.at < at) add(before.at);
    };
    for (const [at, { id }] of rows.entries()) if (picked.has(id)) add(at);
    return rows.filter((_, at) => needed.has(at));
  }

  /** By call: its changes, with the record's identifiers before and after. */
  #changes(): Map<string, { readonly names: readonly string[] }[]> {
    const rows = this.#db.all<{ trace_id: string; data: string }>(
      "SELECT trace_id, data FROM log WHERE seq > ? AND kind = 'state' AND trace_id IS NOT NULL",
      this.#then.last,
    );
    const changes = rows.map(({ trace_id, data }) => {
      const { id, before, after } = this.#stores.log.restoreChange(data, trace_id);
      return { trace_id, names: [id, ...[before, after].flat().flatMap(identifiersIn)] };
    });
    return Map.groupBy(changes, ({ trace_id }) => trace_id);
  }

  /** Returns IDs created by a call without a job: an integration or an upload. */
  #responseIds({ id }: CallRow): string[] {
    return findUuids(this.#stores.requests.get(id)?.response_body ?? "");
  }

  /** Returns the identifiers in a call: IDs, external IDs and job numbers. */
  #namedBy({ id, job_id, integration_id }: CallRow): string[] {
    const record = this.#stores.requests.get(id);
    if (!record) return [];
    const own = [...record.request_body.matchAll(OWN_NAMES)].map(([, name = ""]) => name);
    const all = findUuids(`${record.path} ${record.request_body} ${record.response_body}`);
    return [job_id, integration_id, ...own, ...all].filter((name) => name !== null);
  }

  #call({ id, seq, at, answers }: CallRow): MadeCall {
    const { requests } = this.#stores;
    const record = requests.get(id);
    if (!record) throw new Error(`the call ${id} was deleted`);
    const { operation, status, method, path: address, request_headers, unrouted = null } = record;
    const install = operation === "integrations.insert";
    const decision = findCause(requests.findRefusal(id)?.cause)?.decisions[0];
    const call: RecordedCall = {
      ...{ id, operation, status, method, path: address, request_headers, unrouted },
      caller: install || status === 401 ? null : this.#caller(record.integration_id, request_headers),
      body: redactBytes(Buffer.from(record.request_body_base64, "base64"), this.#redact),
      answer: redactBytes(Buffer.from(record.response_body_base64, "base64"), this.#redact),
      picked: !this.#ids || this.#ids.has(id),
      decision: decision ?? null,
      grant: install && status === 200 ? this.#grant(record.response_body) : null,
      clientSecret: install ? this.#clientSecret(record.request_body) : null,
      notifications: !this.#before && (!this.#ids || this.#ids.has(id)) ? this.#notifications(id) : new Map(),
    };
    return { seq, at: this.#before ? this.#db.fromStored(at) : Date.parse(record.at), call, answers };
  }

  /** Identifies a credential by its ID, because two masked keys may look the same. */
  #caller(integration_id: string | null, headers: RecordedCall["request_headers"]): RecordedCall["caller"] {
    const known = integration_id === null ? undefined : this.#stores.credentials.findByIntegration(integration_id);
    if (!known || !headers.some(([name]) => name.toLowerCase() === "authorization")) return null;
    return known.preloaded ? { as: known.scope } : { credentials: { integration_id: known.integration_id } };
  }

  /** Returns the grant of an install from the credential it created. */
  #grant(responseBody: string): object | null {
    const { integration_id } = JSON.parse(responseBody) as { readonly integration_id: string };
    const credential = this.#stores.credentials.findByIntegration(integration_id);
    if (!credential) return null;
    const { client_id, organization_id, scope } = credential;
    return { client_id, organization_id, scope };
  }

  /** Returns the client secret of an install when it is the client's own. */
  #clientSecret(body: string): string | null {
    const client = this.#stores.credentials
      .clients()
      .find((one) => body.includes(JSON.stringify(one.client_id)) && body.includes(maskSecret(one.client_secret)));
    return client ? `{{${client.oauth_enabled ? "client" : "client_no_oauth"}.client_secret}}` : null;
  }

  /** Returns the integrations that received notifications of a call. */
  #notified(trace: string): string[] {
    const sql =
      "SELECT DISTINCT s.integration_id AS id FROM events e JOIN deliveries d ON d.event_seq = e.seq " +
      "JOIN subscriptions s ON s.seq = d.subscription_seq WHERE e.trace_id = ?";
    return this.#db.all<{ id: string }>(sql, trace).map(({ id }) => id);
  }

  /** Returns a call's notifications, without manual resends. */
  #notifications(trace: string): RecordedCall["notifications"] {
    const rows = this.#db.all<{ subscription: string; event_type: EventType; payload: string }>(
      "SELECT s.id AS subscription, e.event_type, e.payload FROM deliveries d JOIN events e ON e.seq = d.event_seq " +
        "JOIN subscriptions s ON s.seq = d.subscription_seq " +
        "WHERE e.trace_id = ? AND d.repeats_id IS NULL AND d.attempts_made > 0 ORDER BY d.seq",
      trace,
    );
    return Map.groupBy(
      rows.map(({ payload, ...row }) => ({ ...row, payload: JSON.parse(payload) as unknown })),
      ({ subscription }) => subscription,
    );
  }

  /** Returns the built-in receiver of a subscription. */
  #receiverAt({ url }: Pick<SubscriptionRow, "url">): Pick<Receiver, "behaviour"> | undefined {
    return this.#stores.receivers.list().find((one) => one.url === url) as Pick<Receiver, "behaviour"> | undefined;
  }

  /** Replaces a partner's server with a built-in receiver. */
  #subscribed({ id, integration_id, url }: SubscriptionRow, at: number, traces: readonly string[]): Act {
    const own = this.#receiverAt({ url });
    const statuses = this.#db
      .all<{ status: number | null }>(
        "SELECT a.response_status AS status FROM attempts a JOIN deliveries d ON d.seq = a.delivery_seq JOIN events e ON e.seq = d.event_seq " +
          "JOIN subscriptions s ON s.seq = d.subscription_seq WHERE s.id = ? AND e.trace_id IN (SELECT value FROM json_each(?)) ORDER BY a.started_at, a.seq",
        id,
        JSON.stringify(traces),
      )
      .map(({ status }) => status);
    return {
      at,
      subscription: id,
      integration_id,
      url: this.#redact(url),
      statuses,
      behaviour: own?.behaviour ?? null,
    };
  }
}

/** Repeats a counterpart supplier's response; no key is needed. */
const repeatAnswer = ({ call, answers, seq, at }: MadeCall): Act & Effect =>
  answers === null
    ? { call, seq, at }
    : { control: "counterparts.now", name: "the supplier answers", body: { procurement_id: answers }, seq, at };

/**
 * Returns whether a call subscribed an address. The recording replaces it with a receiver, which earlier subscriptions already
 * have.
 */
const isSubscribing = ({ operation, status }: RecordedCall): boolean =>
  operation === "webhooks.subscribe" && status === 200;

const fileName = (name: string, isReproduction: boolean): string => {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return scenarioFileName(plain.replace(/^-|-$/g, "").slice(0, 60) || "scenario", isReproduction);
};

const callTitle = (steps: readonly Step[]): string => {
  const { call, came } = steps.findLast((step) => step.call !== undefined) ?? {};
  const what = call?.operation ?? call?.route ?? "calls";
  return `${what.startsWith("{{") ? "an upload" : what} answered ${came?.status ?? "nothing"}`;
};

/** Finds the latest usable starting point before the calls. */
const findBeginning = ({ beginnings, ids, start, folder, about }: RecordWork, db: Database) => {
  const stores = openStores(db);
  const first = Math.min(...(ids ?? []).map((id) => Date.parse(stores.requests.findByTrace(id)?.at ?? "")));
  const possible = beginnings.filter(({ name, at }) => name === null || (start && ids !== null && at <= first));
  const [found] = usableBeginnings(db, possible, path.join(folder, "then.sqlite"));
  if (found) return found;
  throw new WorkRefusal(
    "unprocessable",
    `retention deleted some earlier calls of world ${about.world}, and no snapshot replaces them. Save a snapshot, repeat the calls, then record them`,
  );
};

/** Writes the response of `scenarios.record`, without secrets. Runs on its own thread. */
export const recordScenario = (input: RecordWork): null => {
  const { file, folder, to, ids, name, start, about, baseUrl } = input;
  const db = new Database(file, { durability: "off" });
  try {
    // A transaction hides concurrent writes.
    db.handle.exec("BEGIN");
    const unknown = ids?.find((id) => !db.get("SELECT 1 FROM requests WHERE id = ?", id));
    if (unknown !== undefined)
      throw new WorkRefusal(
        "not_found",
        `/trace_ids ${unknown} isn’t a recorded call of this world. A reset or retention may have deleted it`,
      );
    const { beginning, then } = findBeginning(input, db);
    const { at } = beginning;
    const secrets = findSecrets(db.handle);
    const redact = createRedactor(secrets);
    const { acts } = new Recording(db, then, ids, redact).acts();
    const { steps, notes } = recordSteps(acts, baseUrl, start ? at : null);
    if (steps.length === 0)
      throw new WorkRefusal("unprocessable", `none of these calls can be recorded. ${notes.join(" ")}`);
    if (steps.length > MAX_STEPS) throw tooMany();
    const recorded: Recorded = {
      ...{ at: iso(realTime()), ...about, policies: then.policies, faults: faultsArmedAt(then.faults, at) },
      ...(start ? { starts_at: iso(at + then.offset) } : {}),
      notes,
    };
    const title = name ?? callTitle(steps);
    const head = redactJson(
      { file_name: fileName(redact(title), start), scenario: { scenario: SCENARIO_FORMAT, name: title, recorded } },
      redact,
    );
    const out = fs.openSync(to, "wx", 0o600);
    fs.writeFileSync(out, JSON.stringify(head).slice(0, -2));
    if (start) {
      const world = path.join(folder, "start.json");
      const [copy, from] = [path.join(folder, "start.sqlite"), beginning.file];
      const exporting = { from, copy, snapshot: beginning.name, media: beginning.media, to: world, reveal: false };
      const origin = { version: about.version, exported_at: recorded.at, world: about.world };
      exportDocument({ ...exporting, secrets, about: origin }, () => undefined);
      fs.writeFileSync(out, ',"start":');
      fs.writeFileSync(out, fs.readFileSync(world));
    }
    for (const [index, step] of steps.entries())
      fs.writeFileSync(out, `${index === 0 ? ',"steps":[' : ","}${JSON.stringify(redactJson(step, redact))}`);
    fs.writeFileSync(out, "]}}");
    fs.closeSync(out);
    return null;
  } finally {
    db.close();
  }
};
