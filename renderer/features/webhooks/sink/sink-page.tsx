import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo } from "react";
import { useLocation } from "wouter";
import type { Receipt } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { NothingMatches } from "../../../components/empty.tsx";
import { List } from "../../../components/list.tsx";
import { Read } from "../../../components/read.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { addresses, pageParams, type SinkFilter, usePageParams } from "../addresses.ts";
import { Panes } from "../panes.tsx";
import { keyOfReceipt, ReceiptDetail, ReceiptRow } from "../receipts/receipt.tsx";
import { countsOf, filterSink, type SinkOutcome } from "./sink-filter.ts";
import { sinkQuery } from "./sink-queries.ts";
import { AboutTheSink, Forgotten, NothingArrived } from "./sink-words.tsx";

const render = (receipt: Receipt) => <ReceiptRow receipt={receipt} />;
const here = { kind: "sink" } as const;

const counted = (word: string, count: number): ReactNode => (
  <>
    {word}
    {count > 0 && <span className="n">{formatCount(count)}</span>}
  </>
);

const Entries = ({
  all,
  filter,
  selected,
  onClear,
}: {
  all: readonly Receipt[];
  filter: SinkFilter;
  selected: string | null;
  onClear: () => void;
}) => {
  const items = useMemo(() => filterSink(all, filter), [all, filter]);
  const hrefOf = useCallback(
    (receipt: Receipt) => addresses.sink(receipt.id) + pageParams.format("", filter),
    [filter],
  );
  return (
    <List
      of={{ items, name: pageParams.format("", filter) }}
      label="What arrived at the sink"
      what="the sink"
      empty={
        <NothingMatches what="Nothing in the sink matches" onClear={onClear}>
          {formatCount(all.length)} came in all.
        </NothingMatches>
      }
      keyOf={keyOfReceipt}
      hrefOf={hrefOf}
      render={render}
      selected={selected}
    />
  );
};

/** `/webhooks/sink`: what the reference sink accepted and refused, and why. */
export const SinkPage = ({ selected }: { selected: string | null }) => {
  const sink = useQuery(sinkQuery(useWorld()));
  const { values, change } = usePageParams();
  const { outcome, search } = values;
  const [, navigate] = useLocation();
  const filter = useMemo(() => ({ outcome, search }), [outcome, search]);
  usePageTitle("Sink", "Webhooks");
  return (
    <Read of={sink} what="the sink" rows={8}>
      {(data) => {
        if (data.length === 0)
          return (
            <div className="webhooks-first">
              <NothingArrived />
            </div>
          );
        const counts = countsOf(data);
        const options: ReadonlyArray<{ value: SinkOutcome; label: ReactNode }> = [
          { value: "all", label: "All" },
          { value: "accepted", label: counted("Accepted", counts.accepted) },
          { value: "repeated", label: counted("Repeats", counts.repeated) },
          { value: "refused", label: counted("Refused", counts.refused) },
        ];
        const receipt = data.find(({ id }) => id === selected);
        return (
          <Panes
            label="Reference sink"
            list={
              <>
                <div className="head">
                  <div className="row">
                    <h2 className="h2">Reference sink</h2>
                    <span className="t12 t3">{formatCount(data.length)}</span>
                    <span className="grow" />
                  </div>
                  <SearchField
                    label="Filter the sink"
                    placeholder="Text in the body, reason, id"
                    value={filter.search}
                    onChange={(text) => change({ search: text })}
                  />
                  <Segmented
                    label="Which entries"
                    options={options}
                    value={filter.outcome}
                    onChange={(chosen) => change({ outcome: chosen })}
                  />
                </div>
                <Entries
                  all={data}
                  filter={filter}
                  selected={selected}
                  onClear={() => navigate(addresses.sink(selected))}
                />
              </>
            }
            detail={
              receipt ? (
                <ReceiptDetail key={receipt.id} receipt={receipt} here={here} />
              ) : selected === null ? (
                <AboutTheSink />
              ) : (
                <Forgotten />
              )
            }
          />
        );
      }}
    </Read>
  );
};
