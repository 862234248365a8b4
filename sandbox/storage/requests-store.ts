import { reasonOf } from "../contract/causes.ts";
import { changingCalls, DONE_STATUS, REFUSED_FROM } from "../contract/control/exchange-kinds.ts";
import type { FaultMark } from "../contract/control/fault-rows.ts";
import type {
  ProvenOrigin,
  RequestDetail,
  RequestOrigin,
  RequestRow,
  Side,
  UnroutedKind,
} from "../contract/control/rows.ts";
import type { RefusedFor } from "../contract/errors.ts";
import type { Database } from "./database.ts";
import { type Condition, type List, type PageQuery, where } from "./lists.ts";

/** One exchange, credentials already masked. Its id is the id of its trace. */
export interface ExchangeRecord {
  readonly id: string;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  readonly integration_id: string | null;
  readonly side: Side | null;
  readonly status: number;
  readonly error_code: string | null;
  readonly duration_ms: number;
  readonly request_headers: readonly (readonly [string, string])[];
  readonly request_body: Buffer;
  /** The request's body is not as it was sent: it held a secret, or may have. */
  readonly body_masked: boolean;
  readonly response_headers: readonly (readonly [string, string])[];
  readonly response_body: Buffer;
  readonly outcome: string;
  readonly events: number;
  readonly job_id: string | null;
  readonly procurement_id: string | null;
  /** What a person knows the job or procurement by. */
  readonly label: string | null;
  /** The faults it met; left out: none. */
  readonly faults?: FaultMark[];
  /** The exchange it sent again; left out: none. */
  readonly replays_id?: string;
  /** Why it reached no operation; left out: it did. */
  readonly unrouted?: UnroutedKind;
  /** Left out: nobody who proved it. */
  readonly origin?: ProvenOrigin;
  /** Why it was refused; left out: it was not, or by nothing that has a name. */
  readonly refused_for?: RefusedFor;
}

const REQUEST_SUMMARY =
  "seq, id, id AS trace_id, at, method, path, operation, integration_id, side, status, error_code, duration_ms, " +
  "length(request_body) AS request_bytes, length(response_body) AS response_bytes, outcome, events, job_id, procurement_id, label, " +
  "faults, replays_id, unrouted, origin, pinned, note, refused_for";

/** An exchange as it is kept; what its address may have meant is no part of it. */
export type KeptDetail = Omit<RequestDetail, "did_you_mean">;

/** What a row says only where there is something to say. */
interface StoredExtras {
  readonly replays_id: string | null;
  readonly unrouted: UnroutedKind | null;
  readonly origin: ProvenOrigin | null;
  readonly pinned: number;
  readonly note: string | null;
  readonly refused_for: string | null;
}

type StoredSummary = Omit<RequestRow, "at" | "faults" | "reason" | keyof StoredExtras> &
  StoredExtras & { at: number; seq: number; faults: string | null };

const withReason = (why: RefusedFor | null | undefined, label: string | null): Pick<RequestRow, "reason"> => {
  const reason = reasonOf(why, label);
  return reason === null ? {} : { reason };
};

/** A stored summary as the control plane lists it. */
const requestRow = (
  db: Database,
  { seq: _seq, faults, replays_id, unrouted, origin, pinned, note, refused_for, ...row }: StoredSummary,
): RequestRow => ({
  ...row,
  ...withReason(refused_for === null ? null : (JSON.parse(refused_for) as RefusedFor), row.label),
  at: new Date(db.fromStored(row.at)).toISOString(),
  ...(faults === null ? {} : { faults: JSON.parse(faults) as FaultMark[] }),
  ...(replays_id === null ? {} : { replays_id }),
  ...(unrouted === null ? {} : { unrouted }),
  ...(origin === null ? {} : { origin }),
  ...(pinned === 0 ? {} : { pinned: true as const }),
  ...(note === null ? {} : { note }),
});

/** An exchange as it is published, and listed once it is kept. */
export const exchangeSummary = ({
  request_headers: _request,
  response_headers: _response,
  body_masked: _masked,
  refused_for,
  request_body,
  response_body,
  ...exchange
}: ExchangeRecord): RequestRow => ({
  ...exchange,
  ...withReason(refused_for, exchange.label),
  trace_id: exchange.id,
  at: new Date(exchange.at).toISOString(),
  request_bytes: request_body.length,
  response_bytes: response_body.length,
});

export interface RequestFilter {
  readonly search?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly job_id?: string | undefined;
  readonly procurement_id?: string | undefined;
  /** Only calls of this operation that were answered 200. */
  readonly done?: string | undefined;
  /** Only those of operations that do more than read, whatever they were answered. */
  readonly writes?: boolean | undefined;
  /** Of those only the ones that were answered 200. */
  readonly changes?: boolean | undefined;
  /** Only those that were refused or failed. */
  readonly refused?: boolean | undefined;
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** The first digit of the status. */
  readonly status_class?: number | undefined;
  readonly error_code?: string | undefined;
  readonly integration_id?: string | undefined;
  readonly side?: Side | undefined;
  /** Only those without a credential that the world knows. */
  readonly anonymous?: boolean | undefined;
  readonly faulted?: boolean | undefined;
  /** Only those that reached no operation. */
  readonly unrouted?: boolean | undefined;
  readonly pinned?: boolean | undefined;
  readonly origin?: RequestOrigin | undefined;
  /** Milliseconds since the world's epoch; the end is not included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly oldestFirst?: boolean | undefined;
}

export const searchableRequests = {
  name: "requests",
  joins: "",
  index: "words",
  texts: {
    path: "r.path",
    status: "r.status",
    outcome: "r.outcome",
    label: "r.label",
    request_headers: "r.request_headers",
    request_body: "r.request_body",
    response_headers: "r.response_headers",
    response_body: "r.response_body",
  },
  sorts: { seq: "r.seq" },
} as const satisfies List;

/** As the indexes say it that such calls are found in; with a bound value they would not be found. */
const DONE = `r.status = ${DONE_STATUS}`;
const CHANGING = `r.operation IN (${changingCalls.map((name) => `'${name}'`).join(", ")})`;
const CHANGES = `${CHANGING} AND ${DONE}`;
const WRITES = `(${CHANGES} OR ${CHANGING} AND r.status <> ${DONE_STATUS})`;
// A call that placed several has no one procurement of its own; its events name them all.
const OF_PROCUREMENT =
  "(r.procurement_id = ? OR r.id IN (SELECT trace_id FROM events WHERE events.procurement_id = ?))";

/** Both ranges, because an index of their own holds each. */
const OF_OPERATION = `(r.operation = ? AND ${DONE} OR r.operation = ? AND r.status <> ${DONE_STATUS})`;
const OF_SIDE = "(r.integration_id IN (SELECT integration_id FROM credentials WHERE scope = ?) AND r.side = ?)";

const ofOrigin: Readonly<Record<RequestOrigin, Condition>> = {
  // Nearly all are.
  partner: { sql: "(r.origin IS NULL AND r.replays_id IS NULL)", values: [], isCommon: true },
  explorer: { sql: "(r.origin IS NOT NULL AND r.origin = 'explorer')", values: [] },
  scenario: { sql: "(r.origin IS NOT NULL AND r.origin = 'scenario')", values: [] },
  assistant: { sql: "(r.origin IS NOT NULL AND r.origin = 'assistant')", values: [] },
  replay: { sql: "r.replays_id IS NOT NULL", values: [] },
};

const PINNED = "r.pinned = 1";

const given = (sql: string, ...values: readonly (string | number | undefined)[]): Condition[] =>
  values.includes(undefined) ? [] : [{ sql, values }];

const only = (asked: boolean | undefined, sql: string): Condition[] => (asked ? [{ sql, values: [] }] : []);

/** The conditions a program sets by what a column says, each of which an index finds. */
const columnConditions = (filter: RequestFilter): Condition[] => {
  const { operation, status, status_class, error_code, integration_id, side, origin, from, to } = filter;
  const [first, next] = status_class === undefined ? [] : [status_class * 100, status_class * 100 + 100];
  return [
    ...given(OF_OPERATION, operation, operation),
    ...given("r.status = ?", status),
    ...given("(r.status >= ? AND r.status < ?)", first, next),
    ...given("(r.error_code IS NOT NULL AND r.error_code = ?)", error_code),
    ...where("r.integration_id = ?", integration_id),
    ...given(OF_SIDE, side, side),
    ...only(filter.anonymous, "r.integration_id IS NULL"),
    ...only(filter.faulted, "r.faults IS NOT NULL"),
    ...only(filter.unrouted, "r.unrouted IS NOT NULL"),
    ...only(filter.pinned, PINNED),
    ...(origin === undefined ? [] : [ofOrigin[origin]]),
    ...given("r.at >= ?", from),
    ...given("r.at < ?", to),
  ];
};

/** The list of exchanges that a filter leaves. */
export const requestQuery = ({ search, ids, ...filter }: RequestFilter): Omit<PageQuery, "after" | "limit"> => {
  const { job_id, procurement_id, done, writes, changes, refused, oldestFirst = false } = filter;
  return {
    search: search?.trim() || undefined,
    ids,
    order: { sort: "seq", descending: !oldestFirst },
    conditions: [
      ...given(`r.operation = ? AND ${DONE}`, done),
      ...only(writes, WRITES),
      ...only(changes, CHANGES),
      ...only(refused, `r.status >= ${REFUSED_FROM}`),
      ...columnConditions(filter),
      ...where("r.job_id = ?", job_id),
      ...(procurement_id ? [{ sql: OF_PROCUREMENT, values: Array(2).fill(procurement_id.toLowerCase()) }] : []),
    ],
  };
};

/** Every exchange with a caller, as long as it is kept. */
export class RequestsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  insert(exchange: ExchangeRecord): void {
    this.#db.run(
      "INSERT INTO requests (id, at, method, path, operation, integration_id, side, status, error_code, duration_ms, request_headers, request_body, " +
        "response_headers, response_body, outcome, events, job_id, procurement_id, label, faults, replays_id, body_masked, unrouted, origin, refused_for) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      exchange.id,
      this.#db.toStored(exchange.at),
      exchange.method,
      exchange.path,
      exchange.operation,
      exchange.integration_id,
      exchange.side,
      exchange.status,
      exchange.error_code,
      exchange.duration_ms,
      JSON.stringify(exchange.request_headers),
      exchange.request_body,
      JSON.stringify(exchange.response_headers),
      exchange.response_body,
      exchange.outcome,
      exchange.events,
      exchange.job_id,
      exchange.procurement_id,
      exchange.label,
      exchange.faults ? JSON.stringify(exchange.faults) : null,
      exchange.replays_id ?? null,
      Number(exchange.body_masked),
      exchange.unrouted ?? null,
      exchange.origin ?? null,
      exchange.refused_for ? JSON.stringify(exchange.refused_for) : null,
    );
  }

  /** Pins it or not, and notes what is said of it; what is undefined stays as it is. */
  annotate(id: string, { pinned, note }: { pinned?: boolean | undefined; note?: string | null | undefined }): void {
    if (pinned !== undefined) this.#db.run("UPDATE requests SET pinned = ? WHERE id = ?", Number(pinned), id);
    if (note !== undefined) this.#db.run("UPDATE requests SET note = ? WHERE id = ?", note, id);
  }

  /** How many are pinned. */
  pinned(): number {
    return this.#db.get<{ n: number }>(`SELECT count(*) AS n FROM requests r WHERE ${PINNED}`)?.n ?? 0;
  }

  /** @param seq its entry in the log */
  at(seq: number): RequestRow | undefined {
    const row = this.#db.get<StoredSummary>(`SELECT ${REQUEST_SUMMARY} FROM requests WHERE seq = ?`, seq);
    return row && requestRow(this.#db, row);
  }

  /** The exchange a trace begins with. */
  ofTrace(traceId: string): RequestRow | undefined {
    const row = this.#db.get<StoredSummary>(`SELECT ${REQUEST_SUMMARY} FROM requests WHERE id = ?`, traceId);
    return row && requestRow(this.#db, row);
  }

  /** The newest whose identifiers are in a range, at most so many. */
  between(from: string, below: string, limit: number): RequestRow[] {
    return this.#db
      .all<StoredSummary>(
        `SELECT ${REQUEST_SUMMARY} FROM requests WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?`,
        from,
        below,
        limit,
      )
      .map((row) => requestRow(this.#db, row));
  }

  /**
   * The first call of an operation that was answered 200, of those that are kept. The index is named: by the index of the
   * statuses every call that was answered 200 would be read, a second for 100,000 of them.
   */
  firstDone(operation: string): RequestRow | undefined {
    const row = this.#db.get<StoredSummary>(
      `SELECT ${REQUEST_SUMMARY} FROM requests r INDEXED BY requests_done WHERE r.operation = ? AND ${DONE} ORDER BY seq LIMIT 1`,
      operation,
    );
    return row && requestRow(this.#db, row);
  }

  /** When the newest call began, as RFC 3339; null where none is kept. */
  lastAt(): string | null {
    const row = this.#db.get<{ at: number }>("SELECT at FROM requests ORDER BY seq DESC LIMIT 1");
    return row ? new Date(this.#db.fromStored(row.at)).toISOString() : null;
  }

  /** Why an exchange was refused; null: it was not, or by nothing that has a name. */
  refusedFor(id: string): RefusedFor | null {
    const row = this.#db.get<{ why: string | null }>("SELECT refused_for AS why FROM requests WHERE id = ?", id);
    return row?.why ? (JSON.parse(row.why) as RefusedFor) : null;
  }

  get(id: string): KeptDetail | undefined {
    type Stored = StoredSummary & {
      body_masked: number;
      request_headers: string;
      request_body: Buffer;
      response_headers: string;
      response_body: Buffer;
    };
    const row = this.#db.get<Stored>(
      `SELECT ${REQUEST_SUMMARY}, body_masked, request_headers, request_body, response_headers, response_body FROM requests WHERE id = ?`,
      id,
    );
    if (!row) return undefined;
    const { body_masked, request_headers, request_body, response_headers, response_body, ...summary } = row;
    return {
      ...requestRow(this.#db, summary),
      request_headers: JSON.parse(request_headers) as [string, string][],
      request_body: request_body.toString("utf8"),
      request_body_base64: request_body.toString("base64"),
      response_headers: JSON.parse(response_headers) as [string, string][],
      response_body: response_body.toString("utf8"),
      response_body_base64: response_body.toString("base64"),
      body_masked: body_masked === 1,
    };
  }
}
