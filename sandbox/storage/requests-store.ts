import { causesElsewhere, refusalReason, withFullReason } from "../contract/causes.ts";
import { changingCalls, DONE_STATUS, REFUSED_FROM } from "../contract/control/exchange-kinds.ts";
import type { requestsList } from "../contract/control/operations.ts";
import { RecordedRequest, type RequestDetail, type RequestOrigin, RequestRow } from "../contract/control/rows.ts";
import type { RefusalReason } from "../contract/errors.ts";
import type { RequestOf } from "../contract/operation.ts";
import type { Database } from "./database.ts";
import { foldCase } from "./folded.ts";
import { searchableJobs } from "./jobs-store.ts";
import type { List, PageQuery } from "./lists.ts";
import {
  BLOCK_ROWS,
  type Condition,
  findInBlocks,
  indexBlock,
  lastBlock,
  newestBlocks,
  planSearch,
  type Searchable,
} from "./search.ts";

type Headers = "request_headers" | "response_headers";
type WireField = "id" | "method" | "path" | "status" | "duration_ms" | "body_masked";

/** Fields that become known while a call runs, unlike the wire-level ones. */
export type CallDetails = Omit<RecordedRequest, WireField | Headers | "at" | "pinned" | "note" | "origin"> & {
  origin?: RecordedRequest["origin"] | undefined;
};

export const emptyCallDetails = (operation: string | null): CallDetails => ({
  ...{ operation, integration_id: null, side: null, error_code: null, outcome: "" },
  ...{ events: 0, job_id: null, procurement_id: null, label: null },
});

/** A finished call as stored. Secrets are masked. Its ID is its trace's ID. */
export interface ExchangeRecord extends Readonly<CallDetails>, Readonly<Pick<RecordedRequest, WireField>> {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Headers; a string holds their JSON. */
  readonly request_headers: RecordedRequest[Headers] | string;
  readonly request_body: Buffer;
  readonly response_headers: RecordedRequest[Headers] | string;
  readonly response_body: Buffer;
}

const { properties } = RecordedRequest;
type Column = keyof typeof properties;
const columns = Object.keys(properties) as Column[];
const listed = columns.filter((name) => name in RequestRow.properties);
const required: ReadonlySet<string> = new Set(RecordedRequest.required);

/** Readers of columns that need conversion. Null is never converted. */
const readers = new Map<Column, (value: unknown) => unknown>();
for (const name of columns) {
  const { type } = properties[name] as { readonly type?: string };
  if (type === "array" || type === "object") readers.set(name, (value) => JSON.parse(String(value)) as unknown);
  if (type === "boolean") readers.set(name, (value) => value === 1);
}

const SUMMARY = `seq, ${listed.join(", ")}, refused_for, length(request_body) AS request_bytes, length(response_body) AS response_bytes`;
const DETAIL = `*, length(request_body) AS request_bytes, length(response_body) AS response_bytes`;

type StoredRequest = Readonly<Record<string, unknown>> & {
  readonly request_bytes: number;
  readonly response_bytes: number;
};

/** Values of a row's columns. Optional ones are left out when empty. */
const readColumns = (db: Database, row: StoredRequest, names: readonly Column[]): Partial<RecordedRequest> => {
  const values = names.flatMap((name): [string, unknown][] => {
    const stored = row[name] ?? null;
    const value = stored === null ? null : (readers.get(name)?.(stored) ?? stored);
    return required.has(name) || (value !== null && value !== false) ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(values), at: new Date(db.fromStored(Number(row.at))).toISOString() };
};

type MaySee = (world: string) => boolean;
const nowhereElse: MaySee = () => false;

const requestRow = (db: Database, row: StoredRequest, maySee: MaySee): RequestRow => {
  const { request_bytes, response_bytes } = row;
  const exchange = readColumns(db, row, listed) as Omit<RequestRow, "trace_id" | "request_bytes" | "response_bytes">;
  const { refused_for: why } = readColumns(db, row, ["refused_for"]);
  const reason = refusalReason(why && withFullReason(why, maySee), exchange.label);
  return { ...exchange, trace_id: exchange.id, request_bytes, response_bytes, ...(reason === null ? {} : { reason }) };
};

type ListRequest = RequestOf<typeof requestsList>;
type ConvertedField = "world" | "from" | "to" | "direction" | "cursor" | "limit";
/** Times are milliseconds since the world's epoch; `to` is exclusive. */
export type RequestFilter = {
  readonly [Name in Exclude<keyof ListRequest, ConvertedField>]?: ListRequest[Name] | undefined;
} & {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly oldestFirst?: boolean | undefined;
  /** True for a reader of all worlds. */
  readonly seesAll?: boolean | undefined;
};

const PINNED = "r.pinned = 1";

const TEXT = "concat_ws(char(10), r.path, r.outcome, r.label, r.error_code)";
/** Limits for headers and bodies, which are long: newest calls searched, and bytes of each body. */
const MAX_BODIES_READ = 1_000;
const MAX_BODY_BYTES = 16_384;
const bodyText = (column: string): string => `CAST(substr(r.${column}, 1, ${MAX_BODY_BYTES}) AS TEXT)`;
const WIRE_TEXT = `concat_ws(char(10), r.request_headers, ${bodyText("request_body")}, r.response_headers, ${bodyText("response_body")})`;
/** If more jobs match a text, the search skips them and reads calls only. */
const MAX_JOBS = 50;

export const searchableRequests: Searchable = {
  name: "requests",
  joins: "",
  text: TEXT,
  indexed: "(r.status <> 200 OR r.outcome <> 'read only')",
  *also(db, typed) {
    const newest = newestBlocks(db, searchableRequests, MAX_BODIES_READ);
    const wire = {
      condition: {
        sql: `r.seq >= ? AND instr(folded(${WIRE_TEXT}), ?) > 0`,
        values: [(newest.at(-1) ?? 0) * BLOCK_ROWS, foldCase(typed)],
      },
      blocks: newest,
    };
    const { condition, blocks } = yield* planSearch(db, searchableJobs, typed);
    const jobs = blocks && (yield* findInBlocks(db, searchableJobs, blocks, condition, MAX_JOBS));
    if (!jobs?.complete || jobs.seqs.length === 0) return [wire];
    const values = [JSON.stringify(jobs.seqs)];
    const about = "job_id IN (SELECT j.id FROM json_each(?) f CROSS JOIN jobs j ON j.seq = f.value)";
    const found = `SELECT DISTINCT seq / ${BLOCK_ROWS} AS block FROM requests INDEXED BY requests_by_job WHERE ${about}`;
    return [
      wire,
      {
        condition: { sql: `r.${about}`, values },
        blocks: db.all<{ block: number }>(found, ...values).map(({ block }) => block),
      },
    ];
  },
};

/** One narrow index in the list's order serves all filters. */
export const requestList = {
  name: "requests",
  orders: { seq: { key: "r.seq", index: "requests_narrow" } },
  searchable: searchableRequests,
} as const satisfies List;

const CHANGING = `r.operation IN (${changingCalls.map((name) => `'${name}'`).join(", ")})`;
const DONE = `r.status = ${DONE_STATUS}`;

const originConditions: Readonly<Record<RequestOrigin, string>> = {
  partner: "r.origin IS NULL AND r.replays_id IS NULL",
  explorer: "r.origin = 'explorer'",
  scenario: "r.origin = 'scenario'",
  assistant: "r.origin = 'assistant'",
  counterpart: "r.origin = 'counterpart'",
  replay: "r.replays_id IS NOT NULL",
};

/** Prefix of a header in the stored JSON. */
const agentHeader = (agent: string | undefined): string | undefined =>
  agent === undefined ? undefined : JSON.stringify(["user-agent", agent]).slice(0, -'"]'.length);

/**
 * Cause of a refusal, as failures are counted. A pure delay is not a cause, unless the caller hung up; requested test
 * responses count as `fault`.
 */
const CAUSE =
  "CASE WHEN EXISTS (SELECT 1 FROM json_each(r.faults) f WHERE f.value ->> 'kind' <> 'delay' OR r.status = 0) " +
  "OR EXISTS (SELECT 1 FROM json_each(r.test_values) v WHERE v.value ->> 'known' AND v.value ->> 'value' LIKE 'answer=%') THEN 'fault' " +
  "ELSE coalesce(r.refused_for ->> 'cause', r.unrouted, r.error_code) END";

/** The same for readers of all worlds. */
const FULL_CAUSE = `CASE WHEN r.refused_for ->> 'elsewhere' IS NULL OR r.refused_for ->> '$.elsewhere.beside' THEN NULL ${Object.entries(
  causesElsewhere,
)
  .map(([here, there]) => `WHEN r.refused_for ->> 'cause' = '${here}' THEN '${there}'`)
  .join(" ")} END`;

const optional = (sql: string, ...values: readonly (string | number | undefined)[]): Condition[] =>
  values.includes(undefined) ? [] : [{ sql, values }];

const only = (isWanted: boolean | undefined, sql: string): Condition[] => (isWanted ? [{ sql, values: [] }] : []);

const REFUSED = `r.status >= ${REFUSED_FROM}`;

/** Index for calls of one job, integration or pin, and for refused calls. */
const chooseIndex = (filter: RequestFilter): PageQuery["within"] => {
  const { job_id, integration_id, anonymous, pinned, refused } = filter;
  if (job_id !== undefined) return { index: "requests_by_job", sql: "r.job_id = ?", values: [job_id.toLowerCase()] };
  if (integration_id !== undefined)
    return { index: "requests_by_integration", sql: "r.integration_id = ?", values: [integration_id.toLowerCase()] };
  if (anonymous) return { index: "requests_by_integration", sql: "r.integration_id IS NULL", values: [] };
  if (pinned) return { index: "requests_pinned", sql: PINNED, values: [] };
  return refused ? { index: "requests_refused", sql: REFUSED, values: [] } : undefined;
};

/** A call that placed several orders has no `procurement_id`; its events name them. */
const findProcurementCalls = (db: Database, id: string): number[] =>
  db
    .all<{ seq: number }>(
      "SELECT seq FROM requests INDEXED BY requests_by_procurement WHERE procurement_id = ? UNION " +
        "SELECT r.seq FROM events e INDEXED BY events_by_procurement CROSS JOIN requests r ON r.id = e.trace_id WHERE e.procurement_id = ?",
      ...Array<string>(2).fill(id.toLowerCase()),
    )
    .map(({ seq }) => seq);

/** Query for the calls of a filter. */
export const requestQuery = (db: Database, filter: RequestFilter): Omit<PageQuery, "after" | "limit"> => {
  const { search, ids, status_class, integration_id, anonymous, procurement_id, oldestFirst = false } = filter;
  const within = chooseIndex(filter);
  const isBy = (index: string): boolean => within?.index === index;
  const [first, next] = status_class === undefined ? [] : [status_class * 100, status_class * 100 + 100];
  return {
    search: search?.trim() || undefined,
    ids,
    ...(within ? { within } : {}),
    ...(procurement_id === undefined ? {} : { seqs: findProcurementCalls(db, procurement_id) }),
    order: { sort: "seq", descending: !oldestFirst },
    conditions: [
      ...only(filter.writes, CHANGING),
      ...only(filter.changes, `${CHANGING} AND ${DONE}`),
      ...(isBy("requests_refused") ? [] : only(filter.refused, REFUSED)),
      ...optional("r.operation = ?", filter.operation),
      ...optional("r.status = ?", filter.status),
      ...optional("r.status >= ? AND r.status < ?", first, next),
      ...optional("r.error_code = ?", filter.error_code),
      ...optional(
        `(r.status = 0 OR r.status >= ${REFUSED_FROM}) AND ${filter.seesAll ? `coalesce(${FULL_CAUSE}, ${CAUSE})` : CAUSE} = ?`,
        filter.cause,
      ),
      ...optional("r.side = ?", filter.side),
      ...optional("instr(r.request_headers, ?) > 0", agentHeader(filter.user_agent)),
      ...only(filter.faulted, "r.faults IS NOT NULL"),
      ...only(filter.unrouted, "r.unrouted IS NOT NULL"),
      ...only(filter.origin !== undefined, originConditions[filter.origin ?? "partner"]),
      ...optional("r.at >= ?", filter.from),
      ...optional("r.at < ?", filter.to),
      ...(isBy("requests_by_job") ? optional("r.integration_id = ?", integration_id?.toLowerCase()) : []),
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

export class RequestsStore {
  readonly #db: Database;
  /** Block of the newest call, not yet indexed. */
  #block: number | undefined;
  /** Operations with a recorded first success. */
  readonly #done = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Clears caches, because a rollback may have undone rows. */
  clearCaches(): void {
    this.#block = undefined;
    this.#done.clear();
  }

  insert(exchange: ExchangeRecord): void {
    const seq = this.#db.nextSeq();
    this.#block ??= lastBlock(this.#db, searchableRequests);
    this.#db.run(INSERT, seq, this.#db.toStored(exchange.at), ...WRITTEN.map((name) => cell(exchange[name])));
    const block = Math.floor(seq / BLOCK_ROWS);
    if (block !== this.#block) indexBlock(this.#db, searchableRequests, this.#block);
    this.#block = block;
    const { operation, status } = exchange;
    if (operation === null || status !== DONE_STATUS || this.#done.has(operation)) return;
    this.#db.run("INSERT OR IGNORE INTO first_calls VALUES (?, ?)", operation, seq);
    this.#done.add(operation);
  }

  /** Updates pin and note; undefined leaves a value unchanged. */
  annotate(id: string, { pinned, note }: { pinned?: boolean | undefined; note?: string | null | undefined }): void {
    if (pinned !== undefined) this.#db.run("UPDATE requests SET pinned = ? WHERE id = ?", Number(pinned), id);
    if (note !== undefined) this.#db.run("UPDATE requests SET note = ? WHERE id = ?", note, id);
  }

  countPinned(): number {
    return this.#db.get<{ n: number }>(`SELECT count(*) AS n FROM requests r WHERE ${PINNED}`)?.n ?? 0;
  }

  /** User agents of the newest calls, most frequent first. */
  userAgents(newest: number): { readonly user_agent: string; readonly calls: number }[] {
    return this.#db.all(
      "SELECT h.value ->> 1 AS user_agent, count(*) AS calls FROM (SELECT request_headers FROM requests ORDER BY seq DESC LIMIT ?) r, " +
        "json_each(r.request_headers) h WHERE h.value ->> 0 = 'user-agent' GROUP BY 1 ORDER BY 2 DESC, 1",
      newest,
    );
  }

  #rows(where: string, ...values: readonly unknown[]): RequestRow[] {
    return this.#db
      .all<StoredRequest>(`SELECT ${SUMMARY} FROM requests r ${where}`, ...values)
      .map((row) => requestRow(this.#db, row, nowhereElse));
  }

  /** @param maySee worlds that the row may name */
  at(seq: number, maySee: MaySee = nowhereElse): RequestRow | undefined {
    const row = this.#db.get<StoredRequest>(`SELECT ${SUMMARY} FROM requests r WHERE seq = ?`, seq);
    return row && requestRow(this.#db, row, maySee);
  }

  findByTrace(traceId: string): RequestRow | undefined {
    return this.#rows("WHERE id = ?", traceId)[0];
  }

  /** Newest calls with IDs in a range. */
  between(from: string, below: string, limit: number): RequestRow[] {
    return this.#rows("WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?", from, below, limit);
  }

  /** First successful call of each operation, among those still stored. */
  firstDone(): RequestRow[] {
    return this.#rows("WHERE seq IN (SELECT seq FROM first_calls) ORDER BY seq");
  }

  /** Start of the newest call, as RFC 3339; null if none is stored. */
  lastAt(): string | null {
    const row = this.#db.get<{ at: number }>("SELECT at FROM requests ORDER BY seq DESC LIMIT 1");
    return row ? new Date(this.#db.fromStored(row.at)).toISOString() : null;
  }

  /** Cause of a refusal; null if the call wasn't refused or the cause has no name. */
  findRefusal(id: string): RefusalReason | null {
    const row = this.#db.get<{ why: string | null }>("SELECT refused_for AS why FROM requests WHERE id = ?", id);
    return row?.why ? (JSON.parse(row.why) as RefusalReason) : null;
  }

  get(id: string, maySee: MaySee = nowhereElse): RequestDetail | undefined {
    type Bodies = { readonly request_body: Buffer; readonly response_body: Buffer };
    const row = this.#db.get<StoredRequest & Bodies>(`SELECT ${DETAIL} FROM requests WHERE id = ?`, id);
    if (!row) return undefined;
    const { refused_for: _why, ...exchange } = readColumns(this.#db, row, columns) as RecordedRequest;
    return {
      ...exchange,
      ...requestRow(this.#db, row, maySee),
      request_body: row.request_body.toString("utf8"),
      request_body_base64: row.request_body.toString("base64"),
      response_body: row.response_body.toString("utf8"),
      response_body_base64: row.response_body.toString("base64"),
    };
  }
}
