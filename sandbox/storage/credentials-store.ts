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

/** Clients, credentials and access codes. */
export class CredentialsStore {
  readonly #db: Database;
  /** Every call looks one up; what a mutation that may still be undone has written is not remembered. */
  readonly #known = new Map<string, CredentialRow>();

  readonly #inserted: (row: CredentialRow) => void;

  /** @param inserted called when there is another credential, which is not committed yet */
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
    const row = this.#db.get<ClientRow>(
      "SELECT client_id, name, client_secret, oauth_enabled FROM clients WHERE client_id = ?",
      clientId,
    );
    return row && { ...row, oauth_enabled: Boolean(row.oauth_enabled) };
  }

  byIntegration(integrationId: string): CredentialRow | undefined {
    const known = this.#known.get(integrationId);
    if (known) return known;
    const row = this.#db.get<CredentialRow>(`${CREDENTIAL} WHERE integration_id = ?`, integrationId);
    if (!row) return undefined;
    const credential = this.#credential(row);
    if (!this.#db.handle.inTransaction) this.#known.set(integrationId, credential);
    return credential;
  }

  /** Newest first. */
  list(): CredentialRow[] {
    return this.#db.all<CredentialRow>(`${CREDENTIAL} ORDER BY seq DESC`).map((row) => this.#credential(row));
  }

  /** So many, newest first. */
  newest(limit: number): CredentialRow[] {
    return this.#db
      .all<CredentialRow>(`${CREDENTIAL} ORDER BY seq DESC LIMIT ?`, limit)
      .map((row) => this.#credential(row));
  }

  insert(row: CredentialRow): void {
    this.#inserted(row);
    this.#db.run(
      "INSERT INTO credentials (integration_id, api_key, webhook_secret, organization_id, scope, client_id, preloaded, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      row.integration_id,
      row.api_key,
      row.webhook_secret,
      row.organization_id,
      row.scope,
      row.client_id,
      Number(row.preloaded),
      this.#db.toStored(row.created_at),
    );
  }

  issueCode(row: AccessCodeRow): void {
    this.#db.run(
      "INSERT INTO access_codes (code, client_id, organization_id, scope, issued_at, expires_at, consumed_at) VALUES (?, ?, ?, ?, ?, ?, NULL)",
      row.code,
      row.client_id,
      row.organization_id,
      row.scope,
      this.#db.toStored(row.issued_at),
      this.#db.toStored(row.expires_at),
    );
  }

  /** When the codes of an organization that can still be used expire, the next first. */
  unusedCodes(organizationId: string, now: number): number[] {
    return this.#db
      .all<{ at: number }>(
        "SELECT expires_at AS at FROM access_codes WHERE consumed_at IS NULL AND expires_at >= ? AND organization_id = ? ORDER BY expires_at",
        this.#db.toStored(now),
        organizationId,
      )
      .map(({ at }) => this.toMs(at));
  }

  /** Deletes the codes that expired unused, but the newest: those are kept so that a refusal can say that they expired. */
  deleteExpiredCodes(now: number, kept: number): void {
    this.#db.run(
      "DELETE FROM access_codes WHERE code IN " +
        "(SELECT code FROM access_codes WHERE consumed_at IS NULL AND expires_at < ? ORDER BY expires_at DESC LIMIT -1 OFFSET ?)",
      this.#db.toStored(now),
      kept,
    );
  }

  code(code: string): AccessCodeRow | undefined {
    const row = this.#db.get<AccessCodeRow>(
      "SELECT code, client_id, organization_id, scope, issued_at, expires_at, consumed_at FROM access_codes WHERE code = ?",
      code,
    );
    if (!row) return undefined;
    const { toMs } = this;
    return {
      ...row,
      issued_at: toMs(row.issued_at),
      expires_at: toMs(row.expires_at),
      consumed_at: row.consumed_at === null ? null : toMs(row.consumed_at),
    };
  }

  readonly toMs = (stored: number): number => this.#db.fromStored(stored);

  consumeCode(code: string, at: number): void {
    this.#db.run("UPDATE access_codes SET consumed_at = ? WHERE code = ?", this.#db.toStored(at), code);
  }
}
