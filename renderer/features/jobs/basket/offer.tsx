import { Box, Group, Text } from "@mantine/core";
import { IconArrowDown, IconDiamond } from "@tabler/icons-react";
import { useId } from "react";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { Id } from "../../../components/id.tsx";
import { KeyHint } from "../../../components/key-hint.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { conditionWords } from "../../../domain/procurement/condition-words.ts";
import { formatAmount, plural } from "../../../lib/formatting.ts";
import { amountText, amountToNumber, minus } from "./amounts.ts";
import styles from "./basket.module.css";
import type { BasketTable, OfferView } from "./basket-table.ts";
import { isBestCondition, isCheapest } from "./choosing.ts";
import type { BasketChoice } from "./use-choice.ts";

interface OfferCellProps {
  readonly view: OfferView;
  /** True if the cell spans all rows of the offer's parts. */
  readonly spans: boolean;
  readonly choice: BasketChoice;
  readonly reachable: boolean;
  /** Called on focus and hover. */
  readonly onPoint: (id: string) => void;
}

const Mark = ({ icon, word }: { icon: IconOf; word: string }) => (
  <span data-variant="label">
    <Icon of={icon} size={12} /> {word}
  </span>
);

/** An offer as a radio button of its part, or of all its parts. */
export const OfferCell = ({ view, spans, choice, reachable, onPoint }: OfferCellProps) => {
  const described = useId();
  const { offer, partIds, id } = view;
  const { table } = choice;
  const condition = conditionWords(offer.condition);
  const on = choice.isChosen(view);
  const [cheapest, best] = [isCheapest(table, view), isBestCondition(table, view)];
  const others = partIds.length - 1;
  const together =
    others === 0
      ? null
      : spans
        ? `one offer, ${partIds.length} parts`
        : `one offer with ${plural(others, "other part")}`;
  const name = partIds.map((part) => table.parts.get(part)?.description).join(" and ");
  return (
    // biome-ignore lint/a11y/useSemanticElements: an offer for two parts belongs to two groups, which a radio input cannot
    <button
      type="button"
      role="radio"
      aria-checked={on}
      data-offer={id}
      tabIndex={reachable ? 0 : -1}
      className={`${styles.offer} ${on ? styles.on : ""}`}
      aria-label={`${name}, ${view.supplier}: trade price ${offer.trade_price}`}
      aria-describedby={described}
      title={`${condition.short}: ${condition.meaning}`}
      onClick={() => choice.toggle(view)}
      onFocus={() => onPoint(id)}
      onPointerEnter={() => onPoint(id)}
    >
      <span className="li-line" aria-hidden="true">
        <span className="li-group">
          <span className={styles.radio} />
          {cheapest && <Mark icon={IconArrowDown} word="cheapest" />}
        </span>
        <span className={styles.price}>{formatAmount(offer.trade_price)}</span>
      </span>
      <span className="li-line" data-variant="note" aria-hidden="true">
        <span>{best && <Mark icon={IconDiamond} word="best" />}</span>
        <span className="cut">{offer.quantity === 1 ? condition.short : `${condition.short} × ${offer.quantity}`}</span>
      </span>
      {together && (
        <span className="cut" data-variant="aside" aria-hidden="true">
          {together}
        </span>
      )}
      <span id={described} className="sr">
        {[
          `quantity ${offer.quantity}`,
          condition.short,
          condition.meaning,
          cheapest && "cheapest",
          best && "best condition",
          together,
        ]
          .filter(Boolean)
          .join(", ")}
      </span>
    </button>
  );
};

/** "547.05 less than new from Meridian": compared with the cheapest new offer for the same parts. */
const againstNew = (view: OfferView, table: BasketTable): string | null => {
  if (!view.line || view.offer.condition?.type === "new") return null;
  const rivals = (table.byPart.get(view.partIds[0] ?? "") ?? []).filter(
    ({ offer, line, partIds }) => line && offer.condition?.type === "new" && partIds.join() === view.partIds.join(),
  );
  const [rival] = rivals.toSorted((a, b) => (a.line && b.line ? amountToNumber(a.line) - amountToNumber(b.line) : 0));
  if (!rival?.line) return null;
  const saved = minus(rival.line, view.line);
  const size = formatAmount(amountText(saved).replace("-", ""));
  return `${size} ${saved.units < 0n ? "more" : "less"} than new from ${rival.supplier}`;
};

/** Details of the focused or hovered offer, at a fixed position that covers no neighbour. */
export const OfferDetails = ({ view, choice }: { view: OfferView | undefined; choice: BasketChoice }) => {
  if (!view)
    return (
      <div className={styles.details}>
        <Text size="sm" c="dimmed">
          Hover over an offer to see its details. In the table, use the arrow keys to move and <KeyHint keys="space" />{" "}
          to choose.
        </Text>
      </div>
    );
  const { offer, line, partIds } = view;
  const condition = conditionWords(offer.condition);
  const facts = [
    partIds.length > 1 && `covers ${partIds.length} parts`,
    offer.quantity !== 1 &&
      `${offer.quantity} × ${formatAmount(offer.trade_price)} = ${line ? formatAmount(amountText(line)) : "no total"}`,
    againstNew(view, choice.table),
  ].filter(Boolean);
  return (
    <Text component="div" size="sm" className={styles.details}>
      <Group component="span">
        <Text component="b" fw={500} truncate style={{ flexShrink: 0.5 }}>
          {offer.name}
        </Text>
        <Text c="dimmed" textWrap="nowrap">
          {view.supplier}
        </Text>
        <Text truncate title={condition.meaning}>
          <Text component="b" variant="mono" fw={500}>
            {condition.code}
          </Text>{" "}
          {condition.meaning}
        </Text>
        {offer.condition === null ? <Origin of="assumption" id="D52" /> : <Origin of="contract" />}
        <Box component="span" flex={1} />
        <Text variant="mono" c="dimmed">
          sellable_id
        </Text>
        <Id value={offer.sellable_id} what="sellable ID" />
      </Group>
      <Text c="secondary" truncate title={facts.join(" · ")}>
        {facts.length > 0 ? facts.join(" · ") : "1 piece for 1 part"}
      </Text>
    </Text>
  );
};
