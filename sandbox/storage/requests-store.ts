import { refusalReason } from "../contract/causes.ts";
import { changingCalls, DONE_STATUS, REFUSED_FROM } from "../contract/control/exchange-kinds.ts";
import {
  KeptRequest,
  type RequestDetail,
  type RequestOrigin,
  RequestRow,
  type Side,
} from "../contract/control/rows.ts";
import type { RefusedFor } from "../contract/errors.ts";
import type { Database } from "./database.ts";
import { folded } from "./folded.ts";
import { searchableJobs } from "./jobs-store.ts";
import type { List, PageQuery } from "./lists.ts";
import { BLOCK, type Condition, indexBlock, lastBlock, newestBlocks, rowsIn, type Searchable, seek } from "./search.ts";

type Headers = "request_headers" | "response_headers";
type OfWire = "id" | "method" | "path" | "status" | "duration_ms" | "body_masked";

/** What the record of an exchange says beside how it went over the wire: it becomes known as the call is carried out. */
export type Said = Omit<KeptRequest, OfWire | Headers | "at" | "pinned" | "note" | "origin"> & {
  origin?: KeptRequest["origin"] | undefined;
};

/** Of a call that did nothing yet. */
export const nothingSaid = (operation: string | null): Said => ({
  ...{ operation, integration_id: null, side: null, error_code: null, outcome: "" },
  ...{ events: 0, job_id: null, procurement_id: null, label: null },
});

/** What is written down of an exchange once it was answered. Secrets are masked, and its id is the id of its trace. */
export interface ExchangeRecord extends Readonly<Said>, Readonly<Pick<KeptRequest, OfWire>> {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Text is their JSON. */
  readonly request_headers: KeptRequest[Headers] | string;
  readonly request_body: Buffer;
  readonly response_headers: KeptRequest[Headers] | string;
  readonly response_body: Buffer;
}

const { properties } = KeptRequest;
type Column = keyof typeof properties;
const columns = Object.keys(properties) as Column[];
const listed = columns.filter((name) => name in RequestRow.properties);
const required: ReadonlySet<string> = new Set(KeptRequest.required);

/** How a column's value is read, where it is not as it stands; null is never read. */
const readers = new Map<Column, (value: unknown) => unknown>();
for (const name of columns) {
  const { type } = properties[name] as { readonly type?: string };
  if (type === "array" || type === "object") readers.set(name, (value) => JSON.parse(String(value)) as unknown);
  if (type === "boolean") readers.set(name, (value) => value === 1);
}

const SUMMARY = `seq, ${listed.join(", ")}, refused_for, length(request_body) AS request_bytes, length(response_body) AS response_bytes`;
const DETAIL = `*, length(request_body) AS request_bytes, length(response_body) AS response_bytes`;

/** A row by its columns, and the lengths of its bodies. */
type Stored = Readonly<Record<string, unknown>> & { readonly request_bytes: number; readonly response_bytes: number };

/** What columns of a row say: what is optional is left out where there is none of it. */
const said = (db: Database, row: Stored, names: readonly Column[]): Partial<KeptRequest> => {
  const values = names.flatMap((name): [string, unknown][] => {
    const stored = row[name] ?? null;
    const value = stored === null ? null : (readers.get(name)?.(stored) ?? stored);
    return required.has(name) || (value !== null && value !== false) ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(values), at: new Date(db.fromStored(Number(row.at))).toISOString() };
};

/** A row as the control plane lists it. */
const requestRow = (db: Database, row: Stored): RequestRow => {
  const { request_bytes, response_bytes } = row;
  const exchange = said(db, row, listed) as Omit<RequestRow, "trace_id" | "request_bytes" | "response_bytes">;
  const { refused_for } = said(db, row, ["refused_for"]);
  const reason = refusalReason(refused_for, exchange.label);
  return { ...exchange, trace_id: exchange.id, request_bytes, response_bytes, ...(reason === null ? {} : { reason }) };
};

export interface RequestFilter {
  readonly search?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly job_id?: string | undefined;
  readonly procurement_id?: string | undefined;
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
  /** Its name in the table of causes, or `fault`. */
  readonly cause?: string | undefined;
  readonly integration_id?: string | undefined;
  readonly side?: Side | undefined;
  /** Only those without a credential that the world knows. */
  readonly anonymous?: boolean | undefined;
  /** How the header begins. */
  readonly user_agent?: string | undefined;
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

const PINNED = "r.pinned = 1";

const TEXT = "concat_ws(char(10), r.path, r.outcome, r.label, r.error_code)";
/** Headers and bodies are long: a search looks at those of the newest exchanges, of each body so many bytes. */
const NEWEST_READ = 1_000;
const READ_BYTES = 16_384;
const bodyOf = (column: string): string => `CAST(substr(r.${column}, 1, ${READ_BYTES}) AS TEXT)`;
const WIRE_TEXT = `concat_ws(char(10), r.request_headers, ${bodyOf("request_body")}, r.response_headers, ${bodyOf("response_body")})`;
/** A text that more jobs have is looked for in exchanges alone. */
const MOST_JOBS = 50;

export const searchableRequests: Searchable = {
  name: "requests",
  joins: "",
  text: TEXT,
  indexed: "(r.status <> 200 OR r.outcome <> 'read only')",
  *also(db, typed) {
    const newest = newestBlocks(db, searchableRequests, NEWEST_READ);
    const wire = {
      condition: {
        sql: `r.seq >= ? AND instr(folded(${WIRE_TEXT}), ?) > 0`,
        values: [(newest.at(-1) ?? 0) * BLOCK, folded(typed)],
      },
      blocks: newest,
    };
    const { condition, blocks } = yield* seek(db, searchableJobs, typed);
    const jobs = blocks && (yield* rowsIn(db, searchableJobs, blocks, condition, MOST_JOBS));
    if (!jobs?.complete || jobs.seqs.length === 0) return [wire];
    const values = [JSON.stringify(jobs.seqs)];
    const about = "job_id IN (SELECT j.id FROM json_each(?) f CROSS JOIN jobs j ON j.seq = f.value)";
    const found = `SELECT DISTINCT seq / ${BLOCK} AS block FROM requests INDEXED BY requests_by_job WHERE ${about}`;
    return [
      wire,
      {
        condition: { sql: `r.${about}`, values },
        blocks: db.all<{ block: number }>(found, ...values).map(({ block }) => block),
      },
    ];
  },
};

/** What exchanges are narrowed to is read from one narrow index, in their order. */
export const requestList = {
  name: "requests",
  orders: { seq: { key: "r.seq", index: "requests_narrow" } },
  searchable: searchableRequests,
} as const satisfies List;

const CHANGING = `r.operation IN (${changingCalls.map((name) => `'${name}'`).join(", ")})`;
const DONE = `r.status = ${DONE_STATUS}`;

const ofOrigin: Readonly<Record<RequestOrigin, string>> = {
  partner: "r.origin IS NULL AND r.replays_id IS NULL",
  explorer: "r.origin = 'explorer'",
  scenario: "r.origin = 'scenario'",
  assistant: "r.origin = 'assistant'",
  counterpart: "r.origin = 'counterpart'",
  replay: "r.replays_id IS NOT NULL",
};

/** A header as the JSON of a call's headers has it, as far as it is known. */
const agentHeader = (agent: string | undefined): string | undefined =>
  agent === undefined ? undefined : JSON.stringify(["user-agent", agent]).slice(0, -'"]'.length);

/** What refused a call, as what went wrong is counted by: what a delay only held up is not of the fault, and a test value is one that was asked for. */
const CAUSE =
  "CASE WHEN EXISTS (SELECT 1 FROM json_each(r.faults) f WHERE f.value ->> 'kind' <> 'delay' OR r.status = 0) " +
  "OR EXISTS (SELECT 1 FROM json_each(r.test_values) v WHERE v.value ->> 'known' AND v.value ->> 'value' LIKE 'answer=%') THEN 'fault' " +
  "ELSE coalesce(r.refused_for ->> 'cause', r.unrouted, r.error_code) END";

const given = (sql: string, ...values: readonly (string | number | undefined)[]): Condition[] =>
  values.includes(undefined) ? [] : [{ sql, values }];

const only = (asked: boolean | undefined, sql: string): Condition[] => (asked ? [{ sql, values: [] }] : []);

/** The exchanges of one job, integration or operation are held by an index of their own. */
const withinOf = (filter: RequestFilter): PageQuery["within"] => {
  const { job_id, integration_id, anonymous, pinned } = filter;
  if (job_id !== undefined) return { index: "requests_by_job", sql: "r.job_id = ?", values: [job_id.toLowerCase()] };
  if (integration_id !== undefined)
    return { index: "requests_by_integration", sql: "r.integration_id = ?", values: [integration_id.toLowerCase()] };
  if (anonymous) return { index: "requests_by_integration", sql: "r.integration_id IS NULL", values: [] };
  return pinned ? { index: "requests_pinned", sql: PINNED, values: [] } : undefined;
};

/** A call that placed several has no one procurement of its own; its events name them all. */
const ofProcurement = (db: Database, id: string): number[] =>
  db
    .all<{ seq: number }>(
      "SELECT seq FROM requests INDEXED BY requests_by_procurement WHERE procurement_id = ? UNION " +
        "SELECT r.seq FROM events e INDEXED BY events_by_procurement CROSS JOIN requests r ON r.id = e.trace_id WHERE e.procurement_id = ?",
      ...Array<string>(2).fill(id.toLowerCase()),
    )
    .map(({ seq }) => seq);

/** The list of exchanges that a filter leaves. */
export const requestQuery = (db: Database, filter: RequestFilter): Omit<PageQuery, "after" | "limit"> => {
  const { search, ids, status_class, integration_id, anonymous, procurement_id, oldestFirst = false } = filter;
  const within = withinOf(filter);
  const isBy = (index: string): boolean => within?.index === index;
  const [first, next] = status_class === undefined ? [] : [status_class * 100, status_class * 100 + 100];
  return {
    search: search?.trim() || undefined,
    ids,
    ...(within ? { within } : {}),
    ...(procurement_id === undefined ? {} : { seqs: ofProcurement(db, procurement_id) }),
    order: { sort: "seq", descending: !oldestFirst },
    conditions: [
      ...only(filter.writes, CHANGING),
      ...only(filter.changes, `${CHANGING} AND ${DONE}`),
      ...only(filter.refused, `r.status >= ${REFUSED_FROM}`),
      ...given("r.operation = ?", filter.operation),
      ...given("r.status = ?", filter.status),
      ...given("r.status >= ? AND r.status < ?", first, next),
      ...given("r.error_code = ?", filter.error_code),
      ...given(`(r.status = 0 OR r.status >= ${REFUSED_FROM}) AND ${CAUSE} = ?`, filter.cause),
      ...given("r.side = ?", filter.side),
      ...given("instr(r.request_headers, ?) > 0", agentHeader(filter.user_agent)),
      ...only(filter.faulted, "r.faults IS NOT NULL"),
      ...only(filter.unrouted, "r.unrouted IS NOT NULL"),
      ...only(filter.origin !== undefined, ofOrigin[filter.origin ?? "partner"]),
      ...given("r.at >= ?", filter.from),
      ...given("r.at < ?", filter.to),
      ...(isBy("requests_by_job") ? given("r.integration_id = ?", integration_id?.toLowerCase()) : []),
      ...(isBy("requests_by_job") || integration_id !== undefined ? only(anonymous, "r.integration_id IS NULL") : []),
      ...(isBy("requests_pinned") ? [] : only(filter.pinned, PINNED)),
    ],
  };
};

const WRITTEN = ["request_body", "response_body", ...columns].filter(
  (name) => !["at", "pinned", "note"].includes(name),
) as (keyof ExchangeRecord)[];
const INSERT = `INSERT INTO requests (seq, at, ${WRITTEN.join(", ")}) VALUES (?, ?, ${WRITTEN.map(() => "?").join(", ")})`;

const cell = (value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return Number(value);
  return typeof value === "object" && !Buffer.isBuffer(value) ? JSON.stringify(value) : value;
};

/** Every exchange with a caller, as long as it is kept. */
export class RequestsStore {
  readonly #db: Database;
  /** The block of the newest exchange, which is in no index yet. */
  #block: number | undefined;
  /** Operations of which the first call that was done is known. */
  readonly #done = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Forgets what is remembered of the file: some of it may have been undone. */
  forget(): void {
    this.#block = undefined;
    this.#done.clear();
  }

  insert(exchange: ExchangeRecord): void {
    const seq = this.#db.nextSeq();
    this.#block ??= lastBlock(this.#db, searchableRequests);
    this.#db.run(INSERT, seq, this.#db.toStored(exchange.at), ...WRITTEN.map((name) => cell(exchange[name])));
    const block = Math.floor(seq / BLOCK);
    if (block !== this.#block) indexBlock(this.#db, searchableRequests, this.#block);
    this.#block = block;
    const { operation, status } = exchange;
    if (operation === null || status !== DONE_STATUS || this.#done.has(operation)) return;
    this.#db.run("INSERT OR IGNORE INTO first_calls VALUES (?, ?)", operation, seq);
    this.#done.add(operation);
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

  /** The user agents of the newest calls, the most frequent first. */
  userAgents(newest: number): { readonly user_agent: string; readonly calls: number }[] {
    return this.#db.all(
      "SELECT h.value ->> 1 AS user_agent, count(*) AS calls FROM (SELECT request_headers FROM requests ORDER BY seq DESC LIMIT ?) r, " +
        "json_each(r.request_headers) h WHERE h.value ->> 0 = 'user-agent' GROUP BY 1 ORDER BY 2 DESC, 1",
      newest,
    );
  }

  #rows(where: string, ...values: readonly unknown[]): RequestRow[] {
    return this.#db
      .all<Stored>(`SELECT ${SUMMARY} FROM requests r ${where}`, ...values)
      .map((row) => requestRow(this.#db, row));
  }

  /** @param seq its entry in the log */
  at(seq: number): RequestRow | undefined {
    return this.#rows("WHERE seq = ?", seq)[0];
  }

  /** The exchange a trace begins with. */
  ofTrace(traceId: string): RequestRow | undefined {
    return this.#rows("WHERE id = ?", traceId)[0];
  }

  /** The newest whose identifiers are in a range, at most so many. */
  between(from: string, below: string, limit: number): RequestRow[] {
    return this.#rows("WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?", from, below, limit);
  }

  /** The first calls of operations that were answered 200: one of each, of those that are kept. */
  firstDone(): RequestRow[] {
    return this.#rows("WHERE seq IN (SELECT seq FROM first_calls) ORDER BY seq");
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

  get(id: string): RequestDetail | undefined {
    type Bodies = { readonly request_body: Buffer; readonly response_body: Buffer };
    const row = this.#db.get<Stored & Bodies>(`SELECT ${DETAIL} FROM requests WHERE id = ?`, id);
    if (!row) return undefined;
    const { refused_for: _why, ...exchange } = said(this.#db, row, columns) as KeptRequest;
    return {
      ...exchange,
      ...requestRow(this.#db, row),
      request_body: row.request_body.toString("utf8"),
      request_body_base64: row.request_body.toString("base64"),
      response_body: row.response_body.toString("utf8"),
      response_body_base64: row.response_body.toString("base64"),
    };
  }
}
