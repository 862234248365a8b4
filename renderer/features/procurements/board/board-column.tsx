import { Box, Group, Stack, Text } from "@mantine/core";
import { useId } from "react";
import type { ProcurementRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import { List } from "../../../components/list.tsx";
import { State, stateTone } from "../../../components/state.tsx";
import { orderFields } from "../../../domain/procurement/order-fields.tsx";
import { orderName, statusLabels } from "../../../domain/procurement/words.ts";
import type { LiveList } from "../../../kernel/lists/live-list.ts";
import { formatTotal } from "../../../lib/formatting.ts";
import { useAddress } from "../address.ts";
import { NoKeyMark, Since } from "../list.tsx";
import styles from "./board.module.css";

/** A card: label, total, and both sides. */
const renderCard = (row: Row) => (
  <>
    <span className="li-line">
      <span className="li-title">
        <span className="cut">{orderName(row)}</span>
      </span>
      <span className="li-aside">
        <Since row={row} />
      </span>
    </span>
    <span className="li-line" data-variant="note">
      <span className="li-group">
        {orderFields.plate.shown(row)}
        {orderFields.items.shown(row)}
      </span>
      {orderFields.total.shown(row)}
    </span>
    <span className="li-line" data-variant="note">
      {orderFields.buyer.shown(row)}
    </span>
    <span className="li-line" data-variant="note">
      {orderFields.supplier.shown(row)}
      <NoKeyMark row={row} />
    </span>
  </>
);

const CARD_HEIGHT = 100;
const rowKey = (row: Row) => row.id;

interface Props {
  readonly status: ProcurementStatus;
  readonly procurements: LiveList<Row>;
  /** True if arrow keys outside of a list move in this column. */
  readonly current: boolean;
  readonly onCurrent: () => void;
}

/** One state of the board: its orders, newest first. */
export const BoardColumn = ({ status, procurements, current, onCurrent }: Props) => {
  const {
    state: { debouncedFilter },
    hrefOf,
  } = useAddress();
  const isNarrowed =
    debouncedFilter.search !== "" || debouncedFilter.site !== null || debouncedFilter.supplier !== null;
  const title = useId();
  const { counted: count } = procurements;
  return (
    <Stack
      component="section"
      gap={0}
      className={styles.column}
      aria-labelledby={title}
      data-status={status}
      onFocus={onCurrent}
    >
      <Group component="header" className={`${styles.columnHead} ${stateTone(status)}`}>
        <Group id={title} component="h2" style={{ whiteSpace: "nowrap" }}>
          <State of={status} /> <Text variant="aside">{count === undefined ? "" : formatTotal(count)}</Text>
        </Group>
      </Group>
      <List
        of={procurements}
        label={status}
        what={`the ${statusLabels[status]} orders`}
        empty={
          <Box variant="aside" component="p" py="sm" px="lg">
            {isNarrowed ? `No matching orders are ${statusLabels[status]}` : `No ${statusLabels[status]} orders`}
          </Box>
        }
        keyOf={rowKey}
        hrefOf={hrefOf}
        render={renderCard}
        rowHeight={CARD_HEIGHT}
        primary={current}
      />
    </Stack>
  );
};
