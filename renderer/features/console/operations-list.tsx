import { Group as Line } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconTerminal } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useLocation } from "wouter";
import { hrefs } from "../../app/places.ts";
import { NothingMatches, NothingYet } from "../../components/empty.tsx";
import { Icon } from "../../components/icon.tsx";
import { List } from "../../components/list.tsx";
import { OperationName } from "../../components/operation.tsx";
import { Origin } from "../../components/origin.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { ListHead } from "../../components/split.tsx";
import { type Declared, declarationsQuery, type Group, groups, matches } from "../../domain/exchange/declarations.ts";
import { plural } from "../../lib/formatting.ts";
import { useRemembered } from "../../lib/remembered.ts";
import { searchParams, text, useKeptSearchParamsOf } from "../../lib/search-params.ts";
import styles from "./console.module.css";
import { ImportButton } from "./import/import-dialog.tsx";
import { ScopeGlyph } from "./scope-glyph.tsx";

const params = searchParams({ search: text });

const groupWords: Readonly<Record<Group, string>> = {
  contract: "Contract",
  extension: "Extensions",
  route: "Sandbox routes",
  control: "Control plane",
};
/** What few come for begins folded. */
const foldable = ["route", "control"] as const satisfies readonly Group[];
type Foldable = (typeof foldable)[number];
const isFoldable = (group: Group): group is Foldable => foldable.some((one) => one === group);

type Row =
  | { readonly kind: "operation"; readonly group: Group; readonly of: Declared }
  | { readonly kind: "fold"; readonly group: Foldable; readonly count: number; readonly open: boolean };

const keyOf = (row: Row): string => (row.kind === "fold" ? `fold ${row.group}` : row.of.id);
const groupOf = ({ group }: Row): string => group;

/** The operations in their groups; of a folded one the way to unfold it. */
export const rowsOf = (all: readonly Declared[], open: ReadonlySet<Group>, isSearched: boolean): readonly Row[] =>
  groups.flatMap((group): Row[] => {
    const own = all.filter((one) => one.group === group);
    const operations = own.map((of): Row => ({ kind: "operation", group, of }));
    if (!isFoldable(group) || isSearched || own.length === 0) return operations;
    const isOpen = open.has(group);
    return [{ kind: "fold", group, count: own.length, open: isOpen }, ...(isOpen ? operations : [])];
  });

const OperationRow = ({ row }: { row: Row }) => {
  if (row.kind === "fold")
    return (
      <Line className="t2" component="span" gap="sm" wrap="nowrap" fw={500} fz={12} lh="16px">
        <Icon of={row.open ? IconChevronDown : IconChevronRight} size={12} />
        {row.open ? "Fold" : "Show"} {plural(row.count, row.group === "route" ? "route" : "operation")}
      </Line>
    );
  const { title, id, scope, summary } = row.of;
  return (
    <span className={styles.operation}>
      <ScopeGlyph scope={scope} />
      <span className={title === id ? `${styles.plain} el` : "w5 el"}>{title}</span>
      {title === id ? (
        <span className="t11 t3 el" title={summary}>
          {summary}
        </span>
      ) : (
        <OperationName name={id} />
      )}
    </span>
  );
};

const Head = ({ group, counts }: { group: string; counts: ReadonlyMap<string, number> }) => {
  const known = groups.find((one) => one === group);
  if (known === undefined) return null;
  return (
    <>
      {groupWords[known]} <span className="n">{counts.get(known)}</span>
      <span className="grow" />
      {known === "contract" ? <Origin of="contract" /> : <Origin of="extension" />}
    </>
  );
};

const parseOpen = (text: string): string => text;

/** Everything that can be called, by its name, its fields or its errors. */
export const OperationsList = ({ selected }: { selected: string | null }) => {
  const query = useQuery(declarationsQuery());
  const { values, change } = useKeptSearchParamsOf(params, "console");
  const search = values.search.trim();
  const [unfolded, setUnfolded] = useRemembered("console.unfolded", "", parseOpen);
  const all = query.data;
  const openGroup = all?.find(({ id }) => id === selected)?.group;
  const open = useMemo(
    () => new Set(foldable.filter((group) => unfolded.split(" ").includes(group) || group === openGroup)),
    [unfolded, openGroup],
  );
  const found = useMemo(() => (all ?? []).filter((one) => search === "" || matches(one, search)), [all, search]);
  const rows = useMemo(() => rowsOf(found, open, search !== ""), [found, open, search]);
  const counts = useMemo(
    () => new Map(groups.map((group) => [group, found.filter((one) => one.group === group).length])),
    [found],
  );
  const beside = params.format("", values);
  const [, navigate] = useLocation();
  const hrefOf = useCallback((row: Row) => (row.kind === "fold" ? null : hrefs.console(row.of.id) + beside), [beside]);
  const toggle = useCallback(
    (row: Row) => {
      if (row.kind === "operation") return;
      setUnfolded(foldable.filter((group) => open.has(group) !== (group === row.group)).join(" "));
    },
    [open, setUnfolded],
  );
  const render = useCallback((row: Row) => <OperationRow row={row} />, []);
  const renderGroup = useCallback((group: string) => <Head group={group} counts={counts} />, [counts]);
  return (
    <>
      <ListHead title="Console" actions={<ImportButton />}>
        <SearchField
          label="Search the operations"
          placeholder="Name, field or error"
          value={values.search}
          onChange={(typed) => change({ search: typed })}
          onEnter={() => {
            const [first] = rows;
            if (search !== "" && first?.kind === "operation") navigate(hrefs.console(first.of.id) + beside);
          }}
        />
      </ListHead>
      <List
        of={{ items: rows, name: `${search} ${[...open]}`, read: query }}
        label="Operations"
        what="the operations"
        empty={
          search === "" ? (
            <NothingYet icon={IconTerminal} title="No operations" />
          ) : (
            <NothingMatches what="No operation matches" onClear={() => change({ search: "" })}>
              Names, what they do, their fields and the codes they are refused with are searched.
            </NothingMatches>
          )
        }
        keyOf={keyOf}
        hrefOf={hrefOf}
        onChoose={toggle}
        render={render}
        rowHeight={36}
        groupOf={groupOf}
        renderGroup={renderGroup}
        selected={selected}
      />
    </>
  );
};
