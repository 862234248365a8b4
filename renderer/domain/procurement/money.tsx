import { formatAmount } from "../../lib/formatting.ts";

/** An amount as the service gives it, its minor digits untouched; an unknown amount is a dash with a word for it. */
export const Money = ({ amount, currency }: { amount: string | null; currency?: string | null }) => (
  <span className="money">
    {currency && amount !== null && <small>{currency}</small>}
    {amount === null ? <span title="No price given">no price</span> : formatAmount(amount)}
  </span>
);
