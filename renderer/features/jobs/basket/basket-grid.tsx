import { IconKey, IconKeyOff } from "@tabler/icons-react";
import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Icon } from "../../../components/icon.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { useConfirmable } from "../../../domain/credential/keys.ts";
import { amountText } from "../../../lib/amounts.ts";
import { formatAmount, plural } from "../../../lib/formatting.ts";
import styles from "./basket.module.css";
import { type BasketRow, firstPlace, moved, type OfferView, offerAt, type Place } from "./basket-table.ts";
import { orderedWords } from "./choosing.ts";
import { OfferCell, OfferDetails } from "./offer.tsx";
import type { BasketChoice } from "./use-choice.ts";

/** The narrowest that holds a plain offer without cutting it. */
const COLUMN = 166;
const FIRST = 220;

/**
 * Parts down, suppliers across. One offer is in the tab order; arrows move between offers, Space chooses. What the
 * offer under the pointer or the cursor is, stands below the table, where it covers nothing.
 */
export const BasketGrid = ({ choice, children }: { choice: BasketChoice; children: ReactNode }) => {
  const { table } = choice;
  const box = useRef<HTMLTableElement>(null);
  const [cursor, setCursor] = useState<Place | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const [isStanding, setStanding] = useState(false);
  const place = (cursor && offerAt(table, cursor) ? cursor : null) ?? firstPlace(table);
  const current = place && offerAt(table, place);
  const shown = (pointed === null ? null : table.offers.get(pointed)) ?? (isStanding ? current : null);

  const onFocus = ({ target }: FocusEvent<HTMLElement>) =>
    setStanding(target.closest("[data-offer], [data-details]") !== null);
  const onBlur = ({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    // A step into the details must not take away what it leads to; another window in front changes nothing here.
    if (currentTarget.contains(relatedTarget) || document.activeElement === target) return;
    setStanding(false);
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
    const drawn = `[data-offer="${CSS.escape(id)}"]`;
    const cell =
      box.current?.querySelector<HTMLElement>(`${drawn}[data-row="${next.row}"]`) ??
      box.current?.querySelector<HTMLElement>(drawn);
    cell?.focus({ preventScroll: true });
    // Focus alone leaves a cell where it is when an edge of it is in sight, though beneath a head that stands still.
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  const cellsOf = ({ cells }: BasketRow, row: number) =>
    cells.map(({ offers, span }, column) => {
      const key = table.columns[column]?.id;
      if (span === 0) return null;
      if (offers.length === 0)
        return (
          <td key={key} className={styles.none}>
            no offer
          </td>
        );
      const draw = (view: OfferView, index: number) => (
        <OfferCell
          key={view.id}
          view={view}
          row={row}
          spans={span > 1}
          choice={choice}
          reachable={view === current && (span > 1 || row === place?.row)}
          onPoint={setPointed}
          onReach={() => {
            if (view !== current) setCursor({ row, column, index });
          }}
        />
      );
      return (
        <td key={key} rowSpan={span} className={styles.cell}>
          {offers.map(draw)}
        </td>
      );
    });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is pressed here; where the focus stands is noticed
    <div className={styles.compare} onFocus={onFocus} onBlur={onBlur}>
      <div className={`scroll ${styles.matrix}`}>
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
          <BasketHead choice={choice} />
          <tbody>
            {table.rows.map((row, index) => (
              <tr key={row.part.id}>
                <PartHead row={row} />
                {cellsOf(row, index)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <section className={styles.foot} aria-label="Place orders">
        <OfferDetails view={shown} choice={choice} />
        {children}
      </section>
    </div>
  );
};

/** Whether the supplier's orders can be confirmed here, and why not. */
const Confirming = ({ can, name }: { can: boolean; name: string }) => (
  <span
    className={`row row-1 grow t11 ${can ? styles.can : "t3"}`}
    title={
      can
        ? `You have a key for ${name}, so you can confirm its orders here`
        : `Only ${name} can confirm its orders, and you have no key for it. Install an integration for it to confirm orders here.`
    }
  >
    <Icon of={can ? IconKey : IconKeyOff} size={12} />
    <span className="el">{can ? "can confirm" : "no key here"}</span>
  </span>
);

/** Whether a supplier offers something for the part; an offer for several parts is drawn in the row of the first. */
const isOffered = ({ cells }: BasketRow): boolean => cells.some(({ offers, span }) => span === 0 || offers.length > 0);

/** Which of the parts that are there to be chosen for have nothing chosen, or no offer, in a few words. */
const missingWords = ({ table, chosen, openPartIds }: BasketChoice): string => {
  const covered = new Set(chosen.flatMap(({ partIds }) => partIds));
  const open = table.rows.filter(({ part }) => !covered.has(part.id) && openPartIds.includes(part.id));
  const offered = open.filter(isOffered);
  const without = offered.length > 0 ? offered : open;
  const [first] = without.map(({ part }) => part.description || "a part without description");
  if (first === undefined)
    return openPartIds.length < table.rows.length
      ? "every part that isn’t ordered has an offer"
      : "every part has an offer";
  const none = offered.length > 0 ? "no offer chosen" : "no offer";
  return `${none} for ${first}${without.length === 1 ? "" : ` and ${without.length - 1} more`}`;
};

/** How many parts are chosen, and what of the others. */
const Chosen = ({ choice }: { choice: BasketChoice }) => {
  const { table, totals, openPartIds, orderedParts } = choice;
  const isNothingLeft = totals.parts === 0 && openPartIds.length === 0;
  const words = isNothingLeft
    ? "nothing left to choose"
    : totals.parts > 0
      ? missingWords(choice)
      : openPartIds.length < table.rows.length
        ? `${orderedParts} already ordered`
        : "choose one offer per part";
  return (
    <th scope="col">
      <span className="w5">
        {isNothingLeft ? orderedWords(choice) : `${totals.parts} of ${plural(table.rows.length, "part")} chosen`}
      </span>
      <span className="t12 t3" title={words}>
        {words}
      </span>
    </th>
  );
};

/** The suppliers across: what each offers, what is chosen of it, and whether its orders can be confirmed here. */
const BasketHead = ({ choice }: { choice: BasketChoice }) => {
  const confirmable = useConfirmable();
  return (
    <thead>
      <tr>
        <Chosen choice={choice} />
        {choice.table.columns.map(({ id, name, offers, parts }) => {
          const total = choice.totals.bySupplier.get(id);
          return (
            <th key={id} scope="col" className="supplier">
              <span className={`row ${styles.supplier}`}>
                <SideGlyph side="supplier" labelled />
                <span title={name}>{name}</span>
              </span>
              <span className="el t12 t3">
                {plural(offers.length, "offer")}, {plural(parts, "part")}
              </span>
              <span className="row">
                {confirmable ? <Confirming can={confirmable.has(id)} name={name} /> : <span className="grow" />}
                {total !== undefined && total.offers > 0 && (
                  <b
                    className={styles.sum}
                    title={`Chosen from ${name}: ${plural(total.offers, "offer")} for ${plural(total.parts, "part")}`}
                  >
                    {formatAmount(amountText(total.amount))}
                  </b>
                )}
              </span>
            </th>
          );
        })}
      </tr>
    </thead>
  );
};

const PartHead = ({ row: { part, quantity } }: { row: BasketRow }) => (
  <th scope="row">
    <span className="row">
      <span className="el grow" title={part.description}>
        {part.description || <span className="t3">no description</span>}
      </span>
      {quantity !== null && quantity !== 1 && (
        <span className="t12 t3" title="Quantity from the offers. The API doesn’t return a part’s quantity.">
          × {quantity}
        </span>
      )}
    </span>
    <span className={`row ${styles.partSub}`}>
      <span className="m11 t3 el grow">{part.ghca_id ?? "no ghca_id"}</span>
      {part.status === "ordered" && <State of="ordered" />}
    </span>
  </th>
);
