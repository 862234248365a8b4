import { randomBytes, randomUUID } from "node:crypto";
import type { GivenCredentials } from "../config.ts";
import { fixedClients, fixedCredentials } from "../contract/demo-values.ts";
import { installedKey, keyPrefixes, webhookSecret } from "../secrets/keys.ts";
import type { OwnKeys, WorldKeys } from "../storage/access-store.ts";
import type { Database } from "../storage/database.ts";

type Side = keyof WorldKeys["credentials"];

const DOCUMENTED_KEYS: WorldKeys = { credentials: fixedCredentials, clients: fixedClients };

const random = (): string => randomBytes(32).toString("base64url");
const newCredential = () => ({
  api_key: keyPrefixes.preloaded + random(),
  integration_id: randomUUID(),
  webhook_secret: webhookSecret(randomBytes(32)),
});

export const newOwnKeys = (): OwnKeys => ({
  credentials: { repairer: newCredential(), supplier: newCredential() },
  secrets: { demo: `cs_${random()}`, no_oauth: `cs_${random()}` },
});

/**
 * @param given the service's keys; null for the documented ones. @param own undefined if the world uses the service's
 * keys
 */
export const resolveKeys = (given: GivenCredentials | null, own: OwnKeys | undefined): WorldKeys => {
  const { credentials, clients } = given ?? DOCUMENTED_KEYS;
  if (own === undefined) return { credentials, clients };
  const client = (name: "demo" | "no_oauth") => ({ ...clients[name], client_secret: own.secrets[name] });
  return { credentials: own.credentials, clients: { demo: client("demo"), no_oauth: client("no_oauth") } };
};

/** Tables that reference an integration. Recorded texts keep the old ID. */
const NAMING_INTEGRATIONS = ["credentials", "subscriptions", "receivers", "requests"] as const;
const NAMING_CLIENTS = ["credentials", "access_codes", "clients"] as const;

/**
 * Replaces the keys of a file's pre-loaded credentials and clients.
 *
 * @param renewed whether installed credentials get new keys too
 */
export const replaceKeys = (db: Database, keys: WorldKeys, renewed: boolean): void => {
  const rename = (tables: readonly string[], column: string, from: string, to: string): void => {
    for (const table of tables) db.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, to, from);
  };
  type Kept = {
    readonly seq: number;
    readonly integration_id: string;
    readonly scope: Side;
    readonly preloaded: 0 | 1;
  };
  for (const { seq, integration_id, scope, preloaded } of db.all<Kept>("SELECT * FROM credentials")) {
    if (preloaded === 0 && !renewed) continue;
    const [api_key, webhook_secret] =
      preloaded === 1
        ? [keys.credentials[scope].api_key, keys.credentials[scope].webhook_secret]
        : [installedKey(randomUUID()), webhookSecret(randomBytes(32))];
    db.run("UPDATE credentials SET api_key = ?, webhook_secret = ? WHERE seq = ?", api_key, webhook_secret, seq);
    if (preloaded === 1)
      rename(NAMING_INTEGRATIONS, "integration_id", integration_id, keys.credentials[scope].integration_id);
  }
  for (const [enabled, client] of [keys.clients.no_oauth, keys.clients.demo].entries()) {
    const found = db.get<{ client_id: string }>("SELECT client_id FROM clients WHERE oauth_enabled = ?", enabled);
    if (!found) continue;
    rename(NAMING_CLIENTS, "client_id", found.client_id, client.client_id);
    db.run("UPDATE clients SET client_secret = ? WHERE client_id = ?", client.client_secret, client.client_id);
  }
};

const hasKeys = (db: Database, { credentials, clients }: WorldKeys): boolean =>
  db
    .all<{ scope: Side; api_key: string }>("SELECT scope, api_key FROM credentials WHERE preloaded = 1")
    .every(({ scope, api_key }) => api_key === credentials[scope].api_key) &&
  db
    .all<{ on: 0 | 1; secret: string }>("SELECT oauth_enabled AS 'on', client_secret AS secret FROM clients")
    .every(({ on, secret }) => secret === (on === 1 ? clients.demo : clients.no_oauth).client_secret);

/** Ensures that a world has its own keys, whatever world or snapshot its file was copied from. */
export const ensureKeys = (db: Database, keys: WorldKeys): void => {
  if (!hasKeys(db, keys)) db.handle.transaction(() => replaceKeys(db, keys, true))();
};
