import type { FaultMark } from "../contract/control/fault-rows.ts";
import type { RequestDetail, RequestRow, Side } from "../contract/control/rows.ts";
import type { Database } from "./database.ts";

/** One exchange, credentials already masked. Its id is the id of its trace. */
export interface ExchangeRecord {
  /** Its place in the world's log. */
  readonly seq: number;
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

/** The columns of {@link StoredSummary}. */
export const REQUEST_SUMMARY =
  "seq, id, id AS trace_id, at, method, path, operation, integration_id, side, status, error_code, duration_ms, " +
  "length(request_body) AS request_bytes, length(response_body) AS response_bytes, outcome, events, job_id, procurement_id, label, " +
  "faults, replays_id";

export type StoredSummary = Omit<RequestRow, "at" | "faults" | "replays_id"> & {
  at: number;
  seq: number;
  faults: string | null;
  replays_id: string | null;
};

/** A stored summary as the control plane lists it. */
export const requestRow = (db: Database, { seq: _seq, faults, replays_id, ...row }: StoredSummary): RequestRow => ({
  ...row,
  at: new Date(db.fromStored(row.at)).toISOString(),
  ...(faults === null ? {} : { faults: JSON.parse(faults) as FaultMark[] }),
  ...(replays_id === null ? {} : { replays_id }),
});

export interface RequestFilter {
  readonly search?: string | undefined;
  readonly job_id?: string | undefined;
  readonly procurement_id?: string | undefined;
  /** Only exchanges older than this place in the order. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Every exchange with a caller, as long as it is kept. */
export class RequestsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  insert(exchange: ExchangeRecord): void {
    this.#db.run(
      "INSERT INTO requests (seq, id, at, method, path, operation, integration_id, side, status, error_code, duration_ms, request_headers, request_body, " +
        "response_headers, response_body, outcome, events, job_id, procurement_id, label, faults, replays_id) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      exchange.seq,
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
    );
  }

  /** Newest first, with the place of the last one to go on from. */
  list(filter: RequestFilter): { readonly rows: RequestRow[]; readonly last: number | null; readonly total: number } {
    const conditions: string[] = [];
    const parameters: unknown[] = [];
    const where = (condition: string, ...values: unknown[]) => {
      conditions.push(condition);
      parameters.push(...values);
    };
    if (filter.job_id) where("job_id = ?", filter.job_id);
    // A call that placed several has no one procurement of its own; its events name them all.
    if (filter.procurement_id) {
      const { procurement_id } = filter;
      where(
        "(procurement_id = ? OR id IN (SELECT trace_id FROM events WHERE procurement_id = ?))",
        procurement_id,
        procurement_id,
      );
    }
    if (filter.search)
      where(
        "(instr(lower(path), lower(?)) OR instr(CAST(status AS TEXT), ?) OR instr(lower(outcome), lower(?)))",
        filter.search,
        filter.search,
        filter.search,
      );
    const counted = conditions.length ? ` WHERE ${conditions.join(" AND ")}` : "";
    const total = this.#db.get<{ n: number }>(`SELECT count(*) AS n FROM requests${counted}`, ...parameters)?.n ?? 0;
    if (filter.before !== undefined) where("seq < ?", filter.before);
    const paged = conditions.length ? ` WHERE ${conditions.join(" AND ")}` : "";
    const rows = this.#db.all<StoredSummary>(
      `SELECT ${REQUEST_SUMMARY} FROM requests${paged} ORDER BY seq DESC LIMIT ?`,
      ...parameters,
      filter.limit + 1,
    );
    // One more than asked for tells whether there is more.
    const more = rows.length > filter.limit;
    if (more) rows.pop();
    return {
      rows: rows.map((row) => requestRow(this.#db, row)),
      last: more ? (rows.at(-1)?.seq ?? null) : null,
      total,
    };
  }

  /** The exchange a trace begins with. */
  ofTrace(traceId: string): RequestRow | undefined {
    const row = this.#db.get<StoredSummary>(`SELECT ${REQUEST_SUMMARY} FROM requests WHERE id = ?`, traceId);
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

  /** How many there are: an index is counted, no exchange is read. */
  count(): number {
    return this.#db.get<{ n: number }>("SELECT count(*) AS n FROM requests")?.n ?? 0;
  }
}
