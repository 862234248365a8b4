import { changingCalls, DONE_STATUS, REFUSED_FROM } from "../contract/control/exchange-kinds.ts";
import type { FaultMark } from "../contract/control/fault-rows.ts";
import type { RequestDetail, RequestRow, Side } from "../contract/control/rows.ts";
import type { Database } from "./database.ts";
import { type List, type PageQuery, where } from "./lists.ts";

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
}

const REQUEST_SUMMARY =
  "seq, id, id AS trace_id, at, method, path, operation, integration_id, side, status, error_code, duration_ms, " +
  "length(request_body) AS request_bytes, length(response_body) AS response_bytes, outcome, events, job_id, procurement_id, label, " +
  "faults, replays_id";

type StoredSummary = Omit<RequestRow, "at" | "faults" | "replays_id"> & {
  at: number;
  seq: number;
  faults: string | null;
  replays_id: string | null;
};

/** A stored summary as the control plane lists it. */
const requestRow = (db: Database, { seq: _seq, faults, replays_id, ...row }: StoredSummary): RequestRow => ({
  ...row,
  at: new Date(db.fromStored(row.at)).toISOString(),
  ...(faults === null ? {} : { faults: JSON.parse(faults) as FaultMark[] }),
  ...(replays_id === null ? {} : { replays_id }),
});

/** An exchange as it is published, and listed once it is kept. */
export const exchangeSummary = ({
  request_headers: _request,
  response_headers: _response,
  body_masked: _masked,
  request_body,
  response_body,
  ...exchange
}: ExchangeRecord): RequestRow => ({
  ...exchange,
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
  /** Of those only the ones that changed something. */
  readonly changes?: boolean | undefined;
  /** Only those that were refused or failed. */
  readonly refused?: boolean | undefined;
  readonly oldestFirst?: boolean | undefined;
}

export const searchableRequests = {
  name: "requests",
  joins: "",
  isIndexed: false,
  texts: { path: "r.path", status: "r.status", outcome: "r.outcome" },
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

/** The list of exchanges that a filter leaves. */
export const requestQuery = ({ search, ids, ...filter }: RequestFilter): Omit<PageQuery, "after" | "limit"> => {
  const { job_id, procurement_id, done, writes, changes, refused, oldestFirst = false } = filter;
  return {
    search: search?.trim() || undefined,
    ids,
    order: { sort: "seq", descending: !oldestFirst },
    conditions: [
      ...(done === undefined ? [] : [{ sql: `r.operation = ? AND ${DONE}`, values: [done] }]),
      ...(writes ? [{ sql: WRITES, values: [] }] : []),
      ...(changes ? [{ sql: CHANGES, values: [] }] : []),
      ...(refused ? [{ sql: `r.status >= ${REFUSED_FROM}`, values: [] }] : []),
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
        "response_headers, response_body, outcome, events, job_id, procurement_id, label, faults, replays_id, body_masked) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
    );
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

  /** The first call of an operation that was answered 200, of those that are kept. */
  firstDone(operation: string): RequestRow | undefined {
    const row = this.#db.get<StoredSummary>(
      `SELECT ${REQUEST_SUMMARY} FROM requests r WHERE r.operation = ? AND ${DONE} ORDER BY seq LIMIT 1`,
      operation,
    );
    return row && requestRow(this.#db, row);
  }

  get(id: string): RequestDetail | undefined {
    type Stored = StoredSummary & {
      request_headers: string;
      request_body: Buffer;
      response_headers: string;
      response_body: Buffer;
    };
    const row = this.#db.get<Stored>(
      `SELECT ${REQUEST_SUMMARY}, request_headers, request_body, response_headers, response_body FROM requests WHERE id = ?`,
      id,
    );
    if (!row) return undefined;
    const { request_headers, request_body, response_headers, response_body, ...summary } = row;
    return {
      ...requestRow(this.#db, summary),
      request_headers: JSON.parse(request_headers) as [string, string][],
      request_body: request_body.toString("utf8"),
      request_body_base64: request_body.toString("base64"),
      response_headers: JSON.parse(response_headers) as [string, string][],
      response_body: response_body.toString("utf8"),
      response_body_base64: response_body.toString("base64"),
    };
  }
}
