/** The W3C trace context of the call that an event came of, which its notifications go out with. */
export const traceContextOfEvents = "ALTER TABLE events ADD COLUMN traceparent TEXT";
