import { randomBytes, randomUUID } from "node:crypto";
import type { GivenClient, GivenCredentials } from "../config.ts";
import type { WorldDocument } from "../contract/control/snapshot-rows.ts";
import { installedKey, webhookSecret } from "../rules/keys.ts";
import { Database } from "../storage/database.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import { openStores } from "../storage/stores.ts";
import { BadDocumentError, importTables } from "../storage/world-import.ts";
import { fixedClients, fixedCredentials } from "./seed/fixed.ts";
import { summaryOf } from "./world-summary.ts";

/** What a service's pre-loaded credentials and clients are. */
interface Own {
  readonly credentials: GivenCredentials["credentials"];
  readonly clients: Readonly<Record<"demo" | "no_oauth", Pick<GivenClient, "client_id" | "client_secret">>>;
}
const documented: Own = { credentials: fixedCredentials, clients: fixedClients };

/** The cells of a column of a document's table, with those of others beside them. */
const cellsOf = (document: WorldDocument, table: string, ...names: readonly string[]): unknown[][] => {
  const found = document.tables.find(({ name }) => name === table);
  if (!found) return [];
  const places = names.map((name) => found.columns.indexOf(name));
  return found.rows.map((row) => places.map((place) => row[place]));
};

/** The pre-loaded integrations of a document that have another id here. */
const renamedIntegrations = (document: WorldDocument, own: Own): Map<string, string> => {
  const renamed = new Map<string, string>();
  for (const [id, scope, preloaded] of cellsOf(document, "credentials", "integration_id", "scope", "preloaded")) {
    if (preloaded !== 1 || typeof id !== "string" || (scope !== "repairer" && scope !== "supplier")) continue;
    const here = own.credentials[scope].integration_id;
    if (id !== here && /^[0-9a-f-]{36}$/i.test(id)) renamed.set(id, here);
  }
  return renamed;
};

const renaming = (renamed: ReadonlyMap<string, string>): ((text: string) => string) => {
  if (renamed.size === 0) return (text) => text;
  const pattern = new RegExp([...renamed.keys()].join("|"), "g");
  return (text) => text.replace(pattern, (id) => renamed.get(id) ?? id);
};

/** Pre-loaded credentials and clients become this service's own; other keys, where they were left out, are made anew. */
const giveKeys = (db: Database, own: Own, redacted: boolean): void => {
  for (const scope of ["repairer", "supplier"] as const) {
    const { api_key, webhook_secret } = own.credentials[scope];
    db.run(
      "UPDATE credentials SET api_key = ?, webhook_secret = ? WHERE preloaded = 1 AND scope = ?",
      api_key,
      webhook_secret,
      scope,
    );
  }
  if (redacted) {
    for (const { seq } of db.all<{ seq: number }>("SELECT seq FROM credentials WHERE preloaded = 0")) {
      const [key, secret] = [installedKey(randomUUID()), webhookSecret(randomBytes(32))];
      db.run("UPDATE credentials SET api_key = ?, webhook_secret = ? WHERE seq = ?", key, secret, seq);
    }
  }
  const clients = [
    [1, own.clients.demo],
    [0, own.clients.no_oauth],
  ] as const;
  for (const [enabled, { client_id, client_secret }] of clients) {
    const found = db.get<{ client_id: string }>("SELECT client_id FROM clients WHERE oauth_enabled = ?", enabled);
    if (!found) continue;
    for (const table of ["credentials", "access_codes", "clients"])
      db.run(`UPDATE ${table} SET client_id = ? WHERE client_id = ?`, client_id, found.client_id);
    db.run("UPDATE clients SET client_secret = ? WHERE client_id = ?", client_secret, client_id);
  }
};

/** What was subscribed elsewhere is not notified from here before somebody says so. */
const pauseSubscriptions = (db: Database, now: number): void => {
  db.run(
    "UPDATE lanes SET paused_at = ?, paused_by = 'person' WHERE paused_at IS NULL AND subscription_id IN (SELECT id FROM subscriptions)",
    db.toStored(now),
  );
};

/** Reads what everything else relies on; a document that was not made by an export may not hold together. */
const lookAtAll = (db: Database): void => {
  try {
    const { directory, credentials, meta, outbox, requests, log, procurements, subscriptions } = openStores(db);
    if (directory.organizations().length === 0 || credentials.list().length === 0)
      throw new BadDocumentError("/document/tables must hold organizations and credentials");
    meta.policies();
    meta.faults();
    subscriptions.standings();
    outbox.newest({}, Number.MAX_SAFE_INTEGER, 100);
    requests.list({ limit: 100 });
    log.newest(100);
    for (const { id } of db.all<{ id: string }>("SELECT id FROM procurements LIMIT 1000")) procurements.get(id);
  } catch (error) {
    if (error instanceof BadDocumentError) throw error;
    throw new BadDocumentError(
      `/document/tables do not hold together: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

/**
 * Makes the file of a world that was exported elsewhere.
 *
 * @param given this service's credentials; null: the documented ones
 * @param now real time, milliseconds since 1970
 * @returns how much there is in it
 * @throws BadDocumentError
 */
export const makeImportedFile = (
  file: string,
  document: WorldDocument,
  given: GivenCredentials | null,
  now: number,
): WorldSummary => {
  const own = given ?? documented;
  importTables(file, document, renaming(renamedIntegrations(document, own)));
  const db = new Database(file, { durability: "off" });
  try {
    db.handle.transaction(() => {
      giveKeys(db, own, document.redacted);
      pauseSubscriptions(db, now);
    })();
    lookAtAll(db);
    db.settle();
    return summaryOf(db, openStores(db));
  } finally {
    db.close();
  }
};
