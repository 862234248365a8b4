import { IconKeyOff } from "@tabler/icons-react";
import type { ProcurementRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { Icon } from "../../../components/icon.tsx";
import { ListRow } from "../../../components/list-row.tsx";
import { Money } from "../../../components/money.tsx";
import { Plate } from "../../../components/plate.tsx";
import { Time } from "../../../components/time.tsx";
import { useHasKey } from "../../../domain/credential/keys.ts";
import { cameBy, nameOf } from "../../../domain/procurement/words.ts";
import styles from "./list.module.css";

/** That the sandbox cannot act as this supplier, so that nothing can be confirmed from here; nothing when it can. */
export const NoKeyMark = ({ row }: { row: Row }) =>
  useHasKey()(row) ? null : (
    <span className={styles.noKey} title="You have no key for this supplier">
      <Icon of={IconKeyOff} size={12} />
      <span className="sr">, no key for this supplier</span>
    </span>
  );

/** When it came into the state it is in, by what brought it there; `spoken`: the group's head shows that word already. */
export const Since = ({ row, spoken = false }: { row: Row; spoken?: boolean }) => (
  <>
    <span className={spoken ? "sr" : undefined}>{cameBy[row.status]} </span>
    <Time at={row.updated_at} />
  </>
);

/** A procurement in the list: what it is known by and since when, from whom and for how much. */
export const ProcurementRow = ({ row }: { row: Row }) => (
  <ListRow
    title={
      <>
        <span className="el">{nameOf(row)}</span>
        {row.plate_number && <Plate plate={row.plate_number} />}
      </>
    }
    aside={<Since row={row} spoken />}
    detail={
      <>
        {row.supplier.name}
        <NoKeyMark row={row} />
      </>
    }
    state={<Money amount={row.total} currency={row.currency_code} />}
  />
);
