import { TRIES } from "./delivery-records.ts";

/** What is kept of what happened. A delivery goes before its event, the log last: it says what a trace waits for. */
export const recordStreams = ["deliveries", "events", "requests", "log"] as const;
export type RecordStream = (typeof recordStreams)[number];

const lengthOf = (...columns: readonly string[]): string =>
  columns.map((column) => `octet_length(${column})`).join(" + ");
const WIRE = ["request_headers", "request_body", "response_headers", "response_body"];

/** What a row takes beside its texts: its numbers and its places in indexes. */
const ROW = 100;

const TRIES_BYTES =
  `(SELECT coalesce(sum(${ROW} + ${lengthOf(...WIRE)}), 0) FROM attempts ` +
  `WHERE place BETWEEN d.seq * ${TRIES} AND d.seq * ${TRIES} + ${TRIES - 1})`;

const bytesOf: Record<RecordStream, string> = {
  deliveries: `${3 * ROW} + ${TRIES_BYTES}`,
  events: `${3 * ROW} + ${lengthOf("payload", "label")}`,
  requests: `${2 * ROW} + ${lengthOf(...WIRE, "path", "outcome")}`,
  log: `${ROW} + ${lengthOf("entries")}`,
};

const tables: Record<RecordStream, string> = {
  deliveries: "deliveries d",
  events: "events",
  requests: "requests",
  log: "log",
};

/** Lengths are read from the heads of rows: what is long itself is not read for them. */
const select = (stream: RecordStream, columns: string, joined = ""): string => {
  const seq = stream === "deliveries" ? "d.seq" : "seq";
  return `SELECT ${seq} AS seq, ${columns}${bytesOf[stream]} AS bytes FROM ${tables[stream]}${joined} WHERE ${seq} > ? ORDER BY ${seq} LIMIT ?`;
};

/** How much the records of a stream take, after a place and so many. */
export const recordSizes: Record<RecordStream, string> = {
  deliveries: select("deliveries", ""),
  events: select("events", ""),
  requests: select("requests", ""),
  log: select("log", ""),
};

/** The records of a stream, after a place and so many. */
export const recordsAfter: Record<RecordStream, string> = {
  deliveries: select(
    "deliveries",
    "d.created_at AS since, CASE WHEN d.state >= 2 THEN coalesce(d.settled_at, d.created_at) END AS settled, e.trace_id, NULL AS id, ",
    " LEFT JOIN events e ON e.seq = d.event_seq",
  ),
  events: select(
    "events",
    "event_timestamp AS since, CASE deliveries WHEN 0 THEN event_timestamp END AS settled, trace_id, id, ",
  ),
  requests: select("requests", "at AS since, at AS settled, id AS trace_id, NULL AS id, "),
  log: select("log", "at AS since, at AS settled, trace_id, NULL AS id, "),
};
