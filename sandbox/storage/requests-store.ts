import { changingCalls, DONE_STATUS, REFUSED_FROM } from "../contract/control/exchange-kinds.ts";
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
  /** Only calls of this operation that were answered 200. */
  readonly done?: string | undefined;
  /** Only those that changed something. */
  readonly changes?: boolean | undefined;
  /** Only those that were refused or failed. */
  readonly refused?: boolean | undefined;
  readonly oldestFirst?: boolean | undefined;
  /** Only exchanges that come after this place in the order asked for. */
  readonly beyond?: number | undefined;
  readonly limit: number;
}

/** Conditions with their values, in the order in which the values are bound. */
interface Where {
  readonly conditions: readonly string[];
  readonly values: readonly unknown[];
}

const joined = ({ conditions }: Where): string => (conditions.length ? ` WHERE ${conditions.join(" AND ")}` : "");

/** As the index says it that such calls are found in; with a bound value it would not be found. */
const DONE = `status = ${DONE_STATUS}`;

/** What is asked of an exchange, apart from its place in the order. */
const whereOf = ({ search, job_id, procurement_id, done, changes, refused }: RequestFilter): Where => {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const where = (condition: string, ...bound: readonly unknown[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (done !== undefined) where(`operation = ? AND ${DONE}`, done);
  if (changes) where(`operation IN (${changingCalls.map(() => "?").join(", ")}) AND ${DONE}`, ...changingCalls);
  if (refused) where(`status >= ${REFUSED_FROM}`);
  if (job_id) where("job_id = ?", job_id);
  // A call that placed several has no one procurement of its own; its events name them all.
  if (procurement_id)
    where(
      "(procurement_id = ? OR id IN (SELECT trace_id FROM events WHERE procurement_id = ?))",
      procurement_id,
      procurement_id,
    );
  if (search)
    where(
      "(instr(lower(path), lower(?)) OR instr(CAST(status AS TEXT), ?) OR instr(lower(outcome), lower(?)))",
      search,
      search,
      search,
    );
  return { conditions, values };
};

const wayOf = (oldestFirst: boolean): string => (oldestFirst ? "ASC" : "DESC");

const after = ({ conditions, values }: Where, place: number, oldestFirst: boolean): Where => ({
  conditions: [...conditions, `seq ${oldestFirst ? ">" : "<"} ?`],
  values: [...values, place],
});

const isOfChangesAlone = ({ changes, search, job_id, procurement_id, done, refused }: RequestFilter): boolean =>
  changes === true && !search && !job_id && !procurement_id && !refused && done === undefined;

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

  /** In the order asked for, with the place of the last one to go on from. */
  list(filter: RequestFilter): { readonly rows: RequestRow[]; readonly last: number | null; readonly total: number } {
    const where = whereOf(filter);
    const total =
      this.#db.get<{ n: number }>(`SELECT count(*) AS n FROM requests${joined(where)}`, ...where.values)?.n ?? 0;
    // One more than asked for tells whether there is more.
    const most = filter.limit + 1;
    const rows = isOfChangesAlone(filter) ? this.#changes(filter, most) : this.#page(filter, where, most);
    const more = rows.length > filter.limit;
    if (more) rows.pop();
    return {
      rows: rows.map((row) => requestRow(this.#db, row)),
      last: more ? (rows.at(-1)?.seq ?? null) : null,
      total,
    };
  }

  #page({ beyond, oldestFirst = false }: RequestFilter, where: Where, most: number): StoredSummary[] {
    const { conditions, values } = beyond === undefined ? where : after(where, beyond, oldestFirst);
    return this.#db.all<StoredSummary>(
      `SELECT ${REQUEST_SUMMARY} FROM requests${joined({ conditions, values })} ORDER BY seq ${wayOf(oldestFirst)} LIMIT ?`,
      ...values,
      most,
    );
  }

  /** The same for all that changed something: the operations are merged, each in its order, and nothing else is read. */
  #changes({ beyond, oldestFirst = false }: RequestFilter, most: number): StoredSummary[] {
    const place = beyond ?? (oldestFirst ? 0 : Number.MAX_SAFE_INTEGER);
    const one = `SELECT seq FROM requests WHERE operation = ? AND ${DONE} AND seq ${oldestFirst ? ">" : "<"} ?`;
    const merged = `${changingCalls.map(() => one).join(" UNION ALL ")} ORDER BY seq ${wayOf(oldestFirst)} LIMIT ?`;
    return this.#db.all<StoredSummary>(
      `SELECT ${REQUEST_SUMMARY} FROM requests WHERE seq IN (${merged}) ORDER BY seq ${wayOf(oldestFirst)}`,
      ...changingCalls.flatMap((operation) => [operation, place]),
      most,
    );
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
