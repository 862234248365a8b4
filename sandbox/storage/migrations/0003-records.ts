/**
 * Keeping exchanges and the log in as few pages as they need. What one mutation tells is one row of the log, numbered
 * by its last entry; an exchange is a row of `requests` numbered by its entry in the log and told nowhere else. Where
 * that entry is forgotten already the exchange keeps its own number, which is before all entries that are not.
 */
export const records = `
CREATE TABLE requests_kept (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
  operation TEXT, integration_id TEXT, side TEXT, status INTEGER NOT NULL, error_code TEXT, duration_ms REAL NOT NULL,
  request_headers TEXT NOT NULL, request_body BLOB NOT NULL, response_headers TEXT NOT NULL, response_body BLOB NOT NULL,
  outcome TEXT NOT NULL, events INTEGER NOT NULL, job_id TEXT, procurement_id TEXT
) STRICT;
INSERT INTO requests_kept
  SELECT coalesce(min(l.seq), r.seq), r.id, r.at, r.method, r.path, r.operation, r.integration_id, r.side, r.status, r.error_code, r.duration_ms,
    r.request_headers, r.request_body, r.response_headers, r.response_body, r.outcome, r.events, r.job_id, r.procurement_id
  FROM requests r LEFT JOIN log l ON l.trace_id = r.trace_id AND l.kind = 'request' GROUP BY r.id;
DROP TABLE requests;
ALTER TABLE requests_kept RENAME TO requests;
CREATE INDEX requests_by_job ON requests (job_id, seq) WHERE job_id IS NOT NULL;
CREATE INDEX requests_by_procurement ON requests (procurement_id, seq) WHERE procurement_id IS NOT NULL;

CREATE TABLE log_kept (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, trace_id TEXT, entries TEXT NOT NULL) STRICT;
INSERT INTO log_kept
  SELECT seq, at, trace_id, json_array(json_object('kind', kind, 'data', json(data))) FROM log WHERE kind <> 'request';
DROP TABLE log;
ALTER TABLE log_kept RENAME TO log;
CREATE INDEX log_by_trace ON log (trace_id) WHERE trace_id IS NOT NULL;

CREATE TABLE events_kept (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL, event_type TEXT NOT NULL, event_timestamp INTEGER NOT NULL,
  organization_id TEXT NOT NULL, payload TEXT NOT NULL, trace_id TEXT NOT NULL, job_id TEXT NOT NULL, procurement_id TEXT,
  label TEXT NOT NULL, announces TEXT NOT NULL
) STRICT;
INSERT INTO events_kept
  SELECT seq, id, event_type, event_timestamp, organization_id, payload, trace_id, job_id, procurement_id, label, announces
  FROM events;
DROP TABLE events;
ALTER TABLE events_kept RENAME TO events;
CREATE INDEX events_by_procurement ON events (procurement_id) WHERE procurement_id IS NOT NULL;
`;
