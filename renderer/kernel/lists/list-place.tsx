import { Box, EmptyState, Group, Menu, SegmentedControl, Text } from "@mantine/core";
import { IconFilter, IconFilterFilled } from "@tabler/icons-react";
import { Fragment, type ReactNode, useCallback } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { BackChip } from "../../components/chip.tsx";
import { Count, List, type ListProps } from "../../components/list.tsx";
import { formatCount, formatList, plural, pluralTotal } from "../../lib/formatting.ts";
import { type SearchParams, useDebouncedFilter, useKeptSearchParamsOf } from "../../lib/search-params.ts";
import styles from "./list-place.module.css";
import { SearchField } from "./search-field.tsx";

/** A menu's choice among a few options, or all. */
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

/** An option of a filter. */
export interface ListFilterOption {
  readonly id: string;
  readonly name: string;
  /** The option in the menu, if it is more than the name. */
  readonly shown?: ReactNode;
  /** The selected option's chip, if it is more than the name. */
  readonly chip?: ReactNode;
  readonly count?: number | undefined;
}

/** A filter with a few options; null in the address means all. */
export interface ListFilter<F> {
  readonly of: keyof F & string;
  /** "Site". */
  readonly title: string;
  /** All options: "sites". */
  readonly all: string;
  readonly options: readonly ListFilterOption[];
  /** Icon before the selected name. */
  readonly mark?: ReactNode;
  /** Completes "No job …" for an option: "is at Penrose". */
  readonly phrase: (name: string, id: string) => string;
  /** Label for showing all options in a row instead of in the menu. */
  readonly open?: string;
  /** An extra menu item below the options: "Between…". */
  readonly more?: { readonly label: string; readonly run: () => void };
}

/** A list's filter, from the address or from the last visit. */
export interface ListFilterState<F> {
  readonly filter: F;
  /** The filter for requests: typed text follows after a short delay. */
  readonly debouncedFilter: F;
  readonly narrow: (change: Partial<F>) => void;
  /** Removes the filter and keeps the order. */
  readonly clear: () => void;
  readonly isFiltered: boolean;
  /** The filter as a query: "?state=estimated". */
  readonly query: string;
}

interface FilterWays {
  /** False: changes only an address that already has the filter. */
  readonly isInAddress?: boolean;
  /** Parameters that sort and don't filter. */
  readonly order?: readonly string[];
}

const noOrder: readonly string[] = [];

/** The filter of a list; `name` is its storage name in this window and world. */
export const useListFilter = <F extends object>(
  params: SearchParams<F>,
  name: string,
  { isInAddress = true, order = noOrder }: FilterWays = {},
): ListFilterState<F> => {
  const { values: filter, change: narrow } = useKeptSearchParamsOf(params, name, isInAddress);
  const debouncedFilter = useDebouncedFilter(filter);
  const withoutOrder = (of: F): Partial<F> =>
    Object.fromEntries(Object.entries(of).filter(([key]) => !order.includes(key))) as Partial<F>;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order of a list is declared once
  const clear = useCallback(() => narrow(withoutOrder(params.parse(""))), [narrow, params]);
  return {
    filter,
    debouncedFilter,
    narrow,
    clear,
    isFiltered: params.format("", withoutOrder(debouncedFilter)) !== "",
    query: params.format("", filter),
  };
};

const chosenOf = <F,>(filter: F, { of, title, options }: ListFilter<F>): ListFilterOption | null => {
  const id = filter[of] as string | null;
  if (id === null) return null;
  return options.find((option) => option.id === id) ?? { id, name: `that ${title.toLowerCase()}` };
};

/** Describes an empty result: "No job matches “x”, is estimated and is at Penrose". */
export const emptyResultText = <F extends object>(
  noun: string,
  filter: F,
  filters: readonly ListFilter<F>[],
): string => {
  const search = "search" in filter && typeof filter.search === "string" ? filter.search.trim() : "";
  const parts = filters.flatMap((one) => {
    const chosen = chosenOf(filter, one);
    return chosen ? [one.phrase(chosen.name, chosen.id)] : [];
  });
  return `No ${noun} ${formatList(search === "" ? parts : [`matches “${search}”`, ...parts])}`.trimEnd();
};

interface Narrowing<F> {
  readonly state: ListFilterState<F>;
  readonly filters: readonly ListFilter<F>[];
}

const change = <F,>({ narrow }: ListFilterState<F>, of: keyof F, id: string | null) =>
  narrow({ [of]: id } as unknown as Partial<F>);

/** A menu of filters; its funnel is filled while any is active. */
const FilterMenu = <F,>({ state, filters }: Narrowing<F>) => {
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

/** The filters that show all their options in a row. */
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

/** Chips of the active filters; a click removes one. `children` are further chips. */
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

/** Props that a list and a table share. */
export interface ListOf<Row, F extends object> extends Pick<ListProps<Row>, "of"> {
  readonly title: string;
  /** Accessible name of the rows, if it isn't the title: "Orders". */
  readonly label?: string;
  /** Singular and plural: "job", "jobs". */
  readonly nouns: readonly [one: string, many: string];
  readonly search?: readonly [label: string, placeholder: string, covers?: string];
  readonly state: ListFilterState<F>;
  readonly filters?: readonly ListFilter<F>[];
  /** Enter in the search; defaults to moving to the rows. */
  readonly onEnter?: () => void;
  /** Chips of further filters. */
  readonly chips?: ReactNode;
  readonly actions?: ReactNode;
  /** Shown if there are no items at all. */
  readonly empty: ReactNode;
  /** Replaces the sentence for a filter without results. */
  readonly none?: readonly [title: string, about?: string];
  /** Defaults to the id. */
  readonly keyOf?: (row: Row) => string;
}

/** Texts of a list: its count, and why it is empty. */
export const listWords = <Row, F extends object>({
  nouns: [one, many],
  state,
  filters = [],
  ...list
}: ListOf<Row, F>) => {
  const { isFiltered, debouncedFilter, clear } = state;
  const { counted, items } = list.of;
  const isSearched = "search" in debouncedFilter && debouncedFilter.search !== "";
  const [title, about = isSearched && list.search?.[2]] = list.none ?? [emptyResultText(one, debouncedFilter, filters)];
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

/** The search field of a list with its filter menu. */
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
  /** True if the title shows the count. */
  readonly isCounted?: boolean;
  /** Between the title and the search. */
  readonly above?: ReactNode;
  /** Under the search. */
  readonly children?: ReactNode;
}

/** The list of a place, beside its detail: head, filters, and rows or the empty state. */
export const ListPlace = <Row, F extends object>({
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
          <h1>{title}</h1>
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
