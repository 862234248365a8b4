import { Id } from "../../../components/id.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Table } from "../../../components/table.tsx";
import { conditionWords } from "../../../domain/procurement/condition-words.ts";
import { amountText } from "../../../lib/amounts.ts";
import { announce } from "../../../lib/announce.ts";
import { formatAmount } from "../../../lib/formatting.ts";
import styles from "./basket.module.css";
import { ORDERED_ALREADY } from "./choosing.ts";
import type { BasketChoice } from "./use-choice.ts";

/** Every offer in a line of its own, with what the comparison has no room for. */
export const BasketList = ({ choice }: { choice: BasketChoice }) => {
  const { table } = choice;
  const parts = new Map(table.rows.map(({ part }) => [part.id, part.description || "no description"]));
  return (
    <div className={`scroll ${styles.list}`}>
      <Table
        caption="Offers of the latest basket"
        rows={[...table.offers.values()]}
        rowKey={(view) => view.id}
        columns={[
          {
            key: "chosen",
            head: <span className="sr">Chosen</span>,
            width: "40px",
            cell: (view) => (
              // biome-ignore lint/a11y/useSemanticElements: an offer for two parts belongs to two groups, which a radio input cannot
              <button
                type="button"
                role="radio"
                aria-checked={choice.isChosen(view)}
                aria-disabled={choice.isLocked(view)}
                className={`${styles.dot} ${choice.isLocked(view) ? styles.locked : ""}`}
                aria-label={`${view.offer.name}, ${view.supplier}: trade price ${view.offer.trade_price}`}
                {...(choice.isLocked(view) ? { title: ORDERED_ALREADY } : {})}
                onClick={() => (choice.isLocked(view) ? announce(ORDERED_ALREADY) : choice.toggle(view))}
              >
                <span className={styles.radio} aria-hidden="true" />
              </button>
            ),
          },
          {
            key: "name",
            head: "name",
            cell: ({ offer, partIds }) => (
              <span title={`${offer.name}: covers ${partIds.map((id) => parts.get(id)).join(" and ")}`}>
                {partIds.length > 1 && <span className="t3">{partIds.length} parts: </span>}
                {offer.name}
              </span>
            ),
          },
          {
            key: "supplier",
            head: "supplier",
            width: "184px",
            cell: ({ supplier }) => (
              <span className="supplier">
                <SideGlyph side="supplier" /> {supplier}
              </span>
            ),
          },
          {
            key: "condition",
            head: "condition",
            width: "160px",
            cell: ({ offer }) => (
              <span title={conditionWords(offer.condition).meaning}>{conditionWords(offer.condition).short}</span>
            ),
          },
          { key: "quantity", head: "quantity", width: "62px", right: true, cell: ({ offer }) => offer.quantity },
          {
            key: "price",
            head: "trade_price",
            width: "88px",
            right: true,
            cell: ({ offer }) => formatAmount(offer.trade_price),
          },
          {
            key: "line",
            head: "together",
            width: "84px",
            right: true,
            cell: ({ line }) => (line ? formatAmount(amountText(line)) : "–"),
          },
          {
            key: "id",
            head: "sellable_id",
            width: "112px",
            cell: ({ offer }) => <Id value={offer.sellable_id} what="sellable id" />,
          },
        ]}
      />
    </div>
  );
};
