import type { TSchema } from "typebox";
import * as Type from "typebox";
import { Set as defineFormat, Test as testFormat } from "typebox/format";

/**
 * Vocabulary of the contract's schemas. Everything is plain JSON Schema 2020-12, so one declaration validates requests,
 * types handlers and the explorer, and appears unchanged in the OpenAPI document.
 *
 * Declarations import the library as a namespace: its default export would pull all of it into the explorer's page.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for a UUID of any version in its canonical 8-4-4-4-12 form; letters of either case. */
export const isUuid = (value: string): boolean => UUID.test(value);

/** True when the string can be stored and sent back byte for byte: no lone surrogate, no U+0000 (D9). */
export const isText = (value: string): boolean => value.isWellFormed() && !value.includes("\u0000");

/** True for an absolute `http` or `https` URL (D37). */
export const isAbsoluteUrl = (value: string): boolean => {
  // Browsers silently repair these: white space, control characters, a missing host.
  if (!/^https?:\/\/[^\s\p{Cc}/?#\\][^\s\p{Cc}]*$/iu.test(value) || !isText(value)) return false;
  return URL.canParse(value);
};

/** Returns whether a string matches a format of this vocabulary. */
export const meetsFormat = (format: string, value: string): boolean => testFormat(format, value);

defineFormat("uuid", isUuid);
defineFormat("text", isText);
defineFormat("absolute-url", isAbsoluteUrl);

/** A `string` of the contract: any Unicode, at most 4,096 characters (D9). @param more extensions for the document */
export const Text = (description?: string, more: Readonly<Record<`x-${string}`, unknown>> = {}) =>
  Type.String({ format: "text", maxLength: 4096, ...(description ? { description } : {}), ...more });

export const Uuid = (description?: string) => Type.String({ format: "uuid", ...(description ? { description } : {}) });

/** An absolute `http` or `https` URL of at most 2,048 characters (D9, D37). */
export const AbsoluteUrl = (description?: string) =>
  Type.String({ format: "absolute-url", maxLength: 2048, ...(description ? { description } : {}) });

/** A `timestamp`: RFC 3339, UTC, milliseconds, `Z` (D10). */
export const Timestamp = (description?: string) =>
  Type.String({ format: "date-time", ...(description ? { description } : {}) });

const unsigned = (bits: 8 | 16 | 32) => (description?: string) =>
  Type.Integer({ minimum: 0, maximum: 2 ** bits - 1, ...(description ? { description } : {}) });

export const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description ? { description } : {}) });

export const U8 = unsigned(8);
export const U16 = unsigned(16);
export const U32 = unsigned(32);

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A key that may be missing or null. */
export const OptionalNullable = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

/** A key that must not be present; makes "exactly one of" unions exact (D7). */
export const Absent = () => Type.Optional(Type.Never());

export const OneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...(description ? { description } : {}) });

/** `{items: [...]}`, the contract's list response. */
export const Items = <T extends TSchema>(item: T) => Type.Object({ items: Type.Array(item) });

/** Total of a list, up to a counting limit. */
export const counted = {
  total: Type.Integer({ minimum: 0 }),
  total_is_minimum: Type.Boolean({
    description:
      "True: there are more than `total`. Lists are counted up to 500, a world’s counts up to 20,000; shown as 500+",
  }),
};

/** A page of a longer list: `next_cursor` is null on the last one. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next_cursor: Nullable(Type.String()), ...counted });
