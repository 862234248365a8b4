/** Largest `seq`, with ample room above it. */
export const LARGEST_SEQ = 4_000_000_000_000_000;
const seq = `seq INTEGER PRIMARY KEY CHECK (seq BETWEEN 1 AND ${LARGEST_SEQ})`;
/** Bounds keep dates within the years that can be written. */
const time = (name: string): string => `${name} INTEGER CHECK (${name} BETWEEN -260000000000000 AND 260000000000000)`;
const integerColumn = (name: string): string =>
  `${name} INTEGER CHECK (${name} BETWEEN -1000000000000 AND 1000000000000)`;
const flag = (name: string): string => `${name} INTEGER NOT NULL CHECK (${name} IN (0, 1))`;

/**
 * Tables of a world. Every time is milliseconds **since the world's epoch** (meta `epoch`), so a template copied into a
 * new world keeps all distances without rewriting a row (D83).
 */
export const initial = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE organizations (
  ${seq}, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, scope TEXT
) STRICT;

CREATE TABLE businesses (
  ${seq}, id TEXT NOT NULL UNIQUE, organization_id TEXT NOT NULL REFERENCES organizations (id), type TEXT NOT NULL, name TEXT NOT NULL,
  address TEXT, currency_code TEXT, reference_prefix TEXT, supplier_kind TEXT
) STRICT;
CREATE INDEX businesses_by_organization ON businesses (organization_id, seq);
CREATE INDEX businesses_by_type ON businesses (type, seq);

CREATE TABLE clients (
  ${seq}, client_id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, client_secret TEXT NOT NULL,
  ${flag("oauth_enabled")}
) STRICT;

CREATE TABLE credentials (
  ${seq}, integration_id TEXT NOT NULL UNIQUE, api_key TEXT NOT NULL, webhook_secret TEXT NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organizations (id), scope TEXT NOT NULL CHECK (scope IN ('repairer', 'supplier')), client_id TEXT, ${flag("preloaded")}, ${time("created_at")} NOT NULL
) STRICT;
CREATE INDEX credentials_by_organization ON credentials (organization_id, scope);

CREATE TABLE access_codes (
  code TEXT PRIMARY KEY, client_id TEXT NOT NULL REFERENCES clients (client_id), organization_id TEXT NOT NULL REFERENCES organizations (id), scope TEXT NOT NULL CHECK (scope IN ('repairer', 'supplier')),
  ${time("issued_at")} NOT NULL, ${time("expires_at")} NOT NULL, ${time("consumed_at")}
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  ${seq}, id TEXT NOT NULL UNIQUE, organization_id TEXT NOT NULL REFERENCES organizations (id), repairer_site_id TEXT NOT NULL REFERENCES businesses (id),
  external_id TEXT, job_number TEXT, claim_number TEXT,
  ${flag("has_vehicle")}, chassis_number TEXT, plate_number TEXT, plate_state TEXT, vehicle_variant TEXT,
  work_provider_id TEXT, images TEXT NOT NULL, ${time("created_at")} NOT NULL, ${time("updated_at")} NOT NULL,
  state TEXT NOT NULL DEFAULT 'no_parts' CHECK (state IN ('no_parts', 'estimated', 'order_requested', 'order_confirmed'))
) STRICT;
CREATE UNIQUE INDEX jobs_by_external ON jobs (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX jobs_by_number ON jobs (repairer_site_id, job_number);
CREATE INDEX jobs_by_provider ON jobs (work_provider_id) WHERE work_provider_id IS NOT NULL;
CREATE INDEX jobs_by_state ON jobs (state) WHERE state <> 'no_parts';
CREATE INDEX jobs_by_change ON jobs (updated_at, seq);
CREATE INDEX jobs_in_order_of_numbers ON jobs (coalesce(job_number, ''), seq);

CREATE TABLE job_parts (
  ${seq}, id TEXT NOT NULL UNIQUE, job_id TEXT NOT NULL REFERENCES jobs (id), description TEXT NOT NULL, external_id TEXT,
  ghca_id TEXT, note TEXT, ${integerColumn("quantity")}, status TEXT NOT NULL
) STRICT;
CREATE INDEX job_parts_by_job ON job_parts (job_id, seq);
CREATE UNIQUE INDEX job_parts_by_external ON job_parts (job_id, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE procurements (
  ${seq}, id TEXT NOT NULL UNIQUE, job_id TEXT NOT NULL REFERENCES jobs (id), status TEXT NOT NULL, reference TEXT,
  buyer_organization_id TEXT NOT NULL REFERENCES organizations (id), buyer_business_id TEXT NOT NULL REFERENCES businesses (id),
  supplier_organization_id TEXT NOT NULL REFERENCES organizations (id), supplier_business_id TEXT NOT NULL REFERENCES businesses (id),
  ${time("created_at")} NOT NULL, ${time("updated_at")} NOT NULL, ${time("deliver_before")}, document TEXT NOT NULL
) STRICT;
CREATE INDEX procurements_by_job ON procurements (job_id, created_at, seq);
CREATE INDEX procurements_by_creation ON procurements (created_at, seq);
CREATE INDEX procurements_by_status ON procurements (status);
CREATE INDEX procurements_by_site ON procurements (buyer_business_id);
CREATE INDEX procurements_by_supplier ON procurements (supplier_business_id);

CREATE TABLE procurement_parts (
  job_part_id TEXT NOT NULL REFERENCES job_parts (id), procurement_id TEXT NOT NULL REFERENCES procurements (id), PRIMARY KEY (job_part_id, procurement_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE vehicle_identifiers (
  ${seq}, organization_id TEXT NOT NULL REFERENCES organizations (id), identity TEXT NOT NULL, document TEXT NOT NULL, ${time("queued_at")} NOT NULL
) STRICT;
CREATE UNIQUE INDEX vehicle_identifiers_by_identity ON vehicle_identifiers (organization_id, identity);

CREATE TABLE uploads (
  ${seq}, id TEXT NOT NULL UNIQUE, organization_id TEXT NOT NULL REFERENCES organizations (id), file_name TEXT NOT NULL, type TEXT NOT NULL,
  ${time("prepared_at")} NOT NULL, ${time("expires_at")} NOT NULL, ${time("uploaded_at")}, content_type TEXT, ${integerColumn("size")}
) STRICT;

-- An ended subscription stays while its deliveries are kept, and counts them.
CREATE TABLE subscriptions (
  ${seq}, id TEXT NOT NULL UNIQUE, integration_id TEXT NOT NULL REFERENCES credentials (integration_id), url TEXT NOT NULL,
  ${time("created_at")} NOT NULL, ${time("ended_at")},
  ${integerColumn("pending")} NOT NULL DEFAULT 0, ${integerColumn("delivered")} NOT NULL DEFAULT 0, ${integerColumn("failed")} NOT NULL DEFAULT 0,
  ${time("last_success_at")}, ${time("failing_since")}, ${integerColumn("consecutive_failures")} NOT NULL DEFAULT 0,
  ${time("paused_at")}, paused_by TEXT
) STRICT;
CREATE UNIQUE INDEX subscriptions_by_url ON subscriptions (integration_id, url) WHERE ended_at IS NULL;

CREATE TABLE events (
  ${seq}, id TEXT NOT NULL UNIQUE, event_type TEXT NOT NULL, ${time("event_timestamp")} NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organizations (id), payload TEXT NOT NULL, trace_id TEXT NOT NULL, job_id TEXT NOT NULL, procurement_id TEXT,
  label TEXT NOT NULL, announces TEXT NOT NULL, ${integerColumn("deliveries")} NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX events_by_trace ON events (trace_id);
CREATE INDEX events_by_procurement ON events (procurement_id) WHERE procurement_id IS NOT NULL;

CREATE TABLE deliveries (
  ${seq}, id TEXT NOT NULL UNIQUE, event_seq INTEGER NOT NULL REFERENCES events (seq), message_id TEXT NOT NULL,
  subscription_seq INTEGER NOT NULL REFERENCES subscriptions (seq), status TEXT NOT NULL, ${integerColumn("attempts_made")} NOT NULL, ${time("created_at")} NOT NULL,
  ${time("next_attempt_at")}, ${time("ended_at")}, last_status INTEGER, last_error TEXT, repeats_id TEXT
) STRICT;
CREATE INDEX deliveries_by_message ON deliveries (message_id);
CREATE INDEX deliveries_by_subscription ON deliveries (subscription_seq, status);
CREATE INDEX deliveries_never_attempted ON deliveries (subscription_seq, status) WHERE status = 'pending' AND attempts_made = 0;
CREATE INDEX deliveries_to_retry ON deliveries (subscription_seq, next_attempt_at) WHERE status = 'pending' AND attempts_made > 0;
CREATE INDEX deliveries_by_event ON deliveries (event_seq);

CREATE TABLE attempts (
  ${seq}, delivery_seq INTEGER NOT NULL REFERENCES deliveries (seq), ${integerColumn("number")} NOT NULL, ${time("started_at")} NOT NULL,
  duration_ms REAL NOT NULL, request_headers TEXT NOT NULL, request_body BLOB NOT NULL, response_status INTEGER,
  response_headers TEXT NOT NULL, response_body BLOB NOT NULL, ${flag("response_truncated")}, error TEXT,
  UNIQUE (delivery_seq, number)
) STRICT;

CREATE TRIGGER deliveries_inserted AFTER INSERT ON deliveries
  BEGIN UPDATE subscriptions SET pending = pending + 1 WHERE seq = NEW.subscription_seq; END;
CREATE TRIGGER deliveries_ended AFTER UPDATE OF status ON deliveries WHEN OLD.status = 'pending' AND NEW.status <> 'pending'
  BEGIN
    UPDATE subscriptions
      SET pending = pending - 1, delivered = delivered + (NEW.status = 'delivered'), failed = failed + (NEW.status = 'failed')
      WHERE seq = NEW.subscription_seq;
  END;
CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries
  BEGIN
    UPDATE subscriptions
      SET pending = pending - (OLD.status = 'pending'), delivered = delivered - (OLD.status = 'delivered'), failed = failed - (OLD.status = 'failed')
      WHERE seq = OLD.subscription_seq;
    UPDATE events SET deliveries = deliveries - 1 WHERE seq = OLD.event_seq;
    DELETE FROM attempts WHERE delivery_seq = OLD.seq;
  END;

CREATE TABLE drills (
  ${seq}, id TEXT NOT NULL UNIQUE, subscription_id TEXT NOT NULL REFERENCES subscriptions (id), drill TEXT NOT NULL,
  ${time("at")} NOT NULL, summary TEXT NOT NULL, exchanges TEXT NOT NULL
) STRICT;
CREATE INDEX drills_by_subscription ON drills (subscription_id, drill, seq);

CREATE TABLE receivers (
  ${seq}, id TEXT NOT NULL UNIQUE, integration_id TEXT NOT NULL REFERENCES credentials (integration_id), url TEXT NOT NULL, ${time("created_at")} NOT NULL,
  answer TEXT NOT NULL, status INTEGER NOT NULL, ${integerColumn("first")}, ${flag("verify")}, ${flag("deduplicate")},
  ${integerColumn("counted")} NOT NULL
) STRICT;

CREATE TABLE receipts (
  ${seq}, receiver_seq INTEGER NOT NULL REFERENCES receivers (seq), id TEXT NOT NULL UNIQUE, ${time("at")} NOT NULL,
  outcome TEXT NOT NULL, status INTEGER, reason TEXT, ${flag("repeat")}, message_id TEXT, event_type TEXT,
  integration_id TEXT, headers TEXT NOT NULL, ${integerColumn("body_bytes")} NOT NULL, body BLOB NOT NULL, verification TEXT NOT NULL
) STRICT;
CREATE INDEX receipts_by_receiver ON receipts (receiver_seq, seq);
CREATE INDEX receipts_by_message ON receipts (receiver_seq, message_id, outcome) WHERE message_id IS NOT NULL;

CREATE TABLE requests (
  ${seq}, id TEXT NOT NULL UNIQUE, ${time("at")} NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
  operation TEXT, integration_id TEXT, side TEXT, status INTEGER NOT NULL, error_code TEXT, duration_ms REAL NOT NULL,
  request_headers TEXT NOT NULL, request_body BLOB NOT NULL, response_headers TEXT NOT NULL, response_body BLOB NOT NULL,
  outcome TEXT NOT NULL, ${integerColumn("events")} NOT NULL, job_id TEXT, procurement_id TEXT, faults TEXT, replays_id TEXT, label TEXT,
  ${flag("body_masked")}
) STRICT;
CREATE INDEX requests_by_job ON requests (job_id, seq) WHERE job_id IS NOT NULL;
CREATE INDEX requests_by_procurement ON requests (procurement_id, seq) WHERE procurement_id IS NOT NULL;
CREATE INDEX requests_done ON requests (operation) WHERE status = 200;
CREATE INDEX requests_refused ON requests (seq) WHERE status >= 400;

CREATE TABLE log (
  ${seq}, kind TEXT NOT NULL, ${time("at")} NOT NULL, trace_id TEXT, data TEXT NOT NULL
) STRICT;
CREATE INDEX log_by_trace ON log (trace_id) WHERE trace_id IS NOT NULL;

-- Full-text indexes, filled after the mutations. The unindexed tables name new, changed and deleted rows.
CREATE VIRTUAL TABLE jobs_search USING fts5 (
  plate_number, job_number, claim_number, external_id, chassis_number,
  content = '', contentless_delete = 1, tokenize = 'trigram'
);
CREATE VIRTUAL TABLE procurements_search USING fts5 (
  reference, plate_number, job_number, supplier_name,
  content = '', contentless_delete = 1, tokenize = 'trigram'
);
CREATE TABLE unindexed (list TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (list, seq)) STRICT, WITHOUT ROWID;
CREATE TRIGGER jobs_unindexed_updated AFTER UPDATE ON jobs
  WHEN (NEW.plate_number, NEW.job_number, NEW.claim_number, NEW.external_id, NEW.chassis_number)
    IS NOT (OLD.plate_number, OLD.job_number, OLD.claim_number, OLD.external_id, OLD.chassis_number)
  BEGIN
    INSERT OR IGNORE INTO unindexed VALUES ('jobs', NEW.seq);
    INSERT OR IGNORE INTO unindexed SELECT 'procurements', seq FROM procurements WHERE job_id = NEW.id;
  END;
CREATE TRIGGER jobs_unindexed_deleted AFTER DELETE ON jobs
  BEGIN INSERT OR IGNORE INTO unindexed VALUES ('jobs', OLD.seq); END;
CREATE TRIGGER procurements_unindexed_inserted AFTER INSERT ON procurements
  BEGIN INSERT OR IGNORE INTO unindexed VALUES ('procurements', NEW.seq); END;
CREATE TRIGGER procurements_unindexed_deleted AFTER DELETE ON procurements
  BEGIN INSERT OR IGNORE INTO unindexed VALUES ('procurements', OLD.seq); END;
`;
