import { minorDigits } from "../money.ts";

/** What a New Zealand dollar buys, in thousandths of a unit; only plausible, the sandbox trades nothing. */
const rates: ReadonlyMap<string, number> = new Map([
  ["NZD", 1000],
  ["AUD", 920],
  ["GBP", 470],
  ["USD", 600],
  ["EUR", 550],
  ["CAD", 820],
  ["SGD", 790],
  ["JPY", 90_000],
  ["KRW", 820_000],
]);

const nearest = (amount: number, step: number): number => Math.max(step, Math.floor((amount + step / 2) / step) * step);

/** A share, in whole percent, of an amount; rounded half up. */
export const percentOf = (amount: number, percent: number): number => Math.floor((amount * percent + 50) / 100);

/** New Zealand cents in the minor units of a currency; currencies it does not know count like dollars. */
export const inCurrency = (cents: number, currency: string): number => {
  const minorPerUnit = 10 ** minorDigits(currency);
  return Math.floor((cents * (rates.get(currency) ?? 1000) * minorPerUnit + 50_000) / 100_000);
};

/** Prices as suppliers write them: new ones to five minor units, used ones to whole units, large ones to five; never nothing. */
export const rounded = (minor: number, currency: string, used: boolean): number => {
  const unit = 10 ** minorDigits(currency);
  if (!used) return nearest(minor, 5);
  return nearest(minor, minor < 100 * unit ? unit : 5 * unit);
};
