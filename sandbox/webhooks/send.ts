import { Connection, type Outcome } from "./connection.ts";
import { addressOf, type Prepared, requestBytes } from "./prepare.ts";
import { Watch } from "./watch.ts";

/** Stage two: what came back, or why nothing did. */
export interface Sent {
  readonly prepared: Prepared;
  readonly durationMs: number;
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly headers: [string, string][];
  /** At most the first 64 KiB, as they came. */
  readonly body: Buffer;
  readonly truncated: boolean;
  /** Why it acknowledges nothing, where the status does not say so. */
  readonly error: string | null;
  /** Ended with a connection through no fault of its own: goes again at once. */
  readonly lost: boolean;
}

/** D72: redirects are not followed, and whoever reads of one is told so. */
const redirectWords = ({ status, headers }: Outcome): string | null => {
  if (status === null || status < 300 || status > 399) return null;
  const location = headers.find(([name]) => name === "location")?.[1];
  return location === undefined ? null : `redirects are not followed; this one leads to ${location.slice(0, 500)}`;
};

export const sentOf = (prepared: Prepared, outcome: Outcome): Sent => ({
  prepared,
  durationMs: outcome.durationMs,
  status: outcome.status,
  headers: outcome.headers,
  body: outcome.body,
  truncated: outcome.truncated,
  error: outcome.error ?? redirectWords(outcome),
  lost: outcome.lost,
});

export interface Sender {
  send(prepared: Prepared, signal: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
}

const STOPPED = { status: null, headers: [], body: Buffer.alloc(0), truncated: false, durationMs: 0 };

/**
 * Sends one request at a time, each over a connection of its own; never follows a redirect (D72).
 *
 * @param allows whether an address a name resolved to may be connected to
 */
export const createSender = (allows: (address: string) => boolean): Sender => {
  const watch = new Watch();
  const send = (prepared: Prepared, signal: AbortSignal): Promise<Sent> =>
    new Promise((resolve) => {
      const { target, host, path } = addressOf(prepared.url);
      // What is kept of it is what goes over the wire.
      const whole = { ...prepared, headers: [["host", host], ["connection", "close"], ...prepared.headers] as const };
      const end = (outcome: Outcome): void => {
        signal.removeEventListener("abort", abort);
        watch.remove(connection);
        connection.close();
        resolve(sentOf(whole, outcome));
      };
      const abort = (): void => end({ ...STOPPED, error: "the service was stopped", lost: false, timedOut: false });
      const connection = new Connection<Prepared>(target, allows, {
        ended: (_, outcome) => end(outcome),
        settled: () => undefined,
      });
      signal.addEventListener("abort", abort, { once: true });
      watch.add(connection);
      if (signal.aborted) abort();
      else connection.send([whole], requestBytes(path, whole));
    });
  return {
    send,
    close: async () => watch.closeAll(),
  };
};
