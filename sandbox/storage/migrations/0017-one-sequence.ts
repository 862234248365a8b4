import { LARGEST_SEQ } from "./0001-initial.ts";

/** Number of the log entry about a row; the row's own number if it had none. */
const entryOf = (what: string): string => `coalesce((SELECT min(n.seq) FROM entries n WHERE ${what}), seq)`;

/**
 * Makes the feed a merge of tables: calls, events, deliveries and attempts take the number of their log entry, and the
 * log keeps only what no other table stores. Readers can resume after an earlier ID.
 *
 * Read-only calls leave the text index. An operation's first successful call is stored once instead of found in an
 * index of all calls.
 */
export const oneSequence = `
CREATE TEMP TABLE entries AS
  SELECT seq, kind, at, trace_id, iif(json_valid(data), data ->> '$.id', NULL) AS id,
    iif(json_valid(data), data ->> '$.attempts_made', NULL) AS attempts
  FROM log WHERE kind IN ('request', 'event', 'delivery');
CREATE INDEX temp.entries_by_row ON entries (kind, id, attempts);
CREATE INDEX temp.entries_by_trace ON entries (kind, trace_id);

ALTER TABLE events ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
UPDATE events SET at = coalesce((SELECT n.at FROM entries n WHERE n.kind = 'event' AND n.id = events.id ORDER BY n.seq LIMIT 1), event_timestamp);

UPDATE attempts SET seq = ${entryOf(
  "n.kind = 'delivery' AND n.attempts = attempts.number AND n.id = (SELECT d.id FROM deliveries d WHERE d.seq = attempts.delivery_seq)",
)};
CREATE TEMP TABLE deliveries_now AS
  SELECT seq AS old, ${entryOf("n.kind = 'delivery' AND n.attempts = 0 AND n.id = deliveries.id")} AS seq FROM deliveries;
CREATE INDEX temp.deliveries_by_number ON deliveries_now (old);
UPDATE attempts SET delivery_seq = (SELECT n.seq FROM deliveries_now n WHERE n.old = attempts.delivery_seq);
UPDATE deliveries SET seq = (SELECT n.seq FROM deliveries_now n WHERE n.old = deliveries.seq);
CREATE TEMP TABLE events_now AS
  SELECT seq AS old, ${entryOf("n.kind = 'event' AND n.id = events.id")} AS seq FROM events;
CREATE INDEX temp.events_by_number ON events_now (old);
UPDATE deliveries SET event_seq = (SELECT n.seq FROM events_now n WHERE n.old = deliveries.event_seq);
UPDATE events SET seq = (SELECT n.seq FROM events_now n WHERE n.old = events.seq);

DROP INDEX requests_done;
DROP INDEX requests_narrow;
DROP INDEX requests_by_integration;
DROP INDEX requests_by_job;
UPDATE requests SET seq = ${entryOf("n.kind = 'request' AND n.trace_id = requests.id")};
CREATE INDEX requests_by_job ON requests (job_id, seq) WHERE job_id IS NOT NULL;
CREATE INDEX requests_by_integration ON requests (integration_id);
CREATE INDEX requests_narrow ON requests (seq, status, operation, side, error_code, at, origin, replays_id, unrouted, faults);

DELETE FROM log WHERE kind IN ('request', 'event', 'delivery');
DROP INDEX log_of_faults;
DROP TABLE temp.entries;
DROP TABLE temp.deliveries_now;
DROP TABLE temp.events_now;

INSERT INTO requests_search (requests_search) VALUES ('delete-all');
INSERT INTO requests_search (rowid, text)
  SELECT r.seq / 64, group_concat(concat_ws(char(10), r.path, r.outcome, r.label, r.error_code), char(10)) FROM requests r
  WHERE r.seq / 64 < (SELECT max(seq) / 64 FROM requests) AND (r.status <> 200 OR r.outcome <> 'read only') GROUP BY r.seq / 64;

CREATE TABLE first_calls (
  operation TEXT PRIMARY KEY, seq INTEGER NOT NULL CHECK (seq BETWEEN 1 AND ${LARGEST_SEQ})
) STRICT, WITHOUT ROWID;
INSERT INTO first_calls SELECT operation, min(seq) FROM requests WHERE status = 200 AND operation IS NOT NULL GROUP BY operation;
CREATE TRIGGER first_calls_deleted AFTER DELETE ON requests
  WHEN EXISTS (SELECT 1 FROM first_calls WHERE operation = OLD.operation AND seq = OLD.seq)
  BEGIN
    DELETE FROM first_calls WHERE operation = OLD.operation;
    INSERT INTO first_calls SELECT operation, seq FROM requests INDEXED BY requests_narrow
      WHERE seq > OLD.seq AND status = 200 AND operation = OLD.operation ORDER BY seq LIMIT 1;
  END;
`;
