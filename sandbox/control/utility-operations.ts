import { tier1List, uploadsList } from "../contract/control/operations.ts";
import { mediaName } from "../rules/media-name.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import { inOrderOf } from "../storage/lists.ts";
import type { UploadRecord } from "../storage/uploads-store.ts";
import type { BoundControl } from "./handler.ts";
import { pagedControl, pageFrom } from "./paging.ts";

const identifiers = inOrderOf("vehicle_identifiers");
const uploads = inOrderOf("uploads");

/** What the utility operations queued and prepared. */
export const utilityControls: readonly BoundControl[] = [
  pagedControl(tier1List, ({ world }, _input, asked) =>
    pageFrom(world, identifiers, {}, asked, (seq) => {
      const row = world.db.get<{ organization_id: string; document: string; queued_at: number }>(
        "SELECT organization_id, document, queued_at FROM vehicle_identifiers WHERE seq = ?",
        seq,
      );
      return (
        row && {
          organization_id: row.organization_id,
          identifier: JSON.parse(row.document) as Record<string, string | null>,
          queued_at: iso(world.db.fromStored(row.queued_at)),
        }
      );
    }),
  ),
  pagedControl(uploadsList, ({ world, info }, { ids }, asked) =>
    pageFrom(world, uploads, { ids }, asked, (seq) => {
      const { db } = world;
      const found = db.get<UploadRecord & { seq: number }>("SELECT * FROM uploads WHERE seq = ?", seq);
      if (!found) return undefined;
      const { seq: _seq, ...row } = found;
      return {
        ...row,
        prepared_at: iso(db.fromStored(row.prepared_at)),
        expires_at: iso(db.fromStored(row.expires_at)),
        uploaded_at: isoOrNull(db.fromStored(row.uploaded_at)),
        public_url: `${info.baseUrl}/__media/${row.id}/${mediaName(row.file_name)}`,
      };
    }),
  ),
];
