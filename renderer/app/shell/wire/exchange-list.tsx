import { IconChevronUp, IconFilter, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, memo, useState } from "react";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { useHeldBack } from "../../../components/held-back.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { Time } from "../../../components/time.tsx";
import { formatCount, formatMs, formatTotal } from "../../../lib/formatting.ts";
import { isId } from "../../../lib/wire-address.ts";
import { useUi } from "../../ui-store.ts";
import { CallName } from "../call-name.tsx";
import type { WireOnly } from "./exchange-filter.ts";
import type { Listed } from "./listed.ts";
import { useWho } from "./who.ts";

const keyOf = (row: RequestRow) => row.id;
const onlyOptions: ReadonlyArray<{ value: WireOnly; label: string }> = [
  { value: "all", label: "All" },
  { value: "refused", label: "Refused" },
];

const ExchangeRow = memo(
  ({
    row,
    who,
    selected,
    onChoose,
  }: {
    row: RequestRow;
    who: string;
    selected: boolean;
    onChoose: (id: string) => void;
  }) => (
    <li>
      <button
        type="button"
        className={`wire-row${selected ? " sel" : ""}`}
        aria-current={selected ? "true" : undefined}
        title={row.outcome}
        onClick={() => onChoose(row.id)}
      >
        <span className="t12 t3">
          <Time at={row.at} as="clock" on="real" />
        </span>
        <span className="wire-who t12 t2">
          <SideGlyph side={row.side} labelled />
          <span className="el">{who}</span>
        </span>
        <CallName row={row} />
        <HttpStatus status={row.status} />
        <span className="t12 t3 r">{formatMs(row.duration_ms)}</span>
      </button>
    </li>
  ),
);
ExchangeRow.displayName = "ExchangeRow";

const moveFocus = (event: KeyboardEvent<HTMLUListElement>) => {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
  const target = buttons[to[event.key] ?? -1];
  if (!target) return;
  event.preventDefault();
  target.focus();
};

/** The exchange that is shown is none of those listed: it was chosen before they were narrowed, or by a link. */
const NotListed = ({ listed, onFollow }: { listed: number; onFollow: () => void }) => (
  <p className="wire-apart t12 t2">
    <span className="el">The exchange shown is not among these.</span>
    {listed > 0 && (
      <Button small look="quiet" onClick={onFollow}>
        Show the first
      </Button>
    )}
  </p>
);

const Unfound = ({ among, refused, byId }: { among: number; refused: boolean; byId: boolean }) => {
  if (byId) return "Nothing that is kept has this id.";
  if (refused && among === 0) return "Nothing was refused yet.";
  return `None of the last ${formatCount(among)} matches.`;
};

/** The last exchanges, newest first; what comes in while one is looked at waits above. */
export const ExchangeList = ({
  listed,
  shown,
  chosen,
  onChoose,
  onFollow,
}: {
  listed: Listed;
  /** The exchange the panes show. */
  shown: string | null;
  /** The one the person chose; null follows the newest. */
  chosen: string | null;
  onChoose: (id: string) => void;
  onFollow: () => void;
}) => {
  const { rows: matching, among, total, searching } = listed;
  const who = useWho();
  const typed = useUi((state) => state.wireTyped);
  const setTyped = useUi((state) => state.typeInWire);
  const [scrolled, setScrolled] = useState(false);
  const only = useUi((state) => state.wireOnly);
  const showOnly = useUi((state) => state.showWireOnly);
  const held = useHeldBack(matching, keyOf, scrolled || chosen !== null, `${only} ${typed}`, chosen);
  const clear = () => {
    setTyped("");
    showOnly("all");
  };
  return (
    <div className="wire-exchanges">
      <div className="wire-tools">
        <label className="search grow">
          <Icon of={IconFilter} size={14} />
          <span className="sr">Filter the exchanges</span>
          <input
            type="search"
            placeholder="Operation, status, who, id"
            value={typed}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {typed !== "" && <IconButton small icon={IconX} label="Clear the filter" onClick={() => setTyped("")} />}
        </label>
        <Segmented label="Which exchanges" options={onlyOptions} value={only} onChange={showOnly} />
      </div>
      {chosen !== null && !searching && !matching.some(({ id }) => id === chosen) && (
        <NotListed listed={matching.length} onFollow={onFollow} />
      )}
      <div className="wire-scroll">
        {held.waiting > 0 && (
          <button type="button" className="newbar" onClick={held.release}>
            {formatCount(held.waiting)} new <Icon of={IconChevronUp} size={12} />
          </button>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveElementInteractions: arrows move between the buttons in it */}
        <ul
          className="wire-list"
          aria-label="Last exchanges"
          onKeyDown={moveFocus}
          onScroll={(event) => setScrolled(event.currentTarget.scrollTop > 4)}
        >
          {held.shown.map((row) => (
            <ExchangeRow key={row.id} row={row} who={who(row)} selected={row.id === shown} onChoose={onChoose} />
          ))}
        </ul>
        {matching.length === 0 && searching && (
          <p className="wire-none t12 t2" role="status">
            Searching
          </p>
        )}
        {matching.length === 0 && !searching && (
          <p className="wire-none t12 t2">
            <Unfound among={among} refused={only === "refused"} byId={isId(typed.trim())} />{" "}
            <Button small look="quiet" onClick={clear}>
              Clear filter
            </Button>
          </p>
        )}
      </div>
      {total.total > among && (
        <p className="wire-more t11 t3">
          the last {formatCount(among)} {only === "refused" && "refused "}of {formatTotal(total)}
        </p>
      )}
    </div>
  );
};
