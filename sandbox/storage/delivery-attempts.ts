import type { Database } from "./database.ts";
import { type AttemptRecord, TRIES } from "./delivery-records.ts";

type Stored = Omit<AttemptRecord, "number" | "request_headers" | "response_headers" | "response_truncated"> & {
  readonly place: number;
  readonly request_headers: string;
  readonly response_headers: string;
  readonly response_truncated: number;
};

/** Keeps a try of a delivery, which is known by its place in the world's order. @throws when it is kept already */
export const insertAttempt = (db: Database, delivery: number, attempt: AttemptRecord): void => {
  db.run(
    "INSERT INTO attempts (place, started_at, duration_ms, request_headers, request_body, response_status, response_headers, response_body, response_truncated, error) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    delivery * TRIES + attempt.number,
    db.toStored(attempt.started_at),
    attempt.duration_ms,
    JSON.stringify(attempt.request_headers),
    attempt.request_body,
    attempt.response_status,
    JSON.stringify(attempt.response_headers),
    attempt.response_body,
    Number(attempt.response_truncated),
    attempt.error,
  );
};

/** Every try of a delivery, in their order. */
export const attemptsOf = (db: Database, delivery: number): AttemptRecord[] =>
  db
    .all<Stored>(
      "SELECT place, started_at, duration_ms, request_headers, request_body, response_status, response_headers, response_body, response_truncated, error FROM attempts WHERE place BETWEEN ? AND ? ORDER BY place",
      delivery * TRIES,
      delivery * TRIES + TRIES - 1,
    )
    .map(({ place, ...row }) => ({
      ...row,
      number: place % TRIES,
      started_at: db.fromStored(row.started_at),
      request_headers: JSON.parse(row.request_headers) as [string, string][],
      response_headers: JSON.parse(row.response_headers) as [string, string][],
      response_truncated: Boolean(row.response_truncated),
    }));
