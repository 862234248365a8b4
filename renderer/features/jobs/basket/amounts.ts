/** An exact decimal price: whole units of its last digit, never floats (D55). */
export interface Amount {
  readonly units: bigint;
  /** Number of decimal places. */
  readonly scale: number;
}

export const zero: Amount = { units: 0n, scale: 0 };

/** "1456.30" → 145630 with two digits; null when invalid. */
export const parseAmount = (text: string): Amount | null => {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return null;
  const [, sign = "", whole = "", fraction = ""] = match;
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
};

/** Converts to a scale that is at least the amount's own. */
const toScale = ({ units, scale }: Amount, wanted: number): bigint => units * 10n ** BigInt(wanted - scale);

export const plus = (a: Amount, b: Amount): Amount => {
  const scale = Math.max(a.scale, b.scale);
  return { units: toScale(a, scale) + toScale(b, scale), scale };
};

export const times = ({ units, scale }: Amount, count: number): Amount => ({ units: units * BigInt(count), scale });

export const minus = (a: Amount, b: Amount): Amount => plus(a, times(b, -1));

export const sumAmounts = (amounts: readonly Amount[]): Amount => amounts.reduce(plus, zero);

/** Only for comparisons; never displayed. */
export const amountToNumber = (amount: Amount): number => Number(amount.units) / 10 ** amount.scale;

/** "1456.30" again, with at least two decimal places. */
export const amountText = (amount: Amount): string => {
  const scale = Math.max(amount.scale, 2);
  const units = toScale(amount, scale);
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const sign = units < 0n ? "-" : "";
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
};
