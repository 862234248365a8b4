/** The built-in receivers with what they were sent, and what drills found. Times are relative to the world's epoch. */
export const receivers = `
CREATE TABLE drills (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, subscription_id TEXT NOT NULL, drill TEXT NOT NULL,
  at INTEGER NOT NULL, summary TEXT NOT NULL, exchanges TEXT NOT NULL
) STRICT;
CREATE INDEX drills_by_subscription ON drills (subscription_id, drill, seq);
CREATE TRIGGER drills_end_with_their_subscription AFTER DELETE ON subscriptions
  BEGIN DELETE FROM drills WHERE subscription_id = OLD.id; END;

CREATE TABLE receivers (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, integration_id TEXT NOT NULL, url TEXT NOT NULL, created_at INTEGER NOT NULL,
  answer TEXT NOT NULL, status INTEGER NOT NULL, first INTEGER, verify INTEGER NOT NULL, deduplicate INTEGER NOT NULL,
  counted INTEGER NOT NULL
) STRICT;

CREATE TABLE receipts (
  seq INTEGER PRIMARY KEY, receiver_seq INTEGER NOT NULL, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
  outcome TEXT NOT NULL, status INTEGER, reason TEXT, repeat INTEGER NOT NULL, message_id TEXT, event_type TEXT,
  integration_id TEXT, headers TEXT NOT NULL, body_bytes INTEGER NOT NULL, body BLOB NOT NULL, verification TEXT NOT NULL
) STRICT;
CREATE INDEX receipts_by_receiver ON receipts (receiver_seq, seq);
CREATE INDEX receipts_by_message ON receipts (receiver_seq, message_id, outcome) WHERE message_id IS NOT NULL;
`;
