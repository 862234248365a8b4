import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowsExchange, IconBan, IconCar, IconTerminal2, IconWebhook } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { JobRow, ProcurementRow, RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Plate } from "../../../components/plate.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { callName, matchesExchange, useWho } from "../../../domain/exchange/exchange.tsx";
import { shortened } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { hasPlace, hrefs } from "../../places.ts";
import { worldKeys } from "../../query-keys.ts";
import { useUi } from "../../ui-store.ts";
import { useWorld } from "../../world.ts";
import { recentChangesQuery, recentRefusalsQuery, recentRequestsQuery } from "../../world-queries.ts";
import { useTraceOf } from "../wire/listed.ts";
import { matchesWords, type PaletteEntry } from "./entry.ts";

const MOST_FOUND = 6;
type Go = (href: string) => void;

const nameOf = (name: string | null, id: string) => name ?? (shortened(id) ?? [id, ""]).join("…");

const jobEntry = (job: JobRow, go: Go): PaletteEntry => ({
  id: job.id,
  icon: IconCar,
  label: nameOf(job.job_number ?? job.external_id, job.id),
  aside: (
    <>
      <span className="t12 t3 el">{job.site.name}</span>
      <Plate plate={job.plate_number} state={job.plate_state} />
    </>
  ),
  run: () => go(hrefs.job(job.id)),
});

const procurementEntry = (row: ProcurementRow, go: Go): PaletteEntry => ({
  id: row.id,
  icon: IconArrowsExchange,
  label: nameOf(row.reference, row.id),
  aside: (
    <>
      <span className="t12 t3 el">{row.supplier.name}</span>
      {row.plate_number && <Plate plate={row.plate_number} />}
      <State of={row.status} />
    </>
  ),
  run: () => go(hrefs.procurement(row.id)),
});

/** Jobs and procurements that match, asked of the service; nothing while there is nothing to search for. */
export const useFound = (search: string, go: Go) => {
  const world = useWorld();
  const [typed] = useDebouncedValue(search.trim(), 120);
  const enabled = typed.length >= 2 && search.trim().length >= 2;
  const jobs = useQuery({
    queryKey: worldKeys(world).jobs("palette", typed),
    enabled: enabled && hasPlace("jobs"),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl("jobs.list", { search: typed, limit: MOST_FOUND, world }, { signal }),
  });
  const procurements = useQuery({
    queryKey: worldKeys(world).procurements("palette", typed),
    enabled: enabled && hasPlace("procurements"),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl("procurements.list", { search: typed, limit: MOST_FOUND, world }, { signal }),
  });
  const items = <T,>(page: { readonly items: readonly T[] } | undefined): readonly T[] =>
    enabled && page ? page.items : [];
  return {
    jobs: items(jobs.data).map((job) => jobEntry(job, go)),
    procurements: items(procurements.data).map((row) => procurementEntry(row, go)),
    searching: enabled && (jobs.isFetching || procurements.isFetching || typed !== search.trim()),
  };
};

const MOST_RECENT = 5;

type Who = ReturnType<typeof useWho>;

const exchangeEntry = (row: RequestRow, who: Who, show: (id: string) => void): PaletteEntry => ({
  id: row.id,
  icon: IconTerminal2,
  label: callName(row),
  aside: (
    <>
      <SideGlyph side={row.side} labelled />
      <span className="t12 t3 el">{who(row)}</span>
      <span className="t12 t3">
        <Time at={row.at} as="clock" on="real" />
      </span>
      <HttpStatus status={row.status} />
    </>
  ),
  run: () => show(row.id),
});

/** The last changes, refusals and other exchanges, the newest first and each once. */
const useLastExchanges = (): readonly RequestRow[] => {
  const world = useWorld();
  const { data: recent } = useQuery(recentRequestsQuery(world));
  const { data: changes } = useQuery(recentChangesQuery(world));
  const { data: refusals } = useQuery(recentRefusalsQuery(world));
  const rows = [recent, changes, refusals].flatMap((page) => page?.items ?? []);
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((one, other) => other.at.localeCompare(one.at));
};

/** The last exchanges that match what was typed; they open on the wire. */
export const useRecentRequests = (search: string): PaletteEntry[] => {
  const showInWire = useUi((state) => state.showInWire);
  const rows = useLastExchanges();
  const who = useWho();
  if (search.trim().length < 2) return [];
  return rows
    .filter((row) => matchesExchange(row, who(row), search.trim()))
    .slice(0, MOST_RECENT)
    .map((row) => exchangeEntry(row, who, showInWire));
};

/**
 * What an identifier belongs to that was typed or pasted: its exchange, which opens on the wire; where that is forgotten,
 * its delivery.
 */
export const useById = (
  search: string,
  go: (href: string) => void,
): { readonly entries: readonly PaletteEntry[]; readonly searching: boolean } => {
  const showInWire = useUi((state) => state.showInWire);
  const { trace, searching } = useTraceOf(search);
  const who = useWho();
  if (!trace) return { entries: [], searching };
  if (trace.request) return { entries: [exchangeEntry(trace.request, who, showInWire)], searching };
  const entries = trace.deliveries.slice(0, 1).map(({ id, label, event_type, status }) => ({
    id,
    icon: IconWebhook,
    label,
    aside: (
      <>
        <span className="t12 t3 el">{event_type}</span>
        <State of={status} />
      </>
    ),
    run: () => go(hrefs.delivery(id)),
  }));
  return { entries: hasPlace("webhooks") ? entries : [], searching };
};

const STATUS = /^[45]\d\d$/;

/** The refused calls, all of them or those answered with a status that was typed; on the wire. */
export const useRefusedCalls = (search: string): PaletteEntry[] => {
  const listInWire = useUi((state) => state.listInWire);
  const typed = search.trim();
  const entry = (id: string, label: string, narrowedTo: string): PaletteEntry => ({
    id,
    icon: IconBan,
    label,
    run: () => listInWire("refused", narrowedTo),
  });
  if (STATUS.test(typed)) return [entry("refused-status", `Calls refused with ${typed}`, typed)];
  return typed !== "" && matchesWords("Refused calls errors failed wire", typed)
    ? [entry("refused", "Refused calls", "")]
    : [];
};
