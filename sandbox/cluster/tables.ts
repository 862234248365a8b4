// Tables of the shared database, and their migrations.
import type pg from "pg";
import { StartError } from "../host/start-error.ts";

/**
 * Vacuums early, because every commit leaves a dead row and every snapshot a dead log. PostgreSQL's default waits until a
 * fifth of the table is dead.
 */
const EARLY_VACUUM = "autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000";

/**
 * SQL that sets storage parameters once: an operator's values stay, and a starting node doesn't wait for a vacuum.
 *
 * @param isOurs SQL condition for a table whose parameters the operator has not set
 */
const storageSql = (table: string, settings: string, isOurs = "reloptions IS NULL"): string => `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_class WHERE oid = '${table}'::regclass AND ${isOurs}) THEN
      ALTER TABLE ${table} SET (${settings});
    END IF;
  END $$;`;

/** SQL expression for the kind of an audit entry. Nodes of earlier versions write none. */
export const AUDIT_KIND = "coalesce(record ->> 'kind', 'change')";

/** SQL expression for the picture ID in a path, for any world. */
export const PICTURE_OF_PATH = "substring(path FROM '^media/[^/]+/([^/.]+)[.]')";

/**
 * Shared tables. A world's `seq` counts all appends, `epoch` all owners. Its content is the snapshot, which contains the
 * appends up to `base_seq`, plus the log after that.
 */
const initial = `
  CREATE TABLE IF NOT EXISTS sandbox_nodes (id uuid PRIMARY KEY, address text NOT NULL, beat timestamptz NOT NULL);
  ALTER TABLE sandbox_nodes ADD COLUMN IF NOT EXISTS drains boolean NOT NULL DEFAULT false;
  CREATE TABLE IF NOT EXISTS sandbox_worlds (
    name text PRIMARY KEY, owner uuid, epoch bigint NOT NULL DEFAULT 0, seq bigint NOT NULL DEFAULT 0,
    base_seq bigint NOT NULL DEFAULT 0, snapshot text, claimed_at timestamptz, wanted_by uuid, due_at bigint, entry text
  );
  CREATE INDEX IF NOT EXISTS sandbox_worlds_owner_due ON sandbox_worlds (owner, due_at);
  CREATE TABLE IF NOT EXISTS sandbox_log (
    world text NOT NULL, seq bigint NOT NULL, epoch bigint NOT NULL, pages bytea NOT NULL, PRIMARY KEY (world, seq)
  );
  ${storageSql("sandbox_worlds", `fillfactor = 50, ${EARLY_VACUUM}`)}
  ${storageSql("sandbox_log", EARLY_VACUUM)}
  CREATE TABLE IF NOT EXISTS sandbox_integrations (
    integration_id text, world text, webhook_secret text NOT NULL, PRIMARY KEY (integration_id, world)
  );
  CREATE INDEX IF NOT EXISTS sandbox_integrations_world ON sandbox_integrations (world);
  CREATE TABLE IF NOT EXISTS sandbox_audit (id bigserial PRIMARY KEY, record jsonb NOT NULL);
  CREATE TABLE IF NOT EXISTS sandbox_evidence (
    seq bigserial PRIMARY KEY, id text NOT NULL UNIQUE, world text NOT NULL, record jsonb NOT NULL,
    revoked_at bigint, revoked_for text
  );
  CREATE INDEX IF NOT EXISTS sandbox_evidence_world ON sandbox_evidence (world);
  CREATE TABLE IF NOT EXISTS sandbox_activity (
    seq bigserial PRIMARY KEY, minute bigint NOT NULL, world text NOT NULL, failure text NOT NULL, count bigint NOT NULL,
    last_at bigint NOT NULL, last_id text NOT NULL, last_operation text, UNIQUE (world, minute, failure)
  );
  CREATE INDEX IF NOT EXISTS sandbox_activity_minute ON sandbox_activity (minute);
  CREATE TABLE IF NOT EXISTS sandbox_strays (seq bigserial PRIMARY KEY, call jsonb NOT NULL);
  CREATE TABLE IF NOT EXISTS sandbox_files (path text PRIMARY KEY, blob text NOT NULL);
  CREATE INDEX IF NOT EXISTS sandbox_files_path ON sandbox_files (path COLLATE "C");
  CREATE INDEX IF NOT EXISTS sandbox_files_picture ON sandbox_files (${PICTURE_OF_PATH});
  CREATE TABLE IF NOT EXISTS sandbox_blobs (
    id text NOT NULL, part integer NOT NULL, bytes bytea NOT NULL, stored_at timestamptz NOT NULL,
    PRIMARY KEY (id, part)
  );
`;

/** Splits the setting with all access rights into rows. Nodes of the previous version keep using the old setting. */
const accessRows = `
  CREATE TABLE IF NOT EXISTS sandbox_access (key text PRIMARY KEY, content text NOT NULL);
  INSERT INTO sandbox_access
    SELECT kind || ' ' || coalesce(one ->> 'id', one ->> 'world', one ->> 'client_id'), one::text
    FROM sandbox_settings, json_each(value::json) AS tables (kind, rows), json_array_elements(rows) AS one
    WHERE key = 'access' ON CONFLICT DO NOTHING;
  INSERT INTO sandbox_settings VALUES ('access_version', '0') ON CONFLICT DO NOTHING;
`;

/** Vacuums the log without pauses, in which 3 MB written per second would add a hundred to its size. */
const fastVacuum = storageSql(
  "sandbox_log",
  "autovacuum_vacuum_cost_delay = 0",
  "NOT coalesce(reloptions::text, '') LIKE '%cost_delay%'",
);

/**
 * Migrations, numbered by position from 1; append only. The first also accepts tables from before version numbers.
 * Nodes are updated one by one, so a migration must not remove anything that the previous version uses.
 */
export const migrations: string[] = [initial, accessRows, fastVacuum];

/** SQL for the end of an insert into the settings: replaces existing values. */
export const REPLACE_SETTING = "ON CONFLICT (key) DO UPDATE SET value = excluded.value";
/** Setting with the number of the last migration. */
const VERSION = "tables_version";
/** Timeout that exceeds any migration, because other starting nodes wait for it. */
const MIGRATION_TIMEOUT_MS = 600_000;

/**
 * Migrates the tables to this node's version. Nodes that start together take turns.
 *
 * @param client its connection must be closed if this throws, which rolls everything back @throws StartError if the
 *   tables have a newer version
 */
export const migrate = async (client: pg.ClientBase): Promise<void> => {
  const run = async (text: string, values?: unknown[]) =>
    (await client.query({ text, values, query_timeout: MIGRATION_TIMEOUT_MS } as pg.QueryConfig)).rows;
  await run("BEGIN");
  await run(`SET LOCAL statement_timeout = ${MIGRATION_TIMEOUT_MS}`);
  await run("SELECT pg_advisory_xact_lock(4026)");
  await run("CREATE TABLE IF NOT EXISTS sandbox_settings (key text PRIMARY KEY, value text NOT NULL)");
  const [found] = await run("SELECT value FROM sandbox_settings WHERE key = $1", [VERSION]);
  const version = Number(found?.value ?? 0);
  if (version > migrations.length) {
    const message = `The tables in the database of --cluster are of version ${version}; this node knows them up to version ${migrations.length}. Nothing was changed. Start a node of the newer version.`;
    throw new StartError("bad_option", message);
  }
  for (const migration of migrations.slice(version)) await run(migration);
  if (version < migrations.length)
    await run(`INSERT INTO sandbox_settings VALUES ($1, $2) ${REPLACE_SETTING}`, [VERSION, String(migrations.length)]);
  await run("COMMIT");
};
