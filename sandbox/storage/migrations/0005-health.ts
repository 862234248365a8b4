/**
 * Delivery at a rate of thousands a second. What all deliveries of a subscription share stands in `lanes`, with how many
 * there are and how the address fares; a lane outlives its subscription, as what was delivered does. A delivery is in as
 * few indexes as its first try and the lists need: by id, by where it stands in its lane, and by its time while it waits
 * to be tried again. Tries are kept in the order of their places, `delivery * 64 + number`, and need no index at all.
 */
export const health = `
CREATE TABLE lanes (
  seq INTEGER PRIMARY KEY, subscription_id TEXT NOT NULL UNIQUE, integration_id TEXT NOT NULL, url TEXT NOT NULL,
  pending INTEGER NOT NULL DEFAULT 0, delivered INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
  last_success_at INTEGER, failing_since INTEGER, consecutive_failures INTEGER NOT NULL DEFAULT 0,
  paused_at INTEGER, paused_by TEXT
) STRICT;
INSERT INTO lanes (subscription_id, integration_id, url) SELECT id, integration_id, url FROM subscriptions ORDER BY seq;
INSERT OR IGNORE INTO lanes (subscription_id, integration_id, url)
  SELECT subscription_id, integration_id, url FROM deliveries GROUP BY subscription_id;
UPDATE lanes SET
  pending = (SELECT count(*) FROM deliveries d WHERE d.subscription_id = lanes.subscription_id AND d.status = 'pending'),
  delivered = (SELECT count(*) FROM deliveries d WHERE d.subscription_id = lanes.subscription_id AND d.status = 'delivered'),
  failed = (SELECT count(*) FROM deliveries d WHERE d.subscription_id = lanes.subscription_id AND d.status = 'failed'),
  last_success_at =
    (SELECT max(settled_at) FROM deliveries d WHERE d.subscription_id = lanes.subscription_id AND d.status = 'delivered');

ALTER TABLE events ADD COLUMN deliveries INTEGER NOT NULL DEFAULT 0;
UPDATE events SET deliveries = (SELECT count(*) FROM deliveries d WHERE d.event_seq = events.seq);

CREATE TABLE attempts_kept (
  place INTEGER PRIMARY KEY, started_at INTEGER NOT NULL, duration_ms REAL NOT NULL,
  request_headers TEXT NOT NULL, request_body BLOB NOT NULL, response_status INTEGER, response_headers TEXT NOT NULL,
  response_body BLOB NOT NULL, response_truncated INTEGER NOT NULL, error TEXT
) STRICT;
INSERT INTO attempts_kept
  SELECT a.delivery_seq * 64 + a.number, a.started_at, a.duration_ms, a.request_headers, a.request_body, a.response_status,
    a.response_headers, a.response_body, a.response_truncated, a.error
  FROM attempts a JOIN deliveries d ON d.seq = a.delivery_seq;
DROP TABLE attempts;
ALTER TABLE attempts_kept RENAME TO attempts;

CREATE TABLE deliveries_kept (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, event_seq INTEGER NOT NULL, message_id TEXT NOT NULL,
  lane INTEGER NOT NULL, state INTEGER NOT NULL, attempts_made INTEGER NOT NULL, created_at INTEGER NOT NULL,
  next_attempt_at INTEGER, settled_at INTEGER, last_status INTEGER, last_error TEXT, repeats_id TEXT,
  status TEXT NOT NULL GENERATED ALWAYS AS (CASE state WHEN 2 THEN 'delivered' WHEN 3 THEN 'failed' ELSE 'pending' END) VIRTUAL
) STRICT;
INSERT INTO deliveries_kept (seq, id, event_seq, message_id, lane, state, attempts_made, created_at, next_attempt_at,
    settled_at, last_status, last_error, repeats_id)
  SELECT d.seq, d.id, d.event_seq, d.message_id, l.seq,
    CASE d.status WHEN 'delivered' THEN 2 WHEN 'failed' THEN 3 ELSE d.attempts_made > 0 END,
    d.attempts_made, d.created_at, d.next_attempt_at, d.settled_at, d.last_status, d.last_error, d.repeats_id
  FROM deliveries d JOIN lanes l ON l.subscription_id = d.subscription_id;
DROP TABLE deliveries;
ALTER TABLE deliveries_kept RENAME TO deliveries;
CREATE INDEX deliveries_by_lane ON deliveries (lane, state);
CREATE INDEX deliveries_to_retry ON deliveries (lane, next_attempt_at) WHERE state = 1;

CREATE TRIGGER deliveries_inserted AFTER INSERT ON deliveries
  BEGIN UPDATE lanes SET pending = pending + 1 WHERE seq = NEW.lane; END;
CREATE TRIGGER deliveries_settled AFTER UPDATE OF state ON deliveries WHEN NEW.state >= 2 AND OLD.state < 2
  BEGIN
    UPDATE lanes SET pending = pending - 1, delivered = delivered + (NEW.state = 2), failed = failed + (NEW.state = 3)
      WHERE seq = NEW.lane;
  END;
CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries
  BEGIN
    UPDATE lanes SET pending = pending - (OLD.state < 2), delivered = delivered - (OLD.state = 2), failed = failed - (OLD.state = 3)
      WHERE seq = OLD.lane;
    UPDATE events SET deliveries = deliveries - 1 WHERE seq = OLD.event_seq;
    DELETE FROM attempts WHERE place BETWEEN OLD.seq * 64 AND OLD.seq * 64 + 63;
  END;
`;
