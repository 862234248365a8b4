import { Box, Group } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useMemo } from "react";
import { Icon } from "../../components/icon.tsx";
import { Count, type ListColumn, TableList } from "../../components/list.tsx";
import { PlaceHead } from "../../components/section.tsx";
import { usePageTitle } from "../place/titles.ts";
import { FilterChips, type ListOf, ListSearch, listWords } from "./list-place.tsx";
import styles from "./table-place.module.css";

/** The order of a list, as its address names it. */
interface Ordered {
  readonly sort: string;
  readonly direction: "asc" | "desc";
}

/** Labels of an order's two directions, and the one it starts with. */
export interface SortWords {
  readonly usual: "asc" | "desc";
  readonly asc: string;
  readonly desc: string;
}

/** A column of a table over a whole place; the first names the row. */
export interface TableColumn<Row> extends Omit<ListColumn<Row>, "sorted" | "sorter"> {
  /** The service's name for the order by this column. */
  readonly sort?: string;
}

const ariaSort = { asc: "ascending", desc: "descending" } as const;

/** Converts a column for the table; a sortable one gets a button as its head. */
const headed = <Row,>(
  { sort, ...column }: TableColumn<Row>,
  sorts: Readonly<Record<string, SortWords>>,
  now: Ordered,
  onSort: (next: Ordered) => void,
): ListColumn<Row> => {
  const words = sort === undefined ? undefined : sorts[sort];
  if (sort === undefined || words === undefined) return column;
  const on = now.sort === sort;
  const { direction } = now;
  const next = on ? (direction === "asc" ? "desc" : "asc") : words.usual;
  return {
    ...column,
    sorted: on ? ariaSort[direction] : "none",
    sorter: (
      <button
        type="button"
        className={`${styles.sort} ${on ? styles.on : ""}`}
        title={`${on ? `Sorted ${words[direction]}. ` : ""}Sort ${words[next]}`}
        onClick={() => onSort({ sort, direction: next })}
      >
        {column.head}
        <Icon of={(on ? direction : words.usual) === "asc" ? IconArrowUp : IconArrowDown} size={12} />
      </button>
    ),
  };
};

interface TablePlaceProps<Row, F extends object> extends ListOf<Row, F> {
  readonly columns: readonly TableColumn<Row>[];
  /** Left out: the list has one order. */
  readonly sorts?: Readonly<Record<string, SortWords>>;
  readonly hrefOf: (row: Row) => string;
  /** The row to continue from after closing its detail. */
  readonly from?: string | null;
}

const noSorts = {};

/** A list over a whole place while no item is open; its column heads sort it. */
export const TablePlace = <Row, F extends object>({
  columns,
  sorts = noSorts,
  hrefOf,
  from = null,
  ...list
}: TablePlaceProps<Row, F>) => {
  const { title, state, filters = [], actions } = list;
  const { filter, narrow } = state;
  usePageTitle(title);
  const { found, ...words } = listWords(list);
  const { sort = "", direction = "asc" } = filter as Partial<Ordered>;
  const sortableColumns = useMemo(
    () =>
      columns.map((column) =>
        headed(column, sorts, { sort, direction }, (next) => narrow(next as unknown as Partial<F>)),
      ),
    [columns, sorts, sort, direction, narrow],
  );
  return (
    <div className={`place ${styles.place}`}>
      <PlaceHead
        title={
          <>
            {title}{" "}
            <Box variant="aside" component="span" ml="sm" fw={400} lts="0">
              {list.of.counted && <Count of={list.of.counted} />}
            </Box>
          </>
        }
      >
        <Group gap="xs" className={`${list.search} ${styles.wide}`}>
          <ListSearch {...list} />
        </Group>
        {actions}
      </PlaceHead>
      <div className={styles.says}>
        <FilterChips state={state} filters={filters} />
        {found}
      </div>
      <TableList of={list.of} hrefOf={hrefOf} columns={sortableColumns} from={from} {...words} />
    </div>
  );
};
