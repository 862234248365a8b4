import { EmptyState } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { KeyHint } from "../../components/key-hint.tsx";
import { TextLink } from "../../components/link.tsx";
import { Section } from "../../components/section.tsx";
import { ShortTable } from "../../components/short-table.tsx";
import { callColumns } from "../../domain/exchange/fields.tsx";
import { requestParams } from "../../domain/exchange/filter.ts";
import { callTitle } from "../../domain/exchange/operation-words.ts";
import { exchangeQuery } from "../../domain/exchange/queries.ts";
import { explanationQuery, traceQuery } from "../../domain/trace/queries.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { pagesOf } from "../../kernel/lists/live-list.ts";
import { ListBesideDetail } from "../../kernel/place/list-beside-detail.tsx";
import { credentialsQuery, recentRefusalsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { readInitialFilter } from "../../lib/search-params.ts";
import { parseTab, useRequestPageParams } from "./addresses.ts";
import { RequestDetail } from "./detail/request-detail.tsx";
import styles from "./list/list.module.css";
import { RequestsList } from "./list/requests-list.tsx";
import { aroundQuery, requestList } from "./queries.ts";

const refusalColumns = callColumns({
  ...{ head: "Operation", width: 256 },
  cell: (row) => <TextLink href={hrefs.request(row.id)}>{callTitle(row)}</TextLink>,
});

/** Without an open call: the latest refusals, which most people look for. */
const RecentRefusals = () => {
  const { data } = useQuery(recentRefusalsQuery(useWorld()));
  const [, navigate] = useLocation();
  if (!data || data.items.length === 0)
    return (
      <EmptyState icon={<IconListDetails />} title="Select a call">
        <EmptyState.Description>
          See its response, the reason and what followed. Press <KeyHint keys="j" /> and <KeyHint keys="k" /> to move
          through the list.
        </EmptyState.Description>
      </EmptyState>
    );
  return (
    <div className="scroll">
      <Section title="Recent refusals" note="Select a call to see the reason and what followed" ruled={false}>
        <div className={styles.refusals}>
          <ShortTable
            label="Recent refusals"
            least={560}
            columns={refusalColumns}
            rows={data.items}
            keyOf={({ id }) => id}
            onOpen={(row) => navigate(hrefs.request(row.id))}
          />
        </div>
      </Section>
    </div>
  );
};

/** The place Requests: every call to the world, and one with its cause and consequences. */
export const Place = ({ id, tab }: PlaceProps) => {
  const { with: other } = useRequestPageParams();
  const shown = parseTab(tab);
  const comparing = id !== undefined && shown === "compare" ? id : null;
  return (
    <ListBesideDetail
      name="requests"
      label="Requests"
      initial={368}
      least={300}
      list={<RequestsList selected={id ?? null} comparing={comparing !== null && other === null ? comparing : null} />}
      detail={id === undefined ? <RecentRefusals /> : <RequestDetail key={id} id={id} tab={shown} />}
    />
  );
};

/** Loads a call's page: the cause above, the consequences beside it. */
const readCall = async (client: QueryClient, world: string, id: string) => {
  const explained = client.prefetchQuery(explanationQuery(world, id));
  const call = await client.ensureQueryData(exchangeQuery(world, id)).catch(() => null);
  await Promise.all([
    explained,
    call && client.prefetchQuery(traceQuery(world, call.trace_id)),
    call && client.prefetchQuery(aroundQuery(world, call)),
  ]);
};

/** Loads the list and the open call before the page is drawn. */
export const prefetch = (client: QueryClient, world: string, { id }: PlaceProps) => [
  client.prefetchInfiniteQuery(pagesOf(requestList(world, readInitialFilter(requestParams, "requests")))),
  client.prefetchQuery(credentialsQuery(world)),
  ...(id === undefined ? [client.prefetchQuery(recentRefusalsQuery(world))] : [readCall(client, world, id)]),
];
