import { formatAmount } from "../../lib/formatting.ts";

/** An amount with the service's exact digits; unknown amounts are a dash with a label. */
export const Money = ({ amount, currency }: { amount: string | null; currency?: string | null }) => (
  <span className="money">
    {currency && amount !== null && <small>{currency}</small>}
    {amount === null ? <span title="No price given">no price</span> : formatAmount(amount)}
  </span>
);
