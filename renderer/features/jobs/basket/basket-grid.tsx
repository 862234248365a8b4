import { Group, Text } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { formatAmount, formatCount, plural } from "../../../lib/formatting.ts";
import { amountText } from "./amounts.ts";
import styles from "./basket.module.css";
import type { BasketRow } from "./basket-table.ts";
import { OfferCell, OfferDetails } from "./offer.tsx";
import type { BasketChoice } from "./use-choice.ts";

/** Minimum width of a column for an untruncated offer, in pixels. */
const COLUMN = 166;
const FIRST = 220;
const ROW_HEIGHT = 47;
const OFFER = "[data-offer]";

/** Returns the next offer in a direction, as drawn; an offer may span several rows. */
const adjacentOffer = (from: Element, key: string, offers: readonly HTMLElement[]): HTMLElement | undefined => {
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const [start, low, high] = across ? (["left", "top", "bottom"] as const) : (["top", "left", "right"] as const);
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  const here = from.getBoundingClientRect();
  return offers
    .map((offer) => ({ offer, at: offer.getBoundingClientRect() }))
    .filter(({ at }) => at[low] < here[high] && at[high] > here[low] && sign * (at[start] - here[start]) > 0)
    .toSorted((a, b) => sign * (a.at[start] - b.at[start]))[0]?.offer;
};

/**
 * Parts as rows, suppliers as columns, of any length: only visible rows are drawn. One offer is in the tab order;
 * arrows move between offers, Space chooses. Details of the focused offer are below the table, where they cover
 * nothing.
 */
export const BasketGrid = ({ choice, children }: { choice: BasketChoice; children: ReactNode }) => {
  const { blocks, columns, offers, parts } = choice.table;
  const box = useRef<HTMLDivElement>(null);
  const [pointed, point] = useState<string>();
  const virtual = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (blocks[index]?.length ?? 1) * ROW_HEIGHT,
    getItemKey: (index) => blocks[index]?.[0]?.part.id ?? index,
    overscan: 6,
  });
  const visibleBlocks = virtual.getVirtualItems();
  const rows = visibleBlocks.flatMap(({ index }) => blocks[index] ?? []);
  const views = rows.flatMap(({ cells }) => cells.flatMap((cell) => (cell.span === 0 ? [] : cell.offers)));
  const current = views.find(({ id }) => id === pointed) ?? views[0];
  const onKeyDown = (event: KeyboardEvent) => {
    const from = event.target instanceof Element ? event.target.closest(OFFER) : null;
    if (!from || !event.key.startsWith("Arrow") || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = adjacentOffer(from, event.key, [...(box.current?.querySelectorAll<HTMLElement>(OFFER) ?? [])]);
    next?.focus({ preventScroll: true });
    // Focus alone doesn't scroll a partly visible cell out from under a sticky heading.
    next?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const space = (height: number) =>
    height > 0 && (
      <tbody aria-hidden="true">
        <tr>
          <td colSpan={columns.length + 1} style={{ height }} />
        </tr>
      </tbody>
    );
  return (
    <>
      <div ref={box} className={`scroll ${styles.matrix}`}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern over a real table, whose heads and cells keep their relations
          role="grid"
          style={{ minWidth: FIRST + columns.length * COLUMN }}
          aria-label="Offers: parts down, suppliers across"
          aria-rowcount={parts.size + 1}
          onKeyDown={onKeyDown}
        >
          <colgroup>
            <col style={{ width: FIRST }} />
            {columns.map(({ id }) => (
              <col key={id} />
            ))}
          </colgroup>
          <BasketHead choice={choice} />
          {space(visibleBlocks[0]?.start ?? 0)}
          {visibleBlocks.map(({ index, key }) => (
            <tbody key={key} ref={virtual.measureElement} data-index={index}>
              {blocks[index]?.map((row) => (
                <tr key={row.part.id} aria-rowindex={row.index + 2}>
                  <PartHead row={row} />
                  {row.cells.map(({ offers: here, span }, column) => {
                    const id = columns[column]?.id;
                    if (span === 0) return null;
                    if (here.length === 0)
                      return (
                        <td key={id} data-variant="aside" style={{ padding: "0 12px", textAlign: "right" }}>
                          no offer
                        </td>
                      );
                    return (
                      <td key={id} rowSpan={span} className={styles.cell}>
                        {here.map((view) => (
                          <OfferCell
                            key={view.id}
                            view={view}
                            spans={span > 1}
                            choice={choice}
                            reachable={view === current}
                            onPoint={point}
                          />
                        ))}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          ))}
          {space(virtual.getTotalSize() - (visibleBlocks.at(-1)?.end ?? 0))}
        </table>
      </div>
      <section className={styles.foot} aria-label="Place orders">
        <OfferDetails view={pointed === undefined ? undefined : offers.get(pointed)} choice={choice} />
        {children}
      </section>
    </>
  );
};

/** Names unordered parts without a chosen offer. */
const missingText = ({ table: { parts, byPart }, chosen }: BasketChoice): string => {
  const covered = new Set(chosen.flatMap(({ partIds }) => partIds));
  const open = [...parts.values()].filter(({ id, status }) => status !== "ordered" && !covered.has(id));
  const offered = open.filter(({ id }) => (byPart.get(id)?.length ?? 0) > 0);
  const without = offered.length > 0 ? offered : open;
  const [first] = without;
  if (first === undefined) return "every part that isn’t ordered has an offer";
  const words = `no offer${offered.length > 0 ? " chosen" : ""} for ${first.description || "a part without description"}`;
  return without.length === 1 ? words : `${words} and ${without.length - 1} more`;
};

/** Column headings: each supplier's offers, and the chosen ones. */
const BasketHead = ({ choice }: { choice: BasketChoice }) => {
  const { table, totals } = choice;
  const words = totals.parts === 0 ? "choose one offer per part" : missingText(choice);
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col">
          <Text fw={500}>
            {formatCount(totals.parts)} of {plural(table.parts.size, "part")} chosen
          </Text>
          <Text variant="aside" title={words}>
            {words}
          </Text>
        </th>
        {table.columns.map(({ id, name, offers, parts }) => {
          const total = totals.bySupplier.get(id);
          return (
            <th key={id} scope="col" className="supplier">
              <Group component="span" gap={5} align="baseline">
                <SideGlyph side="supplier" labelled />
                <Text fw={500} lh="sm" lineClamp={2} title={name}>
                  {name}
                </Text>
              </Group>
              <Group component="span" justify="space-between">
                <Text variant="aside" truncate>
                  {plural(offers, "offer")}, {plural(parts, "part")}
                </Text>
                {total !== undefined && total.offers > 0 && (
                  <b title={`Chosen from ${name}: ${plural(total.offers, "offer")} for ${plural(total.parts, "part")}`}>
                    {formatAmount(amountText(total.amount))}
                  </b>
                )}
              </Group>
            </th>
          );
        })}
      </tr>
    </thead>
  );
};

const PartHead = ({ row: { part, quantity } }: { row: BasketRow }) => (
  <th scope="row">
    <Group component="span">
      <Text flex={1} miw={0} truncate title={part.description}>
        {part.description || <Text c="dimmed">no description</Text>}
      </Text>
      {quantity !== null && quantity !== 1 && (
        <Text variant="aside" title="Quantity from the offers. The API doesn’t return a part’s quantity.">
          × {quantity}
        </Text>
      )}
    </Group>
    <Group component="span">
      <Text flex={1} miw={0} variant="mono" c="dimmed" truncate>
        {part.ghca_id ?? "no ghca_id"}
      </Text>
      {part.status === "ordered" && <State of="ordered" />}
    </Group>
  </th>
);
