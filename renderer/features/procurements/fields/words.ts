import type { Address } from "../../../../sandbox/contract/resources/procurement.ts";

export const addressLine = (address: Address): string => {
  const { name, unit, street_number, street_name, suburb, city, state, postcode, country_code } = address;
  const joined = (...parts: readonly (string | null)[]) => parts.filter(Boolean).join(" ");
  return [name, unit, joined(street_number, street_name), suburb, joined(city, state, postcode), country_code]
    .filter(Boolean)
    .join(", ");
};

/** A value in a few words, for "was …" beside what it is now. */
export const wordsOf = (value: unknown): string => {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
};
