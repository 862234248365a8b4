import type { ProcurementRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { Money } from "../../../components/money.tsx";
import { Plate } from "../../../components/plate.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { nameOf } from "../../../domain/procurement/words.ts";
import { plural } from "../../../lib/formatting.ts";
import { NoKeyMark } from "../list/procurement-row.tsx";
import styles from "./board.module.css";

/** A procurement on the board: what it is for and for how much, and its two sides. */
export const BoardCard = ({ row, arrived }: { row: Row; arrived: boolean }) => (
  <span className={`${styles.card}${arrived ? ` ${styles.arrived}` : ""}`}>
    <span className="li-title">
      <span className="el">{nameOf(row)}</span>
    </span>
    <span className={`${styles.since} t12 t3`}>
      <Time at={row.created_at} />
    </span>
    <span className={`${styles.items} t12 t2`}>
      {row.plate_number && <Plate plate={row.plate_number} />}
      <span className="el">{plural(row.items, "item")}</span>
    </span>
    <span className={`${styles.sum} t12 t2`}>
      <Money amount={row.total} currency={row.currency_code} />
    </span>
    <span className={`${styles.party} ${styles.buys} t12 t2`}>
      <SideGlyph side="repairer" labelled />
      <span className="el" title={row.buyer.name}>
        {row.buyer.name}
      </span>
    </span>
    <span className={`${styles.party} ${styles.sells} t12 t2`}>
      <SideGlyph side="supplier" labelled />
      <span className="el" title={row.supplier.name}>
        {row.supplier.name}
        <NoKeyMark row={row} />
      </span>
    </span>
  </span>
);
