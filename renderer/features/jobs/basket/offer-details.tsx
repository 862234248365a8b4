import { Id } from "../../../components/id.tsx";
import { Kbd } from "../../../components/kbd.tsx";
import { Origin } from "../../../components/origin.tsx";
import { amountText, minus, sizeOf, sumOf } from "../../../lib/amounts.ts";
import { formatAmount, plural } from "../../../lib/formatting.ts";
import type { BasketTable, OfferView } from "./basket-table.ts";
import { conflictsOf } from "./choosing.ts";
import { conditionWords } from "./condition-words.ts";
import type { BasketChoice } from "./use-choice.ts";

const supplierOf = (view: OfferView, table: BasketTable): string =>
  table.columns.find(({ id }) => id === view.offer.supplier_business_id)?.name ?? view.offer.supplier_business_id;

/** "547.05 less than new from Meridian": beside the cheapest new offer for the same parts. */
const againstNew = (view: OfferView, table: BasketTable): string | null => {
  if (!view.line || view.offer.condition?.type === "new") return null;
  const rivals = [...table.offers.values()].filter(
    ({ offer, line, partIds }) => line && offer.condition?.type === "new" && partIds.join() === view.partIds.join(),
  );
  const [rival] = rivals.toSorted((a, b) => (a.line && b.line ? sizeOf(a.line) - sizeOf(b.line) : 0));
  if (!rival?.line) return null;
  const saved = minus(rival.line, view.line);
  const size = formatAmount(amountText(saved).replace("-", ""));
  return `${size} ${saved.units < 0n ? "more" : "less"} than new from ${supplierOf(rival, table)}`;
};

/** What choosing the offer takes back. */
const insteadOf = (view: OfferView, { chosen, table, isChosen }: BasketChoice): string | null => {
  if (isChosen(view)) return null;
  const gone = conflictsOf(view, chosen);
  if (gone.length === 0) return null;
  const sum = amountText(sumOf(gone.flatMap(({ line }) => line ?? [])));
  const [only] = gone;
  const what = only && only.partIds.length > 1 ? `the offer for ${only.partIds.length} parts` : "the offer";
  const who = gone.length === 1 && only ? `${what} of ${supplierOf(only, table)}` : plural(gone.length, "chosen offer");
  return `choosing it takes back ${who} at ${formatAmount(sum)}`;
};

interface DetailsProps {
  readonly view: OfferView | null;
  readonly choice: BasketChoice;
  /** Whether the cursor stands on an offer, so that arrows move it. */
  readonly walking: boolean;
}

const Walk = () => (
  <>
    <Kbd keys="up" />
    <Kbd keys="down" />
    <Kbd keys="left" />
    <Kbd keys="right" /> move, <Kbd keys="space" /> chooses
  </>
);

const Words = ({ view, choice, walking }: DetailsProps & { view: OfferView }) => {
  const { offer, line, partIds } = view;
  const condition = conditionWords(offer.condition);
  const facts = [
    `covers ${plural(partIds.length, "part")}`,
    offer.quantity === 1
      ? "quantity 1"
      : `${offer.quantity} × ${formatAmount(offer.trade_price)} = ${line ? formatAmount(amountText(line)) : "no sum"}`,
    againstNew(view, choice.table),
    insteadOf(view, choice),
  ];
  return (
    <>
      <span className="row">
        <b className="w5 el jobs-offer-name">{offer.name}</b>
        <span className="t3 nw">{supplierOf(view, choice.table)}</span>
        <span className="el">
          <b className="w5 m11">{condition.code}</b> {condition.meaning}
        </span>
        {offer.condition === null ? (
          <Origin of="assumption" id="D52" title="Confirming fills in what is null" />
        ) : (
          <Origin of="contract" />
        )}
        <span className="grow" />
        <span className="t3 jobs-wide">sellable</span>
        <Id value={offer.sellable_id} what="sellable id" />
      </span>
      <span className="row">
        <span className="t2 el grow">{facts.filter(Boolean).join(" · ")}</span>
        {walking && (
          <span className="t3 row row-1 nw jobs-walk" aria-hidden="true">
            <Walk />
          </span>
        )}
      </span>
    </>
  );
};

/** What the offer under the pointer or the cursor is; always in the same place, so that it covers no neighbour. */
export const OfferDetails = ({ view, choice, walking }: DetailsProps) => (
  <div className="jobs-offer-details t12">
    {view ? (
      <Words view={view} choice={choice} walking={walking} />
    ) : (
      <span className="t3 row el">
        Point at an offer to see what it is. <Kbd keys="3" /> leads to the offers by keyboard: arrows move,{" "}
        <Kbd keys="space" /> chooses.
      </span>
    )}
  </div>
);
