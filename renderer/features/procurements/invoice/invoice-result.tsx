import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import { Icon } from "../../../components/icon.tsx";
import { plural } from "../../../lib/formatting.ts";
import type { Invoice } from "./use-invoice.ts";
import { isClean, tallyOf } from "./verdicts.ts";

const words = {
  matched: (count: number) => `${count} matched`,
  price: (count: number) => plural(count, "price difference"),
  quantity: (count: number) => plural(count, "quantity difference"),
  missing: (count: number) => `${count} missing`,
  unexpected: (count: number) => `${count} unexpected`,
};

/** What the comparison came to, in a line; and that the lines were changed since, when they were. */
export const InvoiceResult = ({ invoice: { answer, lines } }: { invoice: Invoice }) => {
  if (!answer) return null;
  const clean = isClean(answer.result);
  const stale = lines !== answer.sent && JSON.stringify(lines) !== JSON.stringify(answer.sent);
  const tone = clean ? "ok" : "wait";
  return (
    <div className={`procurements-invoice-result ${stale ? "off" : tone}`} role="status">
      <Icon of={stale ? IconInfoCircle : clean ? IconCircleCheck : IconAlertTriangle} size={14} />
      <b className="w6">{clean ? "The invoice is what was ordered" : "The invoice differs from the order"}</b>
      <span className="t12 t2">
        {tallyOf(answer.result)
          .map(({ kind, count }) => words[kind](count))
          .join(", ") || "no lines on either"}
        {stale && "; the lines were changed since"}
      </span>
    </div>
  );
};
