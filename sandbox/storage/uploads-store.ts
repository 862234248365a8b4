import type { Database } from "./database.ts";

export interface UploadRecord {
  readonly id: string;
  readonly organization_id: string;
  readonly file_name: string;
  readonly type: string;
  readonly prepared_at: number;
  readonly expires_at: number;
  readonly uploaded_at: number | null;
  readonly content_type: string | null;
  readonly size: number | null;
}

/** Prepared and finished uploads. The content is in files beside the world. */
export class UploadsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  prepare(
    upload: Pick<UploadRecord, "id" | "organization_id" | "file_name" | "type" | "prepared_at" | "expires_at">,
  ): void {
    const [prepared_at, expires_at] = [this.#db.toStored(upload.prepared_at), this.#db.toStored(upload.expires_at)];
    this.#db.insert("uploads", { ...upload, prepared_at, expires_at });
  }

  get(id: string): UploadRecord | undefined {
    const row = this.#db.get<UploadRecord>(
      "SELECT id, organization_id, file_name, type, prepared_at, expires_at, uploaded_at, content_type, size FROM uploads WHERE id = ?",
      id,
    );
    if (!row) return undefined;
    return {
      ...row,
      prepared_at: this.#db.fromStored(row.prepared_at),
      expires_at: this.#db.fromStored(row.expires_at),
      uploaded_at: this.#db.fromStored(row.uploaded_at),
    };
  }

  /** Total size of the uploads. */
  bytes(): number {
    return this.#db.get<{ bytes: number }>("SELECT coalesce(sum(size), 0) AS bytes FROM uploads")?.bytes ?? 0;
  }

  /** Completes an upload. @returns false if it was already complete */
  finish(id: string, at: number, contentType: string, size: number): boolean {
    return (
      this.#db.run(
        "UPDATE uploads SET uploaded_at = ?, content_type = ?, size = ? WHERE id = ? AND uploaded_at IS NULL",
        this.#db.toStored(at),
        contentType,
        size,
        id,
      ).changes > 0
    );
  }
}
