import { amountText } from "../../../lib/amounts.ts";
import { formatAmount, plural } from "../../../lib/formatting.ts";
import { missingWords, orderedWords } from "./choosing.ts";
import type { BasketChoice } from "./use-choice.ts";

/** Whether everything is ordered, and nothing was chosen beside. */
const isNothingLeft = ({ totals, openPartIds }: BasketChoice): boolean =>
  totals.parts === 0 && openPartIds.length === 0;

const Chosen = ({ choice }: { choice: BasketChoice }) => {
  const { table, totals, openPartIds, orderedParts } = choice;
  if (isNothingLeft(choice))
    return (
      <>
        <span className="w5">{orderedWords(choice)}</span>
        <span className="t12 t3">nothing left to choose</span>
      </>
    );
  const hint = openPartIds.length < table.rows.length ? `${orderedParts} ordered already` : "choose one offer a part";
  return (
    <>
      <span className="w5">
        {totals.parts} of {table.rows.length} parts chosen
      </span>
      <span className="t12 t3 el" title={missingWords(choice)}>
        {totals.parts === 0 ? hint : missingWords(choice)}
      </span>
    </>
  );
};

/** What is chosen of each supplier, under its column. */
export const BasketFoot = ({ choice }: { choice: BasketChoice }) => {
  const { table, totals } = choice;
  const nothingLeft = isNothingLeft(choice);
  return (
    <tfoot>
      <tr>
        <th scope="row">
          <Chosen choice={choice} />
        </th>
        {table.columns.map(({ id }) => {
          const total = totals.bySupplier.get(id);
          if (!total || total.offers === 0)
            return nothingLeft ? (
              <td key={id} />
            ) : (
              <td key={id}>
                <span className="jobs-sum t3">0.00</span>
                <span className="t12 t3">nothing chosen</span>
              </td>
            );
          return (
            <td key={id}>
              <b className="jobs-sum">{formatAmount(amountText(total.amount))}</b>
              <span className="t12 t3">
                {plural(total.offers, "offer")}
                {total.parts !== total.offers && `, ${plural(total.parts, "part")}`}
              </span>
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
};
