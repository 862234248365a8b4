/**
 * Money as the service keeps it (D55): whole minor units of a currency inside, decimal strings such as "884.75"
 * at the edges. No amount is ever a fraction in binary.
 */

/** Digits after the point where they are not two (ISO 4217). */
// biome-ignore format: a table, one number of digits a line
const unusualDigits: ReadonlyMap<string, number> = new Map([
  ["CLP", 0], ["ISK", 0], ["JPY", 0], ["KRW", 0], ["PYG", 0], ["UGX", 0], ["VND", 0], ["XAF", 0], ["XPF", 0],
  ["BHD", 3], ["IQD", 3], ["JOD", 3], ["KWD", 3], ["LYD", 3], ["OMR", 3], ["TND", 3],
]);

const AMOUNT = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

/** Digits after the point of a currency's amounts; two for a currency it does not know. */
export const minorDigits = (currency: string): number => unusualDigits.get(currency) ?? 2;

const whole = (value: number, what: string): number => {
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${what} ${value} is not a whole number that can be counted exactly`);
  return value === 0 ? 0 : value;
};

/**
 * Writes minor units as a decimal string with all of the currency's digits: 88475 NZD is "884.75", 1200 JPY "1200".
 * Throws RangeError when `minor` is not a safe integer.
 */
export const formatMinor = (minor: number, currency: string): string => {
  const digits = minorDigits(currency);
  const sign = whole(minor, "amount") < 0 ? "-" : "";
  const units = String(Math.abs(minor)).padStart(digits + 1, "0");
  return digits === 0 ? sign + units : `${sign}${units.slice(0, -digits)}.${units.slice(-digits)}`;
};

/** Minor units of a decimal string; null: it is no amount in the currency, or beyond what can be counted exactly. */
const minorOf = (text: string, currency: string): number | null => {
  const digits = minorDigits(currency);
  const [, sign = "", major = "", fraction = ""] = AMOUNT.exec(text) ?? [];
  const minor = Number(sign + major + fraction.padEnd(digits, "0"));
  return major !== "" && fraction.length <= digits && Number.isSafeInteger(minor) ? minor : null;
};

/**
 * Reads a decimal string as minor units: "884.75" NZD is 88475. Fewer digits after the point than the currency has
 * are fine ("884.7", "884"); more, or anything that is not a plain decimal number, throws RangeError.
 */
export const parseMinor = (text: string, currency: string): number => {
  const minor = minorOf(text, currency);
  if (minor === null) throw new RangeError(`"${text}" is not an amount in ${currency}`);
  return whole(minor, "amount");
};

/** True when {@link parseMinor} can read the text. */
export const isAmount = (text: string, currency: string): boolean => minorOf(text, currency) !== null;

/** Adds amounts in minor units of one currency; 0 for none. Throws RangeError beyond what can be counted exactly. */
export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => whole(total + whole(amount, "amount"), "sum"), 0);

/** An amount in minor units, `quantity` times. Throws RangeError beyond what can be counted exactly. */
export const times = (minor: number, quantity: number): number =>
  whole(whole(minor, "amount") * whole(quantity, "quantity"), "product");
