import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import { BasketFoot } from "./basket-foot.tsx";
import { BasketHead } from "./basket-head.tsx";
import type { BasketRow, OfferView } from "./basket-table.ts";
import { firstPlace, moved, offerAt, type Place } from "./moving.ts";
import { OfferCell } from "./offer-cell.tsx";
import { OfferDetails } from "./offer-details.tsx";
import { PartHead } from "./part-head.tsx";
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
