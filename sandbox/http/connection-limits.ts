/** How much of the service one caller may hold, and for how long. */
export interface ConnectionLimits {
  /** Connections at once; one more is closed as soon as it is made. */
  readonly connections: number;
  /** Bytes of a request's address and headers together. */
  readonly headerBytes: number;
  /** Headers of a request. */
  readonly headers: number;
  /** Milliseconds from a connection, or from the first byte of a later request on it, to the end of the headers. */
  readonly headersMs: number;
  /** Milliseconds to the end of the body, counted from the same moment. */
  readonly requestMs: number;
  /** Milliseconds between two looks for callers that are over one of those times. */
  readonly checkMs: number;
  /** Milliseconds a connection without a request is kept for the next one. */
  readonly keepAliveMs: number;
  /** Milliseconds a stop waits for what is in flight. */
  readonly stopMs: number;
}

/** The limits of every service that is not a test of them. */
export const connectionLimits: ConnectionLimits = {
  // With the files of two hundred open worlds this stays below the 4,096 descriptors a process can count on, and a
  // test suite with a connection a worker stays far below it.
  connections: 1_000,
  // Node's own default: credentials, a trace context and a proxy's additions fit many times over.
  headerBytes: 16_384,
  // Node would silently leave out those beyond its own limit, and a credential might be among them.
  headers: 100,
  headersMs: 15_000,
  // A picture of 20 MiB arrives in this time over 6 Mbit/s.
  requestMs: 30_000,
  // Node looks every thirty seconds by itself, which would make these times up to three times as long.
  checkMs: 2_000,
  // Longer than the sixty seconds after which common load balancers let go: they, not the service, end a connection.
  keepAliveMs: 72_000,
  // Shorter than the ten seconds after which container runtimes kill what they asked to stop.
  stopMs: 8_000,
};
