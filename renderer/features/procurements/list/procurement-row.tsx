import { IconKeyOff } from "@tabler/icons-react";
import type { ProcurementRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { Icon } from "../../../components/icon.tsx";
import { ListRow } from "../../../components/list-row.tsx";
import { Money } from "../../../components/money.tsx";
import { Time } from "../../../components/time.tsx";
import { useHasKey } from "../../../domain/credential/keys.ts";
import { nameOf } from "../../../domain/procurement/words.ts";
import styles from "./list.module.css";

/** That the sandbox cannot act as this supplier, so that nothing can be confirmed from here; nothing when it can. */
export const NoKeyMark = ({ row }: { row: Row }) =>
  useHasKey()(row) ? null : (
    <span className={styles.noKey} title="The sandbox holds no key of this supplier">
      <Icon of={IconKeyOff} size={12} />
      <span className="sr">, no key of this supplier here</span>
    </span>
  );

/** A procurement in the list: what it is known by and since when, from whom and for how much. */
export const ProcurementRow = ({ row }: { row: Row }) => (
  <ListRow
    title={<span className="el">{nameOf(row)}</span>}
    aside={<Time at={row.created_at} />}
    detail={
      <>
        {row.supplier.name}
        <NoKeyMark row={row} />
      </>
    }
    state={<Money amount={row.total} currency={row.currency_code} />}
  />
);
