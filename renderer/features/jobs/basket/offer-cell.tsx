import { IconArrowDown, IconDiamond, IconPackage } from "@tabler/icons-react";
import { useId } from "react";
import { Icon } from "../../../components/icon.tsx";
import { announce } from "../../../lib/announce.ts";
import { formatAmount, plural } from "../../../lib/formatting.ts";
import type { OfferView } from "./basket-table.ts";
import { ORDERED_ALREADY } from "./basket-words.ts";
import { conditionWords } from "./condition-words.ts";
import type { BasketChoice, Mark } from "./use-choice.ts";

interface OfferCellProps {
  readonly view: OfferView;
  readonly row: number;
  readonly partId: string;
  /** Whether the cell reaches over all the rows of the offer's parts. */
  readonly spans: boolean;
  readonly supplier: string;
  readonly choice: BasketChoice;
  readonly reachable: boolean;
  readonly onPoint: (id: string | null) => void;
  readonly onReach: () => void;
}

const markIcons = { cheapest: IconArrowDown, newest: IconDiamond } as const;

const MarkWord = ({ mark }: { mark: Mark }) => (
  <span className="jobs-mark">
    <Icon of={markIcons[mark]} size={12} />
    {mark}
  </span>
);

/** "× 12, new": what the price is for, and in what condition. */
const under = ({ offer }: OfferView): string => {
  const { short } = conditionWords(offer.condition);
  return offer.quantity === 1 ? short : `× ${offer.quantity}, ${short.charAt(0).toLowerCase()}${short.slice(1)}`;
};

/** One offer: chosen like a radio button of its part, or of all the parts it covers. */
export const OfferCell = ({
  view,
  row,
  partId,
  spans,
  supplier,
  choice,
  reachable,
  onPoint,
  onReach,
}: OfferCellProps) => {
  const covers = useId();
  const { offer, partIds } = view;
  const condition = conditionWords(offer.condition);
  const on = choice.isChosen(view);
  const locked = choice.isLocked(view);
  const order = on ? null : choice.orderOf(view);
  const marks = choice.marksOf(view);
  const [first, second] = marks;
  const rest = partIds.length - 1;
  const together =
    rest === 0 ? null : spans ? `one offer, ${partIds.length} parts` : `one offer with ${plural(rest, "other part")}`;
  const name = choice.table.rows
    .filter(({ part }) => partIds.includes(part.id))
    .map(({ part }) => part.description)
    .join(" and ");
  return (
    // biome-ignore lint/a11y/useSemanticElements: an offer for two parts belongs to two groups, which a radio input cannot
    <button
      type="button"
      role="radio"
      aria-checked={on}
      aria-disabled={locked}
      data-offer={view.id}
      data-row={row}
      data-part={partId}
      tabIndex={reachable ? 0 : -1}
      className={`jobs-offer${on ? " on" : ""}${locked ? " locked" : ""}${rest > 0 ? " joined" : ""}`}
      aria-label={`${name}, ${supplier}: ${offer.trade_price}`}
      aria-describedby={covers}
      title={order ? `Ordered with ${order}` : locked ? ORDERED_ALREADY : `${condition.short}: ${condition.meaning}`}
      onClick={() => (locked ? announce(ORDERED_ALREADY) : choice.toggle(view))}
      onFocus={onReach}
      onPointerEnter={() => onPoint(view.id)}
    >
      {order === null ? (
        <span className="rd" aria-hidden="true" />
      ) : (
        <span className="jobs-taken ok" aria-hidden="true">
          <Icon of={IconPackage} size={14} />
        </span>
      )}
      <span aria-hidden="true">{first && <MarkWord mark={first} />}</span>
      <span className="jobs-price" aria-hidden="true">
        {formatAmount(offer.trade_price)}
      </span>
      <span className="jobs-second" aria-hidden="true">
        {second && <MarkWord mark={second} />}
        <span className="jobs-condition el">{under(view)}</span>
      </span>
      {together && (
        <span className="jobs-together el" aria-hidden="true">
          {together}
        </span>
      )}
      <span id={covers} className="sr">
        {[
          order && `ordered with ${order}`,
          locked && ORDERED_ALREADY,
          `quantity ${offer.quantity}`,
          condition.short,
          condition.meaning,
          ...marks,
          together,
        ]
          .filter(Boolean)
          .join(", ")}
      </span>
    </button>
  );
};
