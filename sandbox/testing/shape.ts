import { expect } from "vitest";

/** Returns a value's problems with their paths; empty when it has the shape. */
export type Shape = (value: unknown, at: string) => string[];

const shortText = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? String(value);

const must = (what: string, holds: (value: unknown) => boolean): Shape => {
  return (value, at) => (holds(value) ? [] : [`${at || "/"} must be ${what}, not ${shortText(value)}`]);
};

const matching = (what: string, pattern: RegExp): Shape =>
  must(what, (value) => typeof value === "string" && pattern.test(value));

export const text = must("a string", (value) => typeof value === "string");
export const uuid = matching("a UUID", /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const url = matching("an absolute URL", /^https?:\/\/[^/]+/);
/** D10. */
export const timestamp = matching("RFC 3339 in UTC with milliseconds", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const number = must("a number", (value) => typeof value === "number");

export const pattern = (what: string, form: RegExp): Shape => matching(what, form);

export const unsigned = (bits: number): Shape =>
  must(
    `an integer of ${bits} bits`,
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** bits,
  );

export const oneOf = (...values: readonly unknown[]): Shape =>
  must(`one of ${values.map(shortText).join(", ")}`, (value) => values.includes(value));

export const nullable =
  (shape: Shape): Shape =>
  (value, at) =>
    value === null ? [] : shape(value, at);

export const arrayOf =
  (shape: Shape): Shape =>
  (value, at) =>
    Array.isArray(value)
      ? value.flatMap((one, index) => shape(one, `${at}/${index}`))
      : [`${at || "/"} must be an array`];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object with exactly these keys. */
export const exactly =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value, at) => {
    if (!isObject(value)) return [`${at || "/"} must be an object, not ${shortText(value)}`];
    const missing = Object.keys(fields).filter((key) => !Object.hasOwn(value, key));
    const surplus = Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
    return [
      ...missing.map((key) => `${at}/${key} is missing`),
      ...surplus.map((key) => `${at}/${key} is not in the contract`),
      ...Object.entries(fields).flatMap(([key, shape]) => (key in value ? shape(value[key], `${at}/${key}`) : [])),
    ];
  };

/** Selects the shape by the value of `tag`. */
export const byTag =
  (tag: string, shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, at) => {
    const name = isObject(value) ? String(value[tag]) : "";
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    return shape
      ? shape(value, at)
      : [`${at}/${tag} must be one of ${Object.keys(shapes).join(", ")}, not ${shortText(name)}`];
  };

export const expectShape = (value: unknown, shape: Shape): void => expect(shape(value, "")).toEqual([]);
