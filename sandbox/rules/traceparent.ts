/** W3C Trace Context, version 00: trace, the caller's span, flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** The header that carries the caller's trace; read from calls and sent to receivers. */
export const TRACEPARENT_HEADER = "traceparent";

/** The caller's trace context; null if absent or invalid. The standard requires ignoring invalid ones. */
export const validTraceparent = (header: unknown): string | null =>
  typeof header === "string" && TRACEPARENT.test(header) ? header : null;

/** Trace ID of a valid context, 32 hexadecimal digits; null without one. */
export const parseTraceId = (traceparent: string | null): string | null =>
  (traceparent === null ? null : TRACEPARENT.exec(traceparent)?.[1]) ?? null;

/**
 * Trace context for work caused by a call: same trace, new span.
 *
 * @param traceparent unvalidated, because an imported document may contain anything
 * @param span 16 hexadecimal digits
 * @returns null without a valid context
 */
export const childContext = (traceparent: string | null, span: string): string | null => {
  const valid = validTraceparent(traceparent);
  return valid === null ? null : valid.replace(TRACEPARENT, `00-$1-${span}-$2`);
};
