import { Box, EmptyState, Group, Menu, SegmentedControl, Text } from "@mantine/core";
import { IconFilter, IconFilterFilled } from "@tabler/icons-react";
import { Fragment, type ReactNode, useCallback } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { BackChip } from "../../components/chip.tsx";
import { Count, List, type ListProps } from "../../components/list.tsx";
import { formatCount, formatList, plural, pluralTotal } from "../../lib/formatting.ts";
import { type SearchParams, useAsked, useKeptSearchParamsOf } from "../../lib/search-params.ts";
import styles from "./list-place.module.css";
import { SearchField } from "./search-field.tsx";

/** A choice in a menu among a few things, or any of them. */
const MenuChoice = ({
  title,
  any,
  options,
  value,
  onChange,
}: {
  title: string;
  any: string;
  options: ReadonlyArray<{ readonly id: string; readonly name: ReactNode }>;
  value: string | null;
  onChange: (id: string | null) => void;
}) => (
  <>
    <Menu.Label>{title}</Menu.Label>
    <Menu.RadioGroup aria-label={title} value={value ?? ""} onChange={(next) => onChange(next || null)}>
      <Menu.RadioItem value="" closeMenuOnClick>
        {any}
      </Menu.RadioItem>
      {options.map(({ id, name }) => (
        <Menu.RadioItem key={id} value={id} closeMenuOnClick>
          {name}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  </>
);

/** One thing a list is narrowed to. */
export interface FilterOption {
  readonly id: string;
  readonly name: string;
  /** How it is drawn among the others, where that is more than its name. */
  readonly shown?: ReactNode;
  /** How it is drawn once it is chosen from the menu. */
  readonly chip?: ReactNode;
  readonly count?: number | undefined;
}

/** A way to narrow a list: to one of a few things, or to none of them, which a null in its address says. */
export interface ListFilter<F> {
  readonly of: keyof F & string;
  /** "Site". */
  readonly title: string;
  /** All of them: "sites". */
  readonly all: string;
  readonly options: readonly FilterOption[];
  /** Before the name of what is chosen. */
  readonly mark?: ReactNode;
  /** What is said of what is left, of an option by its name: "is at Penrose". */
  readonly said: (name: string, id: string) => string;
  /** In sight with all its options, under this label, instead of in the menu. */
  readonly open?: string;
  /** What its menu offers beside its options: "Between…". */
  readonly more?: { readonly label: string; readonly run: () => void };
}

/** A list's filter as its address says it, or as it was when the list was left. */
export interface ListFilterState<F> {
  readonly filter: F;
  /** The same as it is asked for: what is typed, a moment later. */
  readonly asked: F;
  readonly narrow: (change: Partial<F>) => void;
  /** Leaves all in sight, in the order they are in. */
  readonly clear: () => void;
  /** Whether any are left out. */
  readonly isFiltered: boolean;
  /** What an address says of it: "?state=estimated". */
  readonly query: string;
}

interface FilterWays {
  /** False: the address says it only where it said it already. */
  readonly isSaid?: boolean;
  /** The names that order the list and leave nothing out. */
  readonly order?: readonly string[];
}

const noOrder: readonly string[] = [];

/** What a list is narrowed to; `name` is what it is kept under in this window and world. */
export const useListFilter = <F extends object>(
  params: SearchParams<F>,
  name: string,
  { isSaid = true, order = noOrder }: FilterWays = {},
): ListFilterState<F> => {
  const { values: filter, change: narrow } = useKeptSearchParamsOf(params, name, isSaid);
  const asked = useAsked(filter);
  const withoutOrder = (of: F): Partial<F> =>
    Object.fromEntries(Object.entries(of).filter(([key]) => !order.includes(key))) as Partial<F>;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what orders a list is declared once
  const clear = useCallback(() => narrow(withoutOrder(params.parse(""))), [narrow, params]);
  return {
    filter,
    asked,
    narrow,
    clear,
    isFiltered: params.format("", withoutOrder(asked)) !== "",
    query: params.format("", filter),
  };
};

const chosenOf = <F,>(filter: F, { of, title, options }: ListFilter<F>): FilterOption | null => {
  const id = filter[of] as string | null;
  if (id === null) return null;
  return options.find((option) => option.id === id) ?? { id, name: `that ${title.toLowerCase()}` };
};

/** What was looked for when there is none of it: "No job matches “x”, is estimated and is at Penrose". */
export const noneWords = <F extends object>(noun: string, filter: F, filters: readonly ListFilter<F>[]): string => {
  const search = "search" in filter && typeof filter.search === "string" ? filter.search.trim() : "";
  const parts = filters.flatMap((one) => {
    const chosen = chosenOf(filter, one);
    return chosen ? [one.said(chosen.name, chosen.id)] : [];
  });
  return `No ${noun} ${formatList(search === "" ? parts : [`matches “${search}”`, ...parts])}`.trimEnd();
};

interface Narrowing<F> {
  readonly state: ListFilterState<F>;
  readonly filters: readonly ListFilter<F>[];
}

const change = <F,>({ narrow }: ListFilterState<F>, of: keyof F, id: string | null) =>
  narrow({ [of]: id } as unknown as Partial<F>);

/** Narrows to one of each, behind a funnel that is full while it does. */
export const FilterMenu = <F,>({ state, filters }: Narrowing<F>) => {
  const inMenu = filters.filter(({ open }) => open === undefined);
  if (inMenu.length === 0) return null;
  return (
    <Menu position="bottom-end" width={248}>
      <Menu.Target>
        <IconButton
          icon={inMenu.some((one) => chosenOf(state.filter, one)) ? IconFilterFilled : IconFilter}
          label={`Filter by ${formatList(inMenu.map(({ title }) => title.toLowerCase()))}`}
        />
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {inMenu.map(({ of, title, all, options, more }, index) => (
          <Fragment key={of}>
            {index > 0 && <Menu.Divider />}
            <MenuChoice
              title={title}
              any={`All ${all}`}
              options={options.map(({ id, name, shown = name }) => ({ id, name: shown }))}
              value={state.filter[of] as string | null}
              onChange={(id) => change(state, of, id)}
            />
            {more && <Menu.Item onClick={more.run}>{more.label}</Menu.Item>}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

/** The filters that are in sight with all their options. */
export const OpenFilters = <F,>({ state, filters }: Narrowing<F>) =>
  filters.map(
    ({ of, open, options }) =>
      open !== undefined && (
        <SegmentedControl
          key={of}
          aria-label={open}
          data={[
            { value: "all", label: "All" },
            ...options.map(({ id, name, shown = name, count }) => ({
              value: id,
              label: (
                <>
                  {shown} {count ? <span className="n">{formatCount(count)}</span> : null}
                </>
              ),
            })),
          ]}
          value={(state.filter[of] as string | null) ?? "all"}
          onChange={(id) => change(state, of, id === "all" ? null : id)}
        />
      ),
  );

/** What the list is narrowed to by the menu, each a click from being taken back; `children` are more of them. */
export const FilterChips = <F,>({ state, filters, children }: Narrowing<F> & { children?: ReactNode }) => {
  const chips = filters.flatMap((one) => {
    const chosen = one.open === undefined ? chosenOf(state.filter, one) : null;
    return chosen ? [{ ...one, chosen }] : [];
  });
  if (chips.length === 0 && !children) return null;
  return (
    <Group gap="xs" wrap="wrap" className={styles.chips}>
      {chips.map(({ of, all, mark, chosen: { name, chip } }) => (
        <BackChip key={of} label={`Show all ${all}, not only ${name}`} onClick={() => change(state, of, null)}>
          {mark}
          {chip ?? <Text truncate>{name}</Text>}
        </BackChip>
      ))}
      {children}
    </Group>
  );
};

/** What a list is, whichever way it is drawn. */
export interface ListOf<Row, F extends object> extends Pick<ListProps<Row>, "of"> {
  readonly title: string;
  /** What its rows are for screen readers, where that is not the title: "Orders". */
  readonly label?: string;
  /** One of its rows, and several: "job", "jobs". */
  readonly nouns: readonly [one: string, many: string];
  readonly search?: readonly [label: string, placeholder: string, covers?: string];
  readonly state: ListFilterState<F>;
  readonly filters?: readonly ListFilter<F>[];
  /** What Enter does in its search, where that is more than to go to the rows. */
  readonly onEnter?: () => void;
  /** More that it is narrowed to, as chips. */
  readonly chips?: ReactNode;
  readonly actions?: ReactNode;
  /** Where there is nothing at all. */
  readonly empty: ReactNode;
  /** In place of the sentence for a filter that leaves nothing. */
  readonly none?: readonly [title: string, about?: string];
  /** What tells one row from another; left out: its id. */
  readonly keyOf?: (row: Row) => string;
}

/** What a list says of itself: how many are found, and why there are none. */
export const listWords = <Row, F extends object>({
  nouns: [one, many],
  state,
  filters = [],
  ...list
}: ListOf<Row, F>) => {
  const { isFiltered, asked, clear } = state;
  const { counted, items } = list.of;
  const isSearched = "search" in asked && asked.search !== "";
  const [title, about = isSearched && list.search?.[2]] = list.none ?? [noneWords(one, asked, filters)];
  const found = counted ? pluralTotal(counted, one, many) : plural(items.length, one, many);
  return {
    label: list.label ?? list.title,
    what: `the ${many}`,
    keyOf: list.keyOf ?? ((row: Row) => (row as { readonly id: string }).id),
    found: (
      <span className="sr" role="status">
        {isFiltered && (counted || list.of.read === undefined) ? `${found} found` : ""}
      </span>
    ),
    empty: isFiltered ? (
      <EmptyState icon={<IconFilter />} title={title} description={about}>
        <EmptyState.Actions>
          <Button small onClick={clear}>
            Clear filter
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    ) : (
      list.empty
    ),
  };
};

/** The search of a list and the menu that narrows it. */
export const ListSearch = <Row, F extends object>({ search, state, filters = [], onEnter }: ListOf<Row, F>) => (
  <>
    {search && "search" in state.filter && (
      <SearchField
        label={search[0]}
        placeholder={search[1]}
        value={String(state.filter.search)}
        {...(onEnter ? { onEnter } : {})}
        onChange={(typed) => state.narrow({ search: typed } as unknown as Partial<F>)}
      />
    )}
    <FilterMenu state={state} filters={filters} />
  </>
);

interface ListPlaceProps<Row, F extends object>
  extends ListOf<Row, F>,
    Omit<ListProps<Row>, "of" | "label" | "what" | "empty" | "keyOf"> {
  readonly level?: "h1" | "h2";
  /** Whether its title says how many there are. */
  readonly isCounted?: boolean;
  /** Between the title and the search. */
  readonly above?: ReactNode;
  /** Under the search. */
  readonly children?: ReactNode;
}

/** The list of a place, beside what is open of it: its head, what narrows it, and its rows or why there are none. */
export const ListPlace = <Row, F extends object>({
  level: Title = "h1",
  isCounted = true,
  above,
  children,
  ...list
}: ListPlaceProps<Row, F>) => {
  const {
    title,
    label: _label,
    search,
    state,
    filters = [],
    chips,
    actions,
    nouns: _nouns,
    none: _none,
    ...rows
  } = list;
  const { found, ...words } = listWords(list);
  const isOpen = filters.some(({ open }) => open !== undefined);
  return (
    <>
      <div className="head">
        <Group>
          <Title>{title}</Title>
          {isCounted && list.of.counted && (
            <Text variant="aside">
              <Count of={list.of.counted} />
            </Text>
          )}
          <Box component="span" flex={1} />
          {actions}
        </Group>
        {above}
        <Group gap="xs" className={styles.search}>
          {search === undefined && <OpenFilters state={state} filters={filters} />}
          <ListSearch {...list} />
        </Group>
        {search !== undefined && isOpen && (
          <div className={styles.open}>
            <OpenFilters state={state} filters={filters} />
          </div>
        )}
        {children}
        <FilterChips state={state} filters={filters}>
          {chips}
        </FilterChips>
        {found}
      </div>
      <List {...rows} {...words} />
    </>
  );
};
