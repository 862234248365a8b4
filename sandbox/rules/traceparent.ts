/** W3C Trace Context, version 00: trace, the caller's span, flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** The header that carries the caller's trace; read from calls and sent to receivers. */
export const TRACEPARENT_HEADER = "traceparent";

/** A caller's trace context as it came; null: none, or one that is not valid, which is ignored as the standard asks. */
export const validTraceparent = (header: unknown): string | null =>
  typeof header === "string" && TRACEPARENT.test(header) ? header : null;

/** The trace that a valid context is of: 32 hexadecimal digits; null: of none. */
export const parseTraceId = (traceparent: string | null): string | null =>
  (traceparent === null ? null : TRACEPARENT.exec(traceparent)?.[1]) ?? null;

/**
 * The context of work that was caused by a call: of its trace, with a span of its own.
 *
 * @param traceparent as it is kept: a document that was imported may have anything in its place
 * @param span 16 hexadecimal digits
 * @returns null: there is no valid context
 */
export const childContext = (traceparent: string | null, span: string): string | null => {
  const valid = validTraceparent(traceparent);
  return valid === null ? null : valid.replace(TRACEPARENT, `00-$1-${span}-$2`);
};
