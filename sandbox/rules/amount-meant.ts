import { isAmount, minorDigits } from "./money.ts";

/** The amount that a text may have been meant as, such as "NZ$ 1,548.05" or "76,15"; null: none. */
export const amountMeant = (text: string, currency: string): string | null => {
  const digits = text.replace(/[^\d.,-]/g, "");
  const decimal = digits.includes(".") ? digits.replaceAll(",", "") : digits.replace(/,(\d{1,2})$/, ".$1");
  const plain = decimal.replaceAll(",", "");
  if (plain === "" || !Number.isFinite(Number(plain)) || Math.abs(Number(plain)) > 1_000_000) return null;
  const amount = Number(plain).toFixed(minorDigits(currency));
  return isAmount(amount, currency) ? amount : null;
};
