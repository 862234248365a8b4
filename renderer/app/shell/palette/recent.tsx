import { IconBan, IconTerminal2, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { hasPlace, hrefs } from "../../places.ts";
import { useUi } from "../../ui-store.ts";
import { useWorld } from "../../world.ts";
import { recentChangesQuery, recentRefusalsQuery, recentRequestsQuery } from "../../world-queries.ts";
import { callName } from "../call-name.tsx";
import { matchesExchange } from "../wire/exchange-filter.ts";
import { useTraceOf } from "../wire/traced.ts";
import { useWho } from "../wire/who.ts";
import type { PaletteEntry } from "./entry.ts";
import { matchesWords } from "./palette-words.ts";

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
