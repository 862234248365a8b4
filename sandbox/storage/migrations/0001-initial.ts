/**
 * A world's tables. Every time is in milliseconds **since the world's epoch** (meta `epoch`), so that a template copied
 * into a new world keeps all its distances without rewriting a row (D83).
 */
export const initial = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE organizations (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, scope TEXT
) STRICT;

CREATE TABLE businesses (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, organization_id TEXT NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL,
  address TEXT, currency_code TEXT, reference_prefix TEXT, supplier_kind TEXT
) STRICT;
CREATE INDEX businesses_by_organization ON businesses (organization_id, seq);
CREATE INDEX businesses_by_type ON businesses (type, seq);

CREATE TABLE clients (
  seq INTEGER PRIMARY KEY, client_id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, client_secret TEXT NOT NULL,
  oauth_enabled INTEGER NOT NULL
) STRICT;

CREATE TABLE credentials (
  seq INTEGER PRIMARY KEY, integration_id TEXT NOT NULL UNIQUE, api_key TEXT NOT NULL, webhook_secret TEXT NOT NULL,
  organization_id TEXT NOT NULL, scope TEXT NOT NULL, client_id TEXT, preloaded INTEGER NOT NULL, created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX credentials_by_organization ON credentials (organization_id, scope);

CREATE TABLE access_codes (
  code TEXT PRIMARY KEY, client_id TEXT NOT NULL, organization_id TEXT NOT NULL, scope TEXT NOT NULL,
  issued_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, consumed_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, organization_id TEXT NOT NULL, repairer_site_id TEXT NOT NULL,
  external_id TEXT, job_number TEXT, claim_number TEXT,
  has_vehicle INTEGER NOT NULL, chassis_number TEXT, plate_number TEXT, plate_state TEXT, vehicle_variant TEXT,
  work_provider_id TEXT, images TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX jobs_by_external ON jobs (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX jobs_by_number ON jobs (repairer_site_id, job_number) WHERE job_number IS NOT NULL;
CREATE INDEX jobs_by_change ON jobs (updated_at, seq);
CREATE INDEX jobs_by_site ON jobs (repairer_site_id, updated_at, seq);

CREATE TABLE job_parts (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, job_id TEXT NOT NULL, description TEXT NOT NULL, external_id TEXT,
  ghca_id TEXT, note TEXT, quantity INTEGER, status TEXT NOT NULL
) STRICT;
CREATE INDEX job_parts_by_job ON job_parts (job_id, seq);
CREATE UNIQUE INDEX job_parts_by_external ON job_parts (job_id, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE procurements (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, job_id TEXT NOT NULL, status TEXT NOT NULL, reference TEXT,
  buyer_organization_id TEXT NOT NULL, buyer_business_id TEXT NOT NULL,
  supplier_organization_id TEXT NOT NULL, supplier_business_id TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, deliver_before INTEGER, document TEXT NOT NULL
) STRICT;
CREATE INDEX procurements_by_job ON procurements (job_id, created_at, seq);
CREATE INDEX procurements_by_time ON procurements (created_at, seq);
CREATE INDEX procurements_by_status ON procurements (status, created_at, seq);

CREATE TABLE procurement_parts (
  job_part_id TEXT NOT NULL, procurement_id TEXT NOT NULL, PRIMARY KEY (job_part_id, procurement_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE vehicle_identifiers (
  seq INTEGER PRIMARY KEY, organization_id TEXT NOT NULL, identity TEXT NOT NULL, document TEXT NOT NULL, queued_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX vehicle_identifiers_by_identity ON vehicle_identifiers (organization_id, identity);

CREATE TABLE uploads (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, organization_id TEXT NOT NULL, file_name TEXT NOT NULL, type TEXT NOT NULL,
  prepared_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, uploaded_at INTEGER, content_type TEXT, size INTEGER
) STRICT;

CREATE TABLE subscriptions (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, integration_id TEXT NOT NULL, url TEXT NOT NULL, created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX subscriptions_by_url ON subscriptions (integration_id, url);

CREATE TABLE events (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, event_type TEXT NOT NULL, event_timestamp INTEGER NOT NULL,
  organization_id TEXT NOT NULL, payload TEXT NOT NULL, trace_id TEXT NOT NULL, job_id TEXT NOT NULL, procurement_id TEXT,
  label TEXT NOT NULL, announces TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_procurement ON events (procurement_id) WHERE procurement_id IS NOT NULL;
CREATE INDEX events_by_trace ON events (trace_id);

CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, event_seq INTEGER NOT NULL, message_id TEXT NOT NULL,
  integration_id TEXT NOT NULL, subscription_id TEXT NOT NULL, url TEXT NOT NULL, status TEXT NOT NULL,
  attempts_made INTEGER NOT NULL, next_attempt_at INTEGER, last_status INTEGER, last_error TEXT,
  created_at INTEGER NOT NULL, settled_at INTEGER, repeats_id TEXT
) STRICT;
CREATE INDEX deliveries_by_event ON deliveries (event_seq);
CREATE INDEX deliveries_pending ON deliveries (next_attempt_at, seq) WHERE status = 'pending';
CREATE INDEX deliveries_lane ON deliveries (subscription_id, seq) WHERE status = 'pending';
CREATE INDEX deliveries_by_subscription ON deliveries (subscription_id, status);
CREATE INDEX deliveries_by_status ON deliveries (status, seq);

CREATE TABLE attempts (
  delivery_seq INTEGER NOT NULL, number INTEGER NOT NULL, started_at INTEGER NOT NULL, duration_ms REAL NOT NULL,
  request_headers TEXT NOT NULL, request_body BLOB NOT NULL, response_status INTEGER, response_headers TEXT NOT NULL,
  response_body BLOB NOT NULL, response_truncated INTEGER NOT NULL, error TEXT,
  PRIMARY KEY (delivery_seq, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, trace_id TEXT NOT NULL, at INTEGER NOT NULL, method TEXT NOT NULL,
  path TEXT NOT NULL, operation TEXT, integration_id TEXT, side TEXT, status INTEGER NOT NULL, error_code TEXT,
  duration_ms REAL NOT NULL, request_headers TEXT NOT NULL, request_body BLOB NOT NULL, response_headers TEXT NOT NULL,
  response_body BLOB NOT NULL, outcome TEXT NOT NULL, events INTEGER NOT NULL, job_id TEXT, procurement_id TEXT
) STRICT;
CREATE INDEX requests_by_trace ON requests (trace_id);
CREATE INDEX requests_by_job ON requests (job_id, seq) WHERE job_id IS NOT NULL;
CREATE INDEX requests_by_procurement ON requests (procurement_id, seq) WHERE procurement_id IS NOT NULL;

CREATE TABLE log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, at INTEGER NOT NULL, trace_id TEXT, data TEXT NOT NULL
) STRICT;
CREATE INDEX log_by_trace ON log (trace_id) WHERE trace_id IS NOT NULL;
`;
