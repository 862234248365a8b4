import { tier1List, uploadsList } from "../contract/control/operations.ts";
import { mediaName } from "../rules/media-name.ts";
import type { UploadRecord } from "../storage/uploads-store.ts";
import { type BoundControl, control, iso } from "./handler.ts";
import { Conditions, encodeCursor, olderThan, pageOf } from "./paging.ts";

const LIMIT = 100;

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** What the utility operations queued and prepared. */
export const utilityControls: readonly BoundControl[] = [
  control(tier1List, ({ world: { db } }, { cursor, limit = LIMIT }) => {
    type Stored = { seq: number; organization_id: string; document: string; queued_at: number };
    const page = olderThan(new Conditions(), cursor, "seq", "seq");
    const found = db.all<Stored>(
      `SELECT seq, organization_id, document, queued_at FROM vehicle_identifiers${page.where} ORDER BY seq DESC LIMIT ?`,
      ...page.values,
      limit + 1,
    );
    const { rows, last } = pageOf(found, limit);
    return {
      items: rows.map(({ organization_id, document, queued_at }) => ({
        organization_id,
        identifier: JSON.parse(document) as Record<string, string | null>,
        queued_at: iso(db.fromStored(queued_at)),
      })),
      next_cursor: last ? encodeCursor(last.seq, last.seq) : null,
      total: new Conditions().count(db, "vehicle_identifiers"),
    };
  }),
  control(uploadsList, ({ world: { db }, info }, { cursor, limit = LIMIT }) => {
    const page = olderThan(new Conditions(), cursor, "seq", "seq");
    const found = db.all<UploadRecord & { seq: number }>(
      `SELECT * FROM uploads${page.where} ORDER BY seq DESC LIMIT ?`,
      ...page.values,
      limit + 1,
    );
    const { rows, last } = pageOf(found, limit);
    return {
      items: rows.map(({ seq: _seq, ...row }) => ({
        ...row,
        prepared_at: iso(db.fromStored(row.prepared_at)),
        expires_at: iso(db.fromStored(row.expires_at)),
        uploaded_at: isoOrNull(db.fromStored(row.uploaded_at)),
        public_url: `${info.baseUrl}/__media/${row.id}/${mediaName(row.file_name)}`,
      })),
      next_cursor: last ? encodeCursor(last.seq, last.seq) : null,
      total: new Conditions().count(db, "uploads"),
    };
  }),
];
