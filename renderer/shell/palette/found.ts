import { useDebouncedValue } from "@mantine/hooks";
import {
  IconArrowsExchange,
  IconBuildingStore,
  IconCar,
  IconChecklist,
  IconTerminal2,
  IconUmbrella,
  IconWebhook,
  IconWorldQuestion,
  IconWorldUpload,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { SearchHit } from "../../../sandbox/contract/control/explain-operations.ts";
import { shortId } from "../../../sandbox/contract/text.ts";
import type { IconOf } from "../../components/icon.tsx";
import { declarationsQuery } from "../../domain/exchange/declarations.ts";
import { callName, matchesExchange, useCallerName } from "../../domain/exchange/exchange.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { organizationsQuery, recentRequestsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { callControl } from "../../lib/service-client.ts";
import { namingWorld } from "../../lib/world-address.ts";
import type { Entry, EntryGroup, Go } from "./entry.ts";

interface Kind {
  readonly title: string;
  readonly icon: IconOf;
  readonly lead?: string;
  readonly href: (id: string) => string;
}

const kinds: Readonly<Record<Exclude<SearchHit["kind"], "organization">, Kind>> = {
  job: { title: "Jobs", icon: IconCar, href: hrefs.job },
  procurement: { title: "Orders", icon: IconArrowsExchange, href: hrefs.procurement },
  request: { title: "Calls", icon: IconTerminal2, href: hrefs.request },
  delivery: { title: "Deliveries", icon: IconWebhook, href: hrefs.delivery },
  integration: { title: "Integrations", icon: IconChecklist, lead: "Readiness of ", href: hrefs.integration },
  subscription: { title: "Subscriptions", icon: IconWorldUpload, href: hrefs.subscription },
  stray: { title: "Calls to worlds that don’t exist", icon: IconWorldQuestion, href: hrefs.strays },
  insurer: { title: "Insurers", icon: IconUmbrella, lead: "Jobs of ", href: hrefs.jobsInsuredBy },
};

const MAX_RECENT = 5;

/**
 * Searches the service for a text or an identifier, other worlds too if this one has no match. If no refused call
 * contains it, adds recent calls that match.
 */
export const useFound = (search: string, go: Go) => {
  const world = useWorld();
  const who = useCallerName();
  const typed = search.trim();
  const [wanted] = useDebouncedValue(typed, 120);
  const { data: organizations = [] } = useQuery(organizationsQuery(world));
  // Wait for the operations, which are above these results, so that the results don't move.
  const { isFetched: operationsAreThere } = useQuery(declarationsQuery());
  const { data, error, isFetching } = useQuery({
    // Not under a kind's key, so that changes don't refetch it; each new search asks again.
    queryKey: ["search", world, wanted],
    gcTime: 0,
    enabled: operationsAreThere && wanted.length >= 2 && wanted === typed,
    queryFn: async ({ client, signal }) => {
      const found = await callControl("search.everywhere", { query: wanted, world }, { signal });
      if (found.items.some(({ kind }) => kind === "request")) return found;
      const recent = (await client.ensureQueryData(recentRequestsQuery(world))).items
        .filter((row) => matchesExchange(row, who(row), wanted))
        .slice(0, MAX_RECENT)
        .map((row) => {
          const detail = [row.status, row.label, who(row)].filter(Boolean).join(" · ");
          return { kind: "request", id: row.id, label: callName(row), detail, at: row.at } as const;
        });
      return { ...found, items: [...found.items, ...recent] };
    },
  });
  const kindOf = (hit: SearchHit): Kind => {
    if (hit.kind !== "organization") return kinds[hit.kind];
    const scope = organizations.find(({ id }) => id === hit.id)?.scope ?? null;
    const href = (organization: string) => hrefs.install({ organization, scope });
    return { title: "Organizations", icon: IconBuildingStore, lead: "Install for ", href };
  };
  const entryOf = (hit: SearchHit): Entry => {
    const { id, label, detail, at, reason, world: other } = hit;
    const { icon, lead = "", href } = kindOf(hit);
    const name = label === id ? shortId(id) : label;
    const aside = other === undefined ? detail : [`in ${other}`, detail].filter(Boolean).join(" · ");
    const address = other === undefined ? href(id) : namingWorld(href(id), other);
    return {
      id: `${hit.kind} ${other ?? ""} ${id}`,
      icon,
      label: lead + name,
      aside,
      at,
      reason,
      run: () => go(address),
    };
  };
  const hits = wanted === typed && data ? data.items : [];
  const groups = [...Map.groupBy(hits, (hit) => kindOf(hit).title)].map(
    ([title, ofTitle]): EntryGroup => ({ title, entries: ofTitle.map(entryOf) }),
  );
  const searching = typed.length >= 2 && (isFetching || wanted !== typed);
  return { groups, searching, skippedWorlds: data?.skipped_worlds ?? 0, error: searching ? null : error };
};
