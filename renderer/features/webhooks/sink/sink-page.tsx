import { Stack } from "@mantine/core";
import { IconInbox, IconMailOff } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { Receipt } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { ListPlace, useListFilter } from "../../../app/list-place.tsx";
import { worldKeys } from "../../../app/query-keys.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { BothSides, sinkUrl } from "../../../domain/delivery/subscribing.tsx";
import { bytesFromBase64, textFromBytes } from "../../../lib/bytes.ts";
import { formatCount } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { addresses, type SinkFilter, sinkParams } from "../addresses.ts";
import { Panes } from "../parts.tsx";
import { ReceiptDetail, receiptLines } from "../receipts/receipt.tsx";
import shared from "../webhooks.module.css";
import { openForm } from "../webhooks-store.ts";

/** Whether an entry holds the text in its body, its reason or its kind, in either case. */
const holds = (receipt: Receipt, text: string): boolean =>
  [receipt.event_type, receipt.reason, receipt.message_id, receipt.integration_id].some((field) =>
    field?.toLowerCase().includes(text),
  ) || textFromBytes(bytesFromBase64(receipt.body_base64)).toLowerCase().includes(text);

export const filterSink = (receipts: readonly Receipt[], { outcome, search }: SinkFilter): Receipt[] => {
  const text = search.trim().toLowerCase();
  return receipts.filter(
    (receipt) => (outcome === null || receipt.outcome === outcome) && (text === "" || holds(receipt, text)),
  );
};

/** The sink takes posts of every world and of any program, and those are on no world's feed: it is asked now and then. */
const ASK_AGAIN_MS = 3_000;

/** What the sink accepted and refused, newest first. Among the receivers' keys: a delivery makes those stale. */
const sinkQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).receivers("sink"),
    queryFn: async ({ signal }) => (await callControl("sink.list", { world }, { signal })).items,
    staleTime: 0,
    refetchInterval: ASK_AGAIN_MS,
  });

/** Nothing came yet: because nobody is subscribed to it, or because nothing happened since the service started. */
const NothingArrived = () => (
  <NothingYet
    icon={IconInbox}
    title="Nothing arrived at the test receiver yet"
    actions={
      <>
        <BothSides primary />
        <Button onClick={() => openForm("subscribe")}>Subscribe it for one integration</Button>
      </>
    }
  >
    Subscribe <span className="m11 wrapany">{sinkUrl()}</span> and change a job or an order, or post to it what a
    program of yours sends. Entries are kept until the service stops.
  </NothingYet>
);

/** What it is, while none of its entries is chosen. */
const AboutTheSink = () => (
  <Stack className="grow scroll" gap={10} p="lg" maw="76ch">
    <h2 className="h2">What it does</h2>
    <p>
      It is a correct receiver: it verifies each notification with the secret of the integration the body names,
      remembers every <span className="m11">message_id</span> it accepted, and says why it refuses.{" "}
      <Origin of="contract" /> <Origin of="assumption" id="D78" />
    </p>
    <p className="row row-1">
      <span className="m11 wrapany">POST {sinkUrl()}</span>
      <CopyButton text={sinkUrl()} what="the test receiver’s address" />
    </p>
    <Note>It serves all worlds and lists the newest 200 notifications since the service started.</Note>
    <Note>
      To see a receiver that fails, is slow or forgets, use a{" "}
      <TextLink href={addresses.receivers}>built-in receiver</TextLink>.
    </Note>
  </Stack>
);

const here = { kind: "sink" } as const;

const outcomes = [
  { id: "accepted", name: "Accepted" },
  { id: "repeated", name: "Repeats" },
  { id: "refused", name: "Refused" },
] as const;

/** `/webhooks/sink`: what the test receiver accepted and refused, and why. */
export const SinkPage = ({ selected }: { selected: string | null }) => {
  const sink = useQuery(sinkQuery(useWorld()));
  const state = useListFilter(sinkParams, "sink");
  const { filter, query, clear } = state;
  const items = useMemo(() => filterSink(sink.data ?? [], filter), [sink.data, filter]);
  const hrefOf = useCallback((receipt: Receipt) => addresses.sink(receipt.id) + query, [query]);
  usePageTitle("Test receiver", "Webhooks");
  return (
    <Read of={sink} what="the test receiver" rows={8}>
      {(data) => {
        if (data.length === 0)
          return (
            <div className={shared.first}>
              <NothingArrived />
            </div>
          );
        const receipt = data.find(({ id }) => id === selected);
        return (
          <Panes
            label="Test receiver"
            open={selected}
            list={
              <ListPlace
                of={{ items, name: query, counted: { total: items.length, total_is_minimum: false } }}
                title="Test receiver"
                level="h2"
                label="What arrived at the test receiver"
                nouns={["entry", "entries"]}
                search={["Filter what arrived", "Text in the body, reason, id"]}
                state={state}
                filters={[
                  {
                    ...{ of: "outcome", title: "Outcome", all: "outcomes", open: "Which entries" },
                    said: (name) => `is ${name.toLowerCase()}`,
                    options: outcomes.map(({ id, name }) => ({
                      id,
                      name,
                      count: data.filter((one) => one.outcome === id).length,
                    })),
                  },
                ]}
                empty={null}
                none={
                  <NothingMatches what="Nothing that arrived matches" onClear={clear}>
                    {formatCount(data.length)} arrived in all.
                  </NothingMatches>
                }
                render={receiptLines}
                hrefOf={hrefOf}
                selected={selected}
              />
            }
            detail={
              receipt ? (
                <ReceiptDetail key={receipt.id} receipt={receipt} here={here} />
              ) : selected === null ? (
                <AboutTheSink />
              ) : (
                <NothingYet
                  icon={IconMailOff}
                  title="The test receiver no longer shows this entry"
                  link={[addresses.sink(), "What it shows"]}
                >
                  It shows the newest 200 entries and is cleared when the service stops.
                </NothingYet>
              )
            }
          />
        );
      }}
    </Read>
  );
};
