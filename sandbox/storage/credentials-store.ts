import type { Side } from "../contract/control/rows.ts";
import type { Database } from "./database.ts";

export interface ClientRow {
  readonly client_id: string;
  readonly name: string;
  readonly client_secret: string;
  readonly oauth_enabled: boolean;
}

export interface CredentialRow {
  readonly integration_id: string;
  readonly api_key: string;
  readonly webhook_secret: string;
  readonly organization_id: string;
  readonly scope: Side;
  readonly client_id: string | null;
  readonly preloaded: boolean;
  readonly created_at: number;
}

export interface AccessCodeRow {
  readonly code: string;
  readonly client_id: string;
  readonly organization_id: string;
  readonly scope: Side;
  readonly issued_at: number;
  readonly expires_at: number;
  readonly consumed_at: number | null;
}

const CREDENTIAL =
  "SELECT integration_id, api_key, webhook_secret, organization_id, scope, client_id, preloaded, created_at FROM credentials";

export class CredentialsStore {
  readonly #db: Database;
  /** Cache, because every call looks up a credential. Rows of an uncommitted mutation are not cached. */
  readonly #known = new Map<string, CredentialRow>();

  readonly #inserted: (row: CredentialRow) => void;

  /** @param inserted called for each new credential, before its commit */
  constructor(db: Database, inserted: (row: CredentialRow) => void = () => undefined) {
    this.#db = db;
    this.#inserted = inserted;
  }

  #credential(row: CredentialRow): CredentialRow {
    return { ...row, preloaded: Boolean(row.preloaded), created_at: this.#db.fromStored(row.created_at) };
  }

  clients(): ClientRow[] {
    return this.#db
      .all<ClientRow>("SELECT client_id, name, client_secret, oauth_enabled FROM clients ORDER BY seq")
      .map((row) => ({ ...row, oauth_enabled: Boolean(row.oauth_enabled) }));
  }

  client(clientId: string): ClientRow | undefined {
    return this.clients().find(({ client_id }) => client_id === clientId);
  }

  findByIntegration(integrationId: string): CredentialRow | undefined {
    const known = this.#known.get(integrationId);
    if (known) return known;
    const row = this.#db.get<CredentialRow>(`${CREDENTIAL} WHERE integration_id = ?`, integrationId);
    if (!row) return undefined;
    const credential = this.#credential(row);
    if (!this.#db.handle.inTransaction) this.#known.set(integrationId, credential);
    return credential;
  }

  findByKey(key: string): CredentialRow | undefined {
    const row = this.#db.get<CredentialRow>(`${CREDENTIAL} WHERE api_key = ?`, key);
    return row && this.#credential(row);
  }

  /** Oldest credential of an organization with this scope. */
  findByOrganization(organizationId: string, scope: Side): CredentialRow | undefined {
    const sql = `${CREDENTIAL} WHERE organization_id = ? AND scope = ? ORDER BY seq LIMIT 1`;
    const row = this.#db.get<CredentialRow>(sql, organizationId, scope);
    return row && this.#credential(row);
  }

  /** Newest first. @param limit all credentials by default */
  list(limit = -1): CredentialRow[] {
    return this.#db
      .all<CredentialRow>(`${CREDENTIAL} ORDER BY seq DESC LIMIT ?`, limit)
      .map((row) => this.#credential(row));
  }

  insert(row: CredentialRow): void {
    this.#inserted(row);
    this.#db.insert("credentials", { ...row, created_at: this.#db.toStored(row.created_at) });
  }

  issueCode(row: Omit<AccessCodeRow, "consumed_at">): void {
    const [issued_at, expires_at] = [this.#db.toStored(row.issued_at), this.#db.toStored(row.expires_at)];
    this.#db.insert("access_codes", { ...row, issued_at, expires_at });
  }

  /** Expiry times of an organization's usable codes, earliest first. */
  unusedCodes(organizationId: string, now: number): number[] {
    return this.#db
      .all<{ at: number }>(
        "SELECT expires_at AS at FROM access_codes WHERE consumed_at IS NULL AND expires_at >= ? AND organization_id = ? ORDER BY expires_at",
        this.#db.toStored(now),
        organizationId,
      )
      .map(({ at }) => this.#db.fromStored(at));
  }

  /** Deletes codes that expired unused. The newest `kept` stay, so that a refusal can say that the code expired. */
  deleteExpiredCodes(now: number, keptCount: number): void {
    this.#db.run(
      "DELETE FROM access_codes WHERE code IN " +
        "(SELECT code FROM access_codes WHERE consumed_at IS NULL AND expires_at < ? ORDER BY expires_at DESC LIMIT -1 OFFSET ?)",
      this.#db.toStored(now),
      keptCount,
    );
  }

  /** The newest 200 codes. */
  codes(): string[] {
    return this.#db
      .all<{ code: string }>("SELECT code FROM access_codes ORDER BY issued_at DESC LIMIT 200")
      .map(({ code }) => code);
  }

  code(code: string): AccessCodeRow | undefined {
    const row = this.#db.get<AccessCodeRow>(
      "SELECT code, client_id, organization_id, scope, issued_at, expires_at, consumed_at FROM access_codes WHERE code = ?",
      code,
    );
    if (!row) return undefined;
    return {
      ...row,
      issued_at: this.#db.fromStored(row.issued_at),
      expires_at: this.#db.fromStored(row.expires_at),
      consumed_at: this.#db.fromStored(row.consumed_at),
    };
  }

  consumeCode(code: string, at: number): void {
    this.#db.run("UPDATE access_codes SET consumed_at = ? WHERE code = ?", this.#db.toStored(at), code);
  }
}
