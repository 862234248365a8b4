import { useCallback } from "react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../components/http-status.tsx";
import { List } from "../../components/list.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { Time } from "../../components/time.tsx";
import { useRowHeight } from "../../components/window-context.ts";
import { CallName, useCallerName } from "../../domain/exchange/exchange.tsx";
import { useWireShows } from "../../kernel/addresses/wire-shows.ts";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { formatMs } from "../../lib/formatting.ts";

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
export const ExchangeList = ({ rows, shown }: { rows: readonly RequestRow[]; shown: string | null }) => {
  const who = useCallerName();
  const render = useCallback((row: RequestRow) => <Exchange row={row} who={who(row)} />, [who]);
  const chosen = useWireShows();
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
