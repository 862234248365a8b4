import { Box, Group, Stack, Text } from "@mantine/core";
import { useCallback } from "react";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { List } from "../../../components/list.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { CallName, useWho } from "../../../domain/exchange/exchange.tsx";
import { handsFocusOn } from "../../../lib/focus.ts";
import { formatCount, formatMs, formatTotal } from "../../../lib/formatting.ts";
import { isId } from "../../../lib/search-params.ts";
import { useRowHeight, useUi } from "../../ui-store.ts";
import { useWireShows } from "../../wire-shows.ts";
import type { Listed } from "./listed.ts";

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

/** The exchange that is shown is none of those listed: it was chosen before they were narrowed, or by a link. */
const NotListed = ({ listed, onFollow }: { listed: number; onFollow: () => void }) => (
  <Group component="p" variant="note" className="hb" flex="none" justify="space-between" mih="var(--row)" px="md">
    <Text truncate>The open call isn’t in this list.</Text>
    {listed > 0 && (
      <Button small look="quiet" onClick={onFollow}>
        Show first
      </Button>
    )}
  </Group>
);

/** The last exchanges, newest first. */
export const ExchangeList = ({ listed, shown }: { listed: Listed /** In the panes. */; shown: string | null }) => {
  const { rows: matching, among, total, searching } = listed;
  const who = useWho();
  const typed = useUi((state) => state.wireTyped);
  const render = useCallback((row: RequestRow) => <Exchange row={row} who={who(row)} />, [who]);
  const chosen = useWireShows();
  const show = useUi((state) => state.showInWire);
  const choose = useCallback(({ id }: RequestRow) => show(id === chosen ? null : id), [show, chosen]);
  return (
    <Stack gap={0} className="wire-exchanges">
      <Box className="hb" flex="none" px="md" py={6}>
        <SearchField
          label="Filter calls"
          placeholder="Operation, status, caller, ID"
          value={typed}
          onChange={(wireTyped) => useUi.setState({ wireTyped })}
          byKey={false}
        />
      </Box>
      {chosen !== null && !searching && !matching.some(({ id }) => id === chosen) && (
        <NotListed listed={matching.length} onFollow={() => show(null)} />
      )}
      <List
        of={{ items: matching, name: typed }}
        label="Last calls"
        what="the calls"
        empty={
          searching ? (
            <Text component="p" variant="note" p="md" role="status">
              Searching
            </Text>
          ) : (
            <Text component="p" variant="note" p="md">
              {isId(typed.trim()) ? "No call has this ID." : `No match in the last ${formatCount(among)} calls.`}{" "}
              <span ref={handsFocusOn}>
                <Button small look="quiet" onClick={() => useUi.setState({ wireTyped: "" })}>
                  Clear filter
                </Button>
              </span>
            </Text>
          )
        }
        keyOf={keyOf}
        onChoose={choose}
        render={render}
        rowHeight={useRowHeight("one")}
        selected={chosen}
        marked={shown}
        primary={false}
      />
      {total && total.total > among && (
        <Text component="p" className="hl" size="xs" c="dimmed" flex="none" px="md" py="xs">
          the last {formatCount(among)} of {formatTotal(total)} calls
        </Text>
      )}
    </Stack>
  );
};
