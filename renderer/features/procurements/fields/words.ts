import type { Address } from "../../../../sandbox/contract/resources/procurement.ts";
import type { Difference } from "../../../lib/diff.ts";
import { plural } from "../../../lib/formatting.ts";

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

export const lastStep = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** The nulls it fills in, as a sentence's object: "deliver_before, condition of 2 items"; null when there are none. */
export const fillsIn = (predictions: readonly Difference[]): string | null => {
  const names = predictions
    .filter(({ path }) => path !== "status" && path !== "updated_at")
    .map(({ path }) => lastStep(path));
  const counted = [...new Set(names)].map((name) => {
    if (name === "deliver_before") return name;
    return `${name} of ${plural(names.filter((other) => other === name).length, "item")}`;
  });
  return counted.length > 0 ? counted.join(", ") : null;
};
