import { Box, Group, Menu } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconColumns3 } from "@tabler/icons-react";
import { useMemo } from "react";
import { IconButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { Count, type ListColumn, TableList } from "../components/list.tsx";
import { PlaceHead } from "../components/section.tsx";
import { useRemembered } from "../lib/remembered.ts";
import list from "./list-place.module.css";
import { FilterChips, type ListOf, ListSearch, listWords } from "./list-place.tsx";
import styles from "./table-place.module.css";
import { usePageTitle } from "./titles.ts";

/** What a list is ordered by, as its address says it. */
interface Ordered {
  readonly sort: string;
  readonly direction: "asc" | "desc";
}

/** An order of a list: which direction it begins with, and what its two are called. */
export interface SortWords {
  readonly usual: "asc" | "desc";
  readonly asc: string;
  readonly desc: string;
}

/** A column of a table over a whole place; the first is always there, and names the row. */
export interface TableColumn<Row> extends Omit<ListColumn<Row>, "sorted" | "head"> {
  readonly head: string;
  /** Whether it is shown until the person chooses others. */
  readonly usual?: boolean;
  /** By which order the service can sort it. */
  readonly sort?: string;
}

const ariaSort = { asc: "ascending", desc: "descending" } as const;

/** A column as the table has it: the head of one that the service sorts by is a button. */
const headed = <Row,>(
  { sort, head, ...column }: TableColumn<Row>,
  sorts: Readonly<Record<string, SortWords>>,
  now: Ordered,
  onSort: (next: Ordered) => void,
): ListColumn<Row> => {
  const words = sort === undefined ? undefined : sorts[sort];
  if (sort === undefined || words === undefined) return { ...column, head };
  const on = now.sort === sort;
  const { direction } = now;
  const next = on ? (direction === "asc" ? "desc" : "asc") : words.usual;
  return {
    ...column,
    sorted: on ? ariaSort[direction] : "none",
    head: (
      <button
        type="button"
        className={`${styles.sort} ${on ? styles.on : ""}`}
        title={`${on ? `Sorted ${words[direction]}. ` : ""}Sort ${words[next]}`}
        onClick={() => onSort({ sort, direction: next })}
      >
        {head}
        <Icon of={(on ? direction : words.usual) === "asc" ? IconArrowUp : IconArrowDown} size={12} />
      </button>
    ),
  };
};

/** The columns that were remembered, one word each; null when there is a word among them that names none. */
export const columnsIn = (text: string, names: readonly string[]): readonly string[] | null => {
  const words = text.split(",").filter((word) => word !== "");
  const known = names.filter((name) => words.includes(name));
  return known.length === words.length ? known : null;
};

interface ColumnMenuProps {
  readonly columns: readonly Pick<TableColumn<never>, "name" | "head">[];
  readonly shown: readonly string[];
  readonly usual: readonly string[];
  readonly onShow: (shown: readonly string[]) => void;
}

/** Which columns the table has; it stays open, so that several can be chosen. */
const ColumnMenu = ({ columns, shown, usual, onShow }: ColumnMenuProps) => (
  <Menu position="bottom-end" width={196} closeOnItemClick={false}>
    <Menu.Target>
      <IconButton icon={IconColumns3} label="Columns" />
    </Menu.Target>
    <Menu.Dropdown className={list.menu}>
      <Menu.Label>Columns</Menu.Label>
      {columns.map(({ name, head }) => {
        const on = shown.includes(name);
        return (
          <Menu.CheckboxItem
            key={name}
            checked={on}
            onChange={() => onShow(on ? shown.filter((one) => one !== name) : [...shown, name])}
          >
            {head}
          </Menu.CheckboxItem>
        );
      })}
      <Menu.Divider />
      <Menu.Item onClick={() => onShow(usual)}>Reset to default</Menu.Item>
    </Menu.Dropdown>
  </Menu>
);

interface TablePlaceProps<Row, F extends Ordered> extends ListOf<Row, F> {
  readonly columns: readonly TableColumn<Row>[];
  readonly sorts: Readonly<Record<string, SortWords>>;
  readonly hrefOf: (row: Row) => string;
  /** The row one comes back from: keys go on from it. */
  readonly from: string | null;
}

/** A list over a whole place, while none of it is open: with the columns that were chosen, sorted by their heads. */
export const TablePlace = <Row, F extends Ordered>({
  columns,
  sorts,
  hrefOf,
  from,
  ...list
}: TablePlaceProps<Row, F>) => {
  const { title, state, filters = [], actions } = list;
  const { filter, narrow } = state;
  usePageTitle(title);
  const { found, ...words } = listWords(list);
  const [first, ...others] = columns;
  const usual = others.filter((column) => column.usual).map(({ name }) => name);
  const [shown, show] = useRemembered(`${title.toLowerCase()}.columns`, usual, (text) =>
    columnsIn(
      text,
      others.map(({ name }) => name),
    ),
  );
  const { sort, direction } = filter;
  const drawn = useMemo(
    () =>
      columns
        .filter((column) => column === first || shown.includes(column.name))
        .map((column) => headed(column, sorts, { sort, direction }, (next) => narrow(next as Partial<F>))),
    [columns, first, shown, sorts, sort, direction, narrow],
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
          <ColumnMenu columns={others} shown={shown} usual={usual} onShow={show} />
        </Group>
        {actions}
      </PlaceHead>
      <div className={styles.says}>
        <FilterChips state={state} filters={filters} />
        {found}
      </div>
      <TableList of={list.of} hrefOf={hrefOf} columns={drawn} from={from} {...words} />
    </div>
  );
};
