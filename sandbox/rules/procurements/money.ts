/**
 * Money (D55): integers in minor units internally, decimal strings such as "884.75" in the API. Never binary fractions.
 */

/** Decimal digits of currencies that don't have two (ISO 4217). */
// biome-ignore format: a table, one number of digits a line
const unusualDigits: ReadonlyMap<string, number> = new Map([
  ["CLP", 0], ["ISK", 0], ["JPY", 0], ["KRW", 0], ["PYG", 0], ["UGX", 0], ["VND", 0], ["XAF", 0], ["XPF", 0],
  ["BHD", 3], ["IQD", 3], ["JOD", 3], ["KWD", 3], ["LYD", 3], ["OMR", 3], ["TND", 3],
]);

const AMOUNT = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

/** Decimal digits of a currency; two if it is unknown. */
export const minorDigits = (currency: string): number => unusualDigits.get(currency) ?? 2;

const whole = (value: number, what: string): number => {
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${what} ${value} is not a whole number that can be counted exactly`);
  return value === 0 ? 0 : value;
};

/**
 * Formats minor units with all decimal digits: 88475 NZD is "884.75", 1200 JPY "1200".
 *
 * @throws RangeError if `minor` is not a safe integer
 */
export const formatMinor = (minor: number, currency: string): string => {
  const digits = minorDigits(currency);
  const sign = whole(minor, "amount") < 0 ? "-" : "";
  const units = String(Math.abs(minor)).padStart(digits + 1, "0");
  return digits === 0 ? sign + units : `${sign}${units.slice(0, -digits)}.${units.slice(-digits)}`;
};

/** Parses a decimal string to minor units; null if it's no amount in the currency or not a safe integer. */
const tryParseMinor = (text: string, currency: string): number | null => {
  const digits = minorDigits(currency);
  const [, sign = "", major = "", fraction = ""] = AMOUNT.exec(text) ?? [];
  const minor = Number(sign + major + fraction.padEnd(digits, "0"));
  return major !== "" && fraction.length <= digits && Number.isSafeInteger(minor) ? minor : null;
};

/**
 * Parses a decimal string to minor units: "884.75" NZD is 88475. Accepts fewer decimal digits than the currency has
 * ("884.7", "884").
 *
 * @throws RangeError for more digits, or anything but a plain decimal number
 */
export const parseMinor = (text: string, currency: string): number => {
  const minor = tryParseMinor(text, currency);
  if (minor === null) throw new RangeError(`"${text}" is not an amount in ${currency}`);
  return whole(minor, "amount");
};

/**
 * The amount of a text with separators of thousands, a decimal comma or a currency: `$1,234.50`, `1.234,50 EUR`. Null
 * for plain amounts, and if a single separator may be either (`1,234`).
 */
export const toPlainAmount = (text: string): string | null => {
  const bare = text.trim().replace(/^(?:[A-Z]{2,3}|[A-Z]{0,2}\p{Sc})\s*|\s*(?:[A-Z]{3}|\p{Sc})$/gu, "");
  const [, whole = "", fraction = ""] = /^(\d{1,3}(?:([,. '’])\d{3}(?:\2\d{3})*)?|\d+)(?:[.,]\d{1,2})?$/u.exec(bare)
    ? (/^(.*?)(?:[.,](\d{1,2}))?$/u.exec(bare) ?? [])
    : [];
  const digits = whole.replaceAll(/\D/g, "");
  const isAmbiguous = /^\d{1,3}[.,]\d{3}$/.test(bare);
  const plain = fraction === "" ? digits : `${digits}.${fraction}`;
  return digits === "" || isAmbiguous || plain === text ? null : plain;
};

/** Checks whether {@link parseMinor} accepts the text. */
export const isAmount = (text: string, currency: string): boolean => tryParseMinor(text, currency) !== null;

/** Adds amounts in minor units of one currency. @throws RangeError beyond safe integers */
export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => whole(total + whole(amount, "amount"), "sum"), 0);

/** Multiplies an amount in minor units. @throws RangeError beyond safe integers */
export const times = (minor: number, quantity: number): number =>
  whole(whole(minor, "amount") * whole(quantity, "quantity"), "product");
