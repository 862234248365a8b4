import { IconTerminal2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { HttpStatus } from "../../../components/http-status.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { useUi } from "../../ui-store.ts";
import { useWorld } from "../../world.ts";
import { recentRequestsQuery } from "../../world-queries.ts";
import { callName } from "../call-name.ts";
import { matchesExchange } from "../wire/exchange-filter.ts";
import { useWho } from "../wire/who.ts";
import type { PaletteEntry } from "./entry.ts";

const MOST_RECENT = 5;

/** The last exchanges that match what was typed; they open on the wire. */
export const useRecentRequests = (search: string): PaletteEntry[] => {
  const showInWire = useUi((state) => state.showInWire);
  const { data } = useQuery(recentRequestsQuery(useWorld()));
  const who = useWho();
  if (search.trim().length < 2) return [];
  return (data?.items ?? [])
    .filter((row) => matchesExchange(row, who(row), search.trim()))
    .slice(0, MOST_RECENT)
    .map((row) => ({
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
      run: () => showInWire(row.id),
    }));
};
