import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowsExchange, IconKeyOff } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { type ProcurementStatus, procurementStatuses } from "../../../sandbox/contract/resources/procurement.ts";
import { hasPlace, hrefs } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { LinkButton } from "../../components/button.tsx";
import { NothingMatches, NothingYet } from "../../components/empty.tsx";
import { Failing } from "../../components/failing.tsx";
import { Icon } from "../../components/icon.tsx";
import { ListRow } from "../../components/list-row.tsx";
import { Loading } from "../../components/loading.tsx";
import { Money } from "../../components/money.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { ListHead } from "../../components/split.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { formatCount, plural } from "../../lib/formatting.ts";
import { useProcurementsUi } from "./procurements-store.ts";
import { procurementCountsQuery, procurementPagesQuery } from "./queries.ts";
import { StateFilterChoice } from "./state-filter.tsx";

type Counts = Record<ProcurementStatus, number>;

// The state is part of the key: a row that changes state leaves its group and comes in at the other one.
const keyOf = (row: ProcurementRow) => `${row.status}:${row.id}`;
const hrefOf = (row: ProcurementRow) => hrefs.procurement(row.id);
const groupOf = (row: ProcurementRow) => row.status;
const nameOf = (row: ProcurementRow) => row.reference ?? row.id.slice(0, 8);

const renderRow = (row: ProcurementRow) => (
  <ListRow
    title={<span className="el">{nameOf(row)}</span>}
    aside={<Time at={row.created_at} />}
    detail={
      <>
        {row.supplier.name}
        {!row.supplier.has_credential && (
          <span className="procurements-nokey" title="The sandbox holds no key of this supplier">
            <Icon of={IconKeyOff} size={12} />
            <span className="sr">, no key of this supplier here</span>
          </span>
        )}
      </>
    }
    state={<Money amount={row.total} currency={row.currency_code} />}
  />
);

const isStatus = (group: string): group is ProcurementStatus => procurementStatuses.some((status) => status === group);

const sumOf = (counts: Counts) => counts.order_requested + counts.order_confirmed + counts.cancelled;

const NoProcurements = () => (
  <NothingYet
    icon={IconArrowsExchange}
    title="No procurements yet"
    actions={
      hasPlace("jobs") && (
        <LinkButton small href="/jobs">
          Open a job
        </LinkButton>
      )
    }
  >
    An order placed from a job’s basket, here or by a partner’s program, shows up at once.
  </NothingYet>
);

/** Every procurement, grouped by state, newest first; live. */
export const ProcurementList = ({ selected }: { selected: string | null }) => {
  const world = useWorld();
  const { search, setSearch, state, setState } = useProcurementsUi();
  const [typed] = useDebouncedValue(search.trim(), 120);
  const counts = useQuery(procurementCountsQuery(world, typed));
  const pages = useInfiniteQuery(procurementPagesQuery(world, typed, state));
  const items = useMemo(() => pages.data?.pages.flatMap((page) => page.items) ?? [], [pages.data]);
  const total = counts.data && (state === null ? sumOf(counts.data) : counts.data[state]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const renderGroup = useCallback(
    (group: string) =>
      isStatus(group) ? (
        <>
          <State of={group} />
          <span className="n">{counts.data ? formatCount(counts.data[group]) : ""}</span>
        </>
      ) : null,
    [counts.data],
  );
  const here = items.find((row) => row.id === selected);
  const clear = () => {
    setSearch("");
    setState(null);
  };

  const body = () => {
    if (pages.isPending) return <Loading what="procurements" rows={8} />;
    if (pages.error && items.length === 0)
      return <Failing what="Procurements" error={pages.error} onRetry={() => void pages.refetch()} />;
    if (items.length === 0) {
      if (typed === "" && state === null) return <NoProcurements />;
      const what = typed === "" ? `No procurement is ${state ?? ""}` : `No procurement matches “${typed}”`;
      return (
        <NothingMatches what={what} onClear={clear}>
          {typed !== "" && "Reference, plate, job number, supplier and id are searched."}
        </NothingMatches>
      );
    }
    return (
      <VirtualList
        label="Procurements"
        items={items}
        keyOf={keyOf}
        hrefOf={hrefOf}
        render={renderRow}
        groupOf={groupOf}
        renderGroup={renderGroup}
        selected={here ? keyOf(here) : null}
        filter={`${typed}|${state ?? ""}`}
        onEndReached={more}
        {...(total === undefined ? {} : { total })}
      />
    );
  };

  return (
    <>
      <ListHead
        title="Procurements"
        {...(counts.data && typed !== "" ? { count: plural(sumOf(counts.data), "match", "matches") } : {})}
      >
        <SearchField
          label="Search procurements"
          placeholder="Reference, plate, supplier"
          value={search}
          onChange={setSearch}
        />
        <StateFilterChoice value={state} counts={counts.data ?? null} onChange={setState} />
      </ListHead>
      <div className="list-body">{body()}</div>
    </>
  );
};
