import { Box, EmptyState, Group, Stack, Text } from "@mantine/core";
import { IconArrowLeft, IconListDetails, IconTerminal2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import type { RequestDetail, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Failing } from "../../components/failing.tsx";
import { HeadersView } from "../../components/headers-view.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { BodyView } from "../../components/json-view.tsx";
import { List } from "../../components/list.tsx";
import { Skeletons } from "../../components/read.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { Time } from "../../components/time.tsx";
import { useRowHeight } from "../../components/window-context.ts";
import { toCurl } from "../../domain/exchange/curl.ts";
import { CallName, useCallerName } from "../../domain/exchange/exchange.tsx";
import { exchangeQuery } from "../../domain/exchange/queries.ts";
import { Touched } from "../../domain/exchange/touched.tsx";
import { traceQuery } from "../../domain/trace/queries.ts";
import { EventsAndDeliveries } from "../../domain/trace/trace-parts.tsx";
import { CallVerdict } from "../../domain/trace/verdict-note.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useSelectedExchange } from "../../kernel/addresses/selected-exchange.ts";
import { recentRequestsQuery } from "../../kernel/queries/world-queries.ts";
import { toggleWire, useUi } from "../../kernel/stores/ui-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatBytes, formatMs, plural } from "../../lib/formatting.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";

/** One exchange: request and response, credentials masked. */
const ExchangePanes = ({ detail, onBack }: { detail: RequestDetail; onBack: () => void }) => {
  const who = useCallerName();
  const outcome =
    (detail.error_code ?? detail.outcome) + (detail.events > 0 ? `, ${plural(detail.events, "event")}` : "");
  const size = `${formatMs(detail.duration_ms)}, ${formatBytes(detail.response_bytes)}`;
  const { data: trace } = useQuery(traceQuery(useWorld(), detail.events > 0 ? detail.trace_id : null));
  return (
    <div className="wire-panes">
      <Stack component="section" className="wire-pane" aria-label="Request">
        <Group className="wire-pane-head">
          <SideGlyph side={detail.side} labelled />
          <Text component="h3" fw={500} c="bright">
            Request
          </Text>
          <Text c="dimmed" truncate title={who(detail)}>
            {who(detail)}, <Time at={detail.at} as="precise" on="real" />
          </Text>
          <Box component="span" flex={1} />
          <LinkButton small look="quiet" icon={IconListDetails} href={hrefs.request(detail.id)} onClick={toggleWire}>
            Open call
          </LinkButton>
          <CopyButton text={toCurl(detail, window.location.origin)} what="the cURL command" label="cURL" />
        </Group>
        <p className="code wrapped">
          <span className="p">{detail.method}</span> {detail.path}
        </p>
        <HeadersView headers={detail.request_headers} label="Request headers" />
        <BodyView text={detail.request_body} label="request" />
      </Stack>
      <Stack component="section" className="wire-pane" aria-label="Response">
        <Group className="wire-pane-head">
          <span className="wire-back">
            <Button small look="quiet" icon={IconArrowLeft} onClick={onBack}>
              Calls
            </Button>
          </span>
          <Text component="h3" fw={500} c="bright">
            Response
          </Text>
          <HttpStatus status={detail.status} />
          <Text c="dimmed" truncate title={size}>
            {size}
          </Text>
          <Box component="span" flex={1} />
          <Touched row={detail} />
          <Text c="secondary" truncate title={outcome}>
            {outcome}
          </Text>
        </Group>
        <CallVerdict row={detail} />
        {trace && trace.events.length > 0 && (
          <Stack gap="xs" px="sm" py={6} bd="1px solid var(--line)" bdrs="sm">
            <EventsAndDeliveries trace={trace} />
          </Stack>
        )}
        <HeadersView headers={detail.response_headers} label="Response headers" />
        <BodyView text={detail.response_body} label="response" />
      </Stack>
    </div>
  );
};

const keyOf = (row: RequestRow) => row.id;

const Exchange = ({ row, who }: { row: RequestRow; who: string }) => (
  <span className="wire-row" title={`${who}: ${row.outcome}`}>
    <span className="li-aside">
      <Time at={row.at} as="clock" on="real" />
    </span>
    <SideGlyph side={row.side} labelled />
    <CallName row={row} />
    <HttpStatus status={row.status} />
    <span className="li-aside">{formatMs(row.duration_ms)}</span>
  </span>
);

/** Recent exchanges, newest first; the one in the panes is marked. */
const ExchangeList = ({ rows, shown }: { rows: readonly RequestRow[]; shown: string | null }) => {
  const who = useCallerName();
  const render = useCallback((row: RequestRow) => <Exchange row={row} who={who(row)} />, [who]);
  const chosen = useSelectedExchange();
  const show = useUi((state) => state.showInWire);
  const choose = useCallback(({ id }: RequestRow) => show(id === chosen ? null : id), [show, chosen]);
  return (
    <div className="wire-exchanges">
      <List
        of={{ items: rows, name: "wire" }}
        label="Last calls"
        what="the calls"
        empty={null}
        keyOf={keyOf}
        onChoose={choose}
        render={render}
        rowHeight={useRowHeight("one")}
        selected={chosen}
        marked={shown}
        primary={false}
      />
    </div>
  );
};

const NotRead = ({ error, onRetry, onFollow }: { error: Error; onRetry: () => void; onFollow: () => void }) =>
  error instanceof ServiceFailure && error.status === 404 ? (
    <EmptyState
      icon={<IconTerminal2 />}
      title="Call not found"
      description="This call was deleted by a reset or by retention, or it belongs to another world."
    >
      <EmptyState.Actions>
        <Button small onClick={onFollow}>
          Show newest
        </Button>
      </EmptyState.Actions>
    </EmptyState>
  ) : (
    <Failing what="the call" error={error} onRetry={onRetry} />
  );

/** Recent exchanges with requests and responses, credentials masked. */
export const WireDrawer = () => {
  const world = useWorld();
  const height = useUi((state) => state.wireHeight);
  const chosen = useSelectedExchange();
  const setChosen = useUi((state) => state.showInWire);
  const box = useRef<HTMLDivElement>(null);
  const { data: recent } = useQuery(recentRequestsQuery(world));
  const rows = recent?.items ?? [];
  // Without a selection the drawer follows the newest exchange.
  const id = chosen ?? rows[0]?.id ?? null;
  const { data, error, refetch } = useQuery({
    ...exchangeQuery(world, id ?? ""),
    enabled: id !== null,
    placeholderData: (previous: RequestDetail | undefined) => previous,
  });
  useEffect(() => {
    // In a narrow window the list and the selected exchange replace each other.
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (!lost) return;
    const to = chosen === null ? ".wire-exchanges [aria-current]" : ".wire-back button";
    const target = box.current?.querySelector<HTMLElement>(to);
    if (target?.checkVisibility()) target.focus();
  }, [chosen]);
  if (recent?.items.length === 0 && chosen === null)
    return (
      <div className="wire-drawer" style={{ height }}>
        <EmptyState
          icon={<IconTerminal2 />}
          title="No calls yet"
          description="Send one from the Console or your own program."
        />
      </div>
    );
  return (
    <div ref={box} className="wire-drawer" style={{ height }}>
      <div className={`wire-inner${chosen === null ? "" : " chosen"}`}>
        <ExchangeList rows={rows} shown={id} />
        {id === null ? (
          <div />
        ) : data ? (
          <ExchangePanes detail={data} onBack={() => setChosen(null)} />
        ) : error ? (
          <NotRead error={error} onRetry={() => void refetch()} onFollow={() => setChosen(null)} />
        ) : (
          <Skeletons what="the call" />
        )}
      </div>
    </div>
  );
};
