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
  <span className="wire-row" title={row.outcome}>
    <span className="t12 t3">
      <Time at={row.at} as="clock" on="real" />
    </span>
    <span className="row wire-who t12 t2">
      <SideGlyph side={row.side} labelled />
      <span className="el">{who}</span>
    </span>
    <CallName row={row} />
    <HttpStatus status={row.status} />
    <span className="t12 t3 r">{formatMs(row.duration_ms)}</span>
  </span>
);

/** The exchange that is shown is none of those listed: it was chosen before they were narrowed, or by a link. */
const NotListed = ({ listed, onFollow }: { listed: number; onFollow: () => void }) => (
  <p className="row wire-apart t12 t2">
    <span className="el">The open call isn’t in this list.</span>
    {listed > 0 && (
      <Button small look="quiet" onClick={onFollow}>
        Show first
      </Button>
    )}
  </p>
);

/** The last exchanges, newest first; what comes in while one is looked at waits above. */
export const ExchangeList = ({ listed, shown }: { listed: Listed /** In the panes. */; shown: string | null }) => {
  const { rows: matching, among, total, searching } = listed;
  const who = useWho();
  const typed = useUi((state) => state.wireTyped);
  const render = useCallback((row: RequestRow) => <Exchange row={row} who={who(row)} />, [who]);
  const chosen = useWireShows();
  const show = useUi((state) => state.showInWire);
  const choose = useCallback(({ id }: RequestRow) => show(id === chosen ? null : id), [show, chosen]);
  return (
    <div className="col wire-exchanges">
      <div className="wire-tools">
        <SearchField
          label="Filter calls"
          placeholder="Operation, status, caller, ID"
          value={typed}
          onChange={(wireTyped) => useUi.setState({ wireTyped })}
          byKey={false}
        />
      </div>
      {chosen !== null && !searching && !matching.some(({ id }) => id === chosen) && (
        <NotListed listed={matching.length} onFollow={() => show(null)} />
      )}
      <List
        of={{ items: matching, name: typed }}
        label="Last calls"
        what="the calls"
        empty={
          searching ? (
            <p className="wire-none t12 t2" role="status">
              Searching
            </p>
          ) : (
            <p className="wire-none t12 t2">
              {isId(typed.trim()) ? "No call has this ID." : `No match in the last ${formatCount(among)} calls.`}{" "}
              <span ref={handsFocusOn}>
                <Button small look="quiet" onClick={() => useUi.setState({ wireTyped: "" })}>
                  Clear filter
                </Button>
              </span>
            </p>
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
        <p className="wire-more t11 t3">
          the last {formatCount(among)} of {formatTotal(total)} calls
        </p>
      )}
    </div>
  );
};
