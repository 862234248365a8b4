import { Box, Text } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { changedSomething, isRefused } from "../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../components/http-status.tsx";
import { Icon } from "../../components/icon.tsx";
import { KeyHint } from "../../components/key-hint.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { Time } from "../../components/time.tsx";
import { CallName } from "../../domain/exchange/exchange.tsx";
import { useSelectedExchange } from "../../kernel/addresses/selected-exchange.ts";
import { recentChangesQuery, recentRefusalsQuery, recentRequestsQuery } from "../../kernel/queries/world-queries.ts";
import { followAddress, toggleWire, useUi } from "../../kernel/stores/ui-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatMs, plural, pluralTotal } from "../../lib/formatting.ts";
import { WireDrawer } from "./wire-drawer.tsx";
import { WireHandle } from "./wire-handle.tsx";

const LastExchange = ({ row }: { row: RequestRow }) => (
  <>
    <Text c="dimmed">
      <Time at={row.at} as="clock" on="real" />
    </Text>
    <SideGlyph side={row.side} labelled />
    <CallName row={row} />
    <HttpStatus status={row.status} />
    <span>{formatMs(row.duration_ms)}</span>
    <Text c="dimmed" truncate title={row.error_code ?? row.outcome}>
      {row.error_code ?? row.outcome}
      {row.events > 0 ? `, ${plural(row.events, "event")}` : ""}
    </Text>
  </>
);

/** The last change or refusal by anyone; the last read if there is neither. */
const useLastNoted = (rows: readonly RequestRow[] | undefined): RequestRow | undefined => {
  const world = useWorld();
  const { data: changes } = useQuery(recentChangesQuery(world));
  const { data: refusals } = useQuery(recentRefusalsQuery(world));
  const [change, refusal] = [changes?.items[0], refusals?.items[0]];
  // Recent exchanges are in their exact order; older ones are compared by time.
  const noted = rows?.find((row) => isRefused(row) || changedSomething(row));
  const older = change && refusal && refusal.at > change.at ? refusal : (change ?? refusal);
  return noted ?? older ?? rows?.[0];
};

/** The last exchange, always visible; opened, the last hundred with their bodies. */
export const Wire = () => {
  const wireOpen = useUi((state) => state.wireOpen);
  const { data } = useQuery(recentRequestsQuery(useWorld()));
  const last = useLastNoted(data?.items);
  const chosen = useSelectedExchange();
  // After a link, Back, or in a second window.
  useEffect(() => followAddress(chosen), [chosen]);
  return (
    <section className="wire" aria-label="Wire">
      {wireOpen && <WireHandle />}
      <button type="button" className="hov wirebar" aria-expanded={wireOpen} onClick={toggleWire}>
        <span aria-hidden="true">
          <KeyHint keys="~" />
        </span>
        <Text fw={500} c="bright">
          Wire
        </Text>
        {wireOpen && chosen !== null ? null : last ? (
          <LastExchange row={last} />
        ) : (
          <Text c="dimmed" truncate>
            {data ? "no calls yet" : ""}
          </Text>
        )}
        <Box component="span" flex={1} />
        {data && data.total > 0 && (
          <Text c="dimmed" className="wire-total">
            {pluralTotal(data, "call")}
          </Text>
        )}
        <Icon of={wireOpen ? IconChevronDown : IconChevronUp} size={14} />
      </button>
      {wireOpen && <WireDrawer />}
    </section>
  );
};
