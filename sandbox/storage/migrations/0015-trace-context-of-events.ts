/** W3C trace context of the originating call, sent with the event's notifications. */
export const traceContextOfEvents = "ALTER TABLE events ADD COLUMN traceparent TEXT";
