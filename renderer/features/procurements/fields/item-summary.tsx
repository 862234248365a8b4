import type { BuyerProcurement, SourceItem } from "../../../../sandbox/contract/resources/procurement.ts";
import { Money } from "../../../components/money.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { conditionWords } from "../words.ts";

type OfferedItem = BuyerProcurement["offered_items"][number];

const Requested = ({ item: { buyer_part } }: { item: SourceItem }) => (
  <>
    {buyer_part.description || <span className="t3">no description</span>}{" "}
    <span className="t2">{formatCount(buyer_part.quantity)} wanted</span>{" "}
    {buyer_part.part_identity && <span className="t3 m">{buyer_part.part_identity.mpn}</span>}
  </>
);

const Offered = ({ item: { supplied_offer: offer } }: { item: OfferedItem }) => (
  <>
    {offer.description}{" "}
    <span className="t2">
      {formatCount(offer.quantity)} ×{" "}
      {offer.trade_price === null ? <span className="m t3">null</span> : <Money amount={offer.trade_price} />}
    </span>{" "}
    <span className="t3" title={offer.condition ? conditionWords(offer.condition).meaning : undefined}>
      {offer.condition ? (
        conditionWords(offer.condition).short
      ) : (
        <>
          condition <span className="m">null</span>
        </>
      )}
    </span>
  </>
);

/** An item in one line: what, how many, and for an offered one at what price and in which condition. */
export const ItemSummary = ({ value }: { value: unknown }) => {
  const item = value as SourceItem | OfferedItem;
  return "buyer_part" in item ? <Requested item={item} /> : <Offered item={item} />;
};
