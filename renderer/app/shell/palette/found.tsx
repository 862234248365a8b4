import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import {
  IconArrowsExchange,
  IconBuildingStore,
  IconCar,
  IconChecklist,
  IconTerminal2,
  IconUmbrella,
  IconWebhook,
  IconWorldUpload,
} from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import type { SearchHit } from "../../../../sandbox/contract/control/search-operations.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import type { IconOf } from "../../../components/icon.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { callName, matchesExchange, useWho } from "../../../domain/exchange/exchange.tsx";
import { shortened } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { hrefs } from "../../places.ts";
import { worldKeys } from "../../query-keys.ts";
import { useWorld } from "../../world.ts";
import {
  organizationsQuery,
  recentChangesQuery,
  recentRefusalsQuery,
  recentRequestsQuery,
} from "../../world-queries.ts";
import type { Go, PaletteEntry } from "./entry.ts";

/** What the service finds for a text or an identifier; nothing while there is nothing to search for. */
export const useFound = (search: string, go: Go) => {
  const world = useWorld();
  const [typed] = useDebouncedValue(search.trim(), 120);
  const enabled = typed.length >= 2 && search.trim().length >= 2;
  const { data, isFetching } = useQuery({
    queryKey: worldKeys(world).jobs("palette", typed),
    // What is not there may be by the next time somebody asks.
    staleTime: 0,
    enabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl("search.everywhere", { query: typed, world }, { signal }),
  });
  const hits = enabled && data ? data.items : [];
  const { data: organizations = [] } = useQuery(organizationsQuery(world));
  const entries = (kind: SearchHit["kind"], icon: IconOf, show: (id: string) => void, lead = ""): PaletteEntry[] =>
    hits
      .filter((hit) => hit.kind === kind)
      .map(({ id, label, detail }) => ({
        id,
        icon,
        label: lead + (label === id ? (shortened(id) ?? [id, ""]).join("…") : label),
        aside: (
          <Text variant="aside" truncate>
            {detail}
          </Text>
        ),
        run: () => show(id),
      }));
  const installAs = (organization: string) =>
    go(hrefs.install({ organization, scope: organizations.find(({ id }) => id === organization)?.scope ?? null }));
  return {
    jobs: entries("job", IconCar, (id) => go(hrefs.job(id))),
    procurements: entries("procurement", IconArrowsExchange, (id) => go(hrefs.procurement(id))),
    integrations: entries("integration", IconChecklist, (id) => go(hrefs.integration(id)), "Readiness of "),
    subscriptions: entries("subscription", IconWorldUpload, (id) => go(hrefs.subscription(id))),
    organizations: [
      ...entries("organization", IconBuildingStore, installAs, "Install for "),
      ...entries("insurer", IconUmbrella, (id) => go(hrefs.jobsInsuredBy(id)), "Jobs of "),
    ],
    exchanges: entries("request", IconTerminal2, (id) => go(hrefs.request(id))),
    deliveries: entries("delivery", IconWebhook, (id) => go(hrefs.delivery(id))),
    searching: enabled && (isFetching || typed !== search.trim()),
  };
};

const MOST_RECENT = 5;

/** The last changes, refusals and other exchanges, the newest first and each once. */
const useLastExchanges = (): readonly RequestRow[] => {
  const world = useWorld();
  const { data: recent } = useQuery(recentRequestsQuery(world));
  const { data: changes } = useQuery(recentChangesQuery(world));
  const { data: refusals } = useQuery(recentRefusalsQuery(world));
  const rows = [recent, changes, refusals].flatMap((page) => page?.items ?? []);
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((one, other) => other.at.localeCompare(one.at));
};

/** How an identifier begins, which the service looks for. */
const ID = /^[\da-f]{8}-/i;

/** The last exchanges that match what was typed; they open with their explanation. */
export const useRecentRequests = (search: string, go: Go): PaletteEntry[] => {
  const rows = useLastExchanges();
  const who = useWho();
  if (search.trim().length < 2 || ID.test(search.trim())) return [];
  return rows
    .filter((row) => matchesExchange(row, who(row), search.trim()))
    .slice(0, MOST_RECENT)
    .map((row) => ({
      id: row.id,
      icon: IconTerminal2,
      label: callName(row),
      aside: (
        <>
          <SideGlyph side={row.side} labelled />
          <Text variant="aside" truncate>
            {who(row)}
          </Text>
          <Text variant="aside">
            <Time at={row.at} as="clock" on="real" />
          </Text>
          <HttpStatus status={row.status} />
        </>
      ),
      run: () => go(hrefs.request(row.id)),
    }));
};
