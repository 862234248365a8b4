import { auditList } from "../contract/control/audit-operations.ts";
import { iso } from "../rules/timestamp.ts";
import type { BoundControl } from "./handler.ts";
import { before, pagedControl, pageOf } from "./paging.ts";

/** Who did what. */
export const auditControls: readonly BoundControl[] = [
  pagedControl(auditList, async ({ audit, worldName }, { everywhere = false, kind = null }, asked) => {
    const of = { world: everywhere ? null : worldName, kind };
    const [listed, count] = [await audit.list(of, before(asked), asked.limit + 1), await audit.count(of)];
    return pageOf(listed, asked, count, ({ seq, at, ...row }) => ({
      ...{ id: String(seq), at: iso(at) },
      ...row,
    }));
  }),
];
