import { tier1List, uploadsList } from "../contract/control/operations.ts";
import type { Refusal } from "../contract/errors.ts";
import { mediaName } from "../rules/media-name.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import { inOrderOf, type List } from "../storage/lists.ts";
import type { UploadRecord } from "../storage/uploads-store.ts";
import type { World } from "../worlds/world.ts";
import type { BoundControl } from "./handler.ts";
import { type PageFound, pagedControl, pageFrom } from "./paging.ts";

const identifiers = inOrderOf("vehicle_identifiers");
const uploads = inOrderOf("uploads");

/** How many there are, to the last: neither list is searched, and counting its rows is quick. */
const counted = async <Item>(
  { db }: World,
  { name }: List,
  page: Promise<PageFound<Item> | Refusal>,
): Promise<PageFound<Item> | Refusal> => {
  const found = await page;
  if (!("items" in found)) return found;
  const total = db.get<{ n: number }>(`SELECT count(*) AS n FROM ${name}`)?.n ?? 0;
  return { ...found, total, total_is_minimum: false };
};

/** What the utility operations queued and prepared. */
export const utilityControls: readonly BoundControl[] = [
  pagedControl(tier1List, (context, _input, asked) => {
    const { world } = context;
    return counted(
      world,
      identifiers,
      pageFrom(context, identifiers, {}, asked, (seq) => {
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
    );
  }),
  pagedControl(uploadsList, (context, { ids }, asked) => {
    const { world, info } = context;
    return pageFrom(context, uploads, { ids }, asked, (seq) => {
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
    });
  }),
];
