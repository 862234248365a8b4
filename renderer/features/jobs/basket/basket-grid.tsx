import { IconKey, IconKeyOff } from "@tabler/icons-react";
import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import { Icon } from "../../../components/icon.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { plural } from "../../../lib/formatting.ts";
import { BasketFoot } from "./basket-foot.tsx";
import { type BasketRow, firstPlace, moved, type OfferView, offerAt, type Place } from "./basket-table.ts";
import { OfferCell, OfferDetails } from "./offer.tsx";
import type { BasketChoice } from "./use-choice.ts";

interface GridProps {
  readonly choice: BasketChoice;
  readonly confirmable: ReadonlySet<string>;
}

/** The narrowest that holds a plain offer without cutting it. */
const COLUMN = 166;
const FIRST = 220;

/**
 * Parts down, suppliers across. One offer is in the tab order; arrows move between offers, Space chooses. What the
 * offer under the pointer or the cursor is, stands below the table, where it covers nothing.
 */
export const BasketGrid = ({ choice, confirmable }: GridProps) => {
  const { table } = choice;
  const box = useRef<HTMLTableElement>(null);
  const [cursor, setCursor] = useState<Place | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const [standing, setStanding] = useState<"offer" | "details" | null>(null);
  const place = (cursor && offerAt(table, cursor) ? cursor : null) ?? firstPlace(table);
  const current = place && offerAt(table, place);
  const shown = (pointed === null ? null : table.offers.get(pointed)) ?? (standing ? current : null);

  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const inDetails = target.closest(".jobs-offer-details") !== null;
    setStanding(target.closest("[data-offer]") ? "offer" : inDetails ? "details" : null);
  };
  const onBlur = ({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    // A step into the details must not take away what it leads to; another window in front changes nothing here.
    if (currentTarget.contains(relatedTarget) || document.activeElement === target) return;
    setStanding(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(event.target instanceof HTMLElement) || !event.target.closest("[data-offer]")) return;
    const next = moved(table, place, event.key);
    // Arrows belong to the table even where there is nothing further that way.
    if (/^Arrow|^Home$|^End$/.test(event.key)) event.preventDefault();
    if (!next) return;
    setCursor(next);
    setPointed(null);
    const id = offerAt(table, next)?.id;
    if (id === undefined) return;
    // An offer that is repeated in several rows is focused in the row the cursor moved to.
    const drawn = [...(box.current?.querySelectorAll<HTMLElement>(`[data-offer="${CSS.escape(id)}"]`) ?? [])];
    const cell = drawn.find(({ dataset }) => dataset.row === String(next.row)) ?? drawn[0];
    cell?.focus({ preventScroll: true });
    // Focus alone leaves a cell where it is when an edge of it is in sight, though beneath a head that stands still.
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  const cellsOf = (row: BasketRow, rowIndex: number) =>
    row.cells.map((cell, column) => {
      const supplier = table.columns[column];
      if (!supplier || cell.kind === "under") return null;
      if (cell.kind === "none")
        return (
          <td key={supplier.id} className="jobs-none">
            no offer
          </td>
        );
      const draw = (view: OfferView, index: number) => (
        <OfferCell
          key={view.id}
          view={view}
          row={rowIndex}
          partId={row.part.id}
          spans={cell.span > 1}
          choice={choice}
          supplier={supplier.name}
          reachable={view.id === current?.id && (cell.span > 1 || rowIndex === place?.row)}
          onPoint={setPointed}
          onReach={() => {
            if (offerAt(table, place ?? { row: -1, column: -1, index: -1 })?.id !== view.id)
              setCursor({ row: rowIndex, column, index });
          }}
        />
      );
      return (
        <td key={supplier.id} rowSpan={cell.span} className="jobs-cell">
          {cell.offers.map(draw)}
        </td>
      );
    });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is pressed here; where the focus stands is noticed
    <div className="jobs-compare" onFocus={onFocus} onBlur={onBlur}>
      <div className="jobs-matrix scroll">
        <table
          ref={box}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern over a real table, whose heads and cells keep their relations
          role="grid"
          style={{ minWidth: FIRST + table.columns.length * COLUMN }}
          aria-label="Offers: parts down, suppliers across"
          onKeyDown={onKeyDown}
          onPointerLeave={() => setPointed(null)}
        >
          <colgroup>
            <col style={{ width: FIRST }} />
            {table.columns.map(({ id }) => (
              <col key={id} />
            ))}
          </colgroup>
          <BasketHead choice={choice} confirmable={confirmable} />
          <tbody>
            {table.rows.map((row, index) => (
              <tr key={row.part.id}>
                <PartHead row={row} />
                {cellsOf(row, index)}
              </tr>
            ))}
          </tbody>
          <BasketFoot choice={choice} />
        </table>
      </div>
      <OfferDetails view={shown ?? null} choice={choice} walking={standing === "offer"} />
    </div>
  );
};

/** Whether the supplier's orders can be confirmed here, and why not. */
const Confirming = ({ can, name }: { can: boolean; name: string }) => (
  <span
    className={`row row-1 t11 jobs-confirming${can ? " can" : ""}`}
    title={
      can
        ? `The sandbox holds a key of ${name}: its orders can be confirmed here`
        : `Only ${name} can confirm its orders, and the sandbox holds no key of it. Install an integration for it to confirm here.`
    }
  >
    <Icon of={can ? IconKey : IconKeyOff} size={12} />
    <span className="el">{can ? "can be confirmed here" : "no key here to confirm"}</span>
  </span>
);

/** The suppliers across: what each offers, and whether its orders can be confirmed here. */
const BasketHead = ({ choice, confirmable }: { choice: BasketChoice; confirmable: ReadonlySet<string> }) => {
  const { columns, rows } = choice.table;
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="t12 t3">{plural(rows.length, "part")}</span>
        </th>
        {columns.map(({ id, name, offers, parts }) => (
          <th key={id} scope="col" className="supplier">
            <span className="row jobs-supplier">
              <SideGlyph side="supplier" labelled />
              <span title={name}>{name}</span>
            </span>
            <span className="row jobs-supplier-sub">
              <span className="el grow t12 t3">
                {plural(offers.length, "offer")}, {plural(parts, "part")}
              </span>
              {offers.some(({ partIds }) => partIds.every((part) => choice.openPartIds.includes(part))) && (
                <button
                  type="button"
                  className="lnk t11"
                  onClick={() => choice.chooseAllOf(id)}
                  aria-label={`Choose all offers of ${name}`}
                  title={`Choose all offers of ${name} for ${choice.openPartIds.length < rows.length ? "parts not ordered yet" : "all parts"}`}
                >
                  all
                </button>
              )}
            </span>
            <Confirming can={confirmable.has(id)} name={name} />
          </th>
        ))}
      </tr>
    </thead>
  );
};

/** A part as the head of its row. */
const PartHead = ({ row: { part, quantity } }: { row: BasketRow }) => (
  <th scope="row">
    <span className="row">
      <span className="el grow" title={part.description}>
        {part.description || <span className="t3">no description</span>}
      </span>
      {quantity !== null && quantity !== 1 && (
        <span className="t12 t3" title="As the offers state it: a part does not carry its quantity back">
          × {quantity}
        </span>
      )}
    </span>
    <span className="row jobs-part-sub">
      <span className="m11 t3 el grow">{part.ghca_id ?? "no ghca_id"}</span>
      {part.status === "ordered" && <State of="ordered" />}
    </span>
  </th>
);
