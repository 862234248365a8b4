import { amountText } from "../../../lib/amounts.ts";
import { formatAmount, plural } from "../../../lib/formatting.ts";
import type { BasketChoice } from "./use-choice.ts";

/** Which parts have nothing chosen, in a few words. */
const missing = ({ table, chosen }: BasketChoice): string => {
  const covered = new Set(chosen.flatMap(({ partIds }) => partIds));
  const without = table.rows
    .filter(({ part }) => !covered.has(part.id))
    .map(({ part }) => part.description || "a part without description");
  const [first] = without;
  if (first === undefined) return "every part has an offer";
  return without.length === 1 ? `${first} has none` : `${first} and ${without.length - 1} more have none`;
};

/** What is chosen of each supplier, under its column. */
export const BasketFoot = ({ choice }: { choice: BasketChoice }) => {
  const { table, totals } = choice;
  return (
    <tfoot>
      <tr>
        <th scope="row">
          <span className="w5">
            {totals.parts} of {table.rows.length} parts chosen
          </span>
          <span className="t12 t3 el" title={missing(choice)}>
            {totals.parts === 0 ? "choose one offer a part" : missing(choice)}
          </span>
        </th>
        {table.columns.map(({ id }) => {
          const total = totals.bySupplier.get(id);
          if (!total || total.offers === 0)
            return (
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
