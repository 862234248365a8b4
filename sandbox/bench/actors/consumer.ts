import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Envelope } from "../../contract/events.ts";
import { answerCalls } from "../processes/answering.ts";

/** What a receiver has seen since it was last told to forget. Times are milliseconds since 1970. */
export interface Received {
  /** Different messages, an address each: a repeat counts once. */
  readonly distinct: number;
  readonly repeated: number;
  readonly lastAt: number | null;
}

interface Awaited {
  readonly distinct: number;
  readonly done: (received: Received) => void;
}

const now = (): number => performance.timeOrigin + performance.now();

let seen = new Set<string>();
let repeated = 0;
let lastAt: number | null = null;
let held: (() => void)[] | null = null;
let awaited: Awaited | null = null;

const received = (): Received => ({ distinct: seen.size, repeated, lastAt });

const take = (address: string, body: Buffer): void => {
  const { message_id } = JSON.parse(body.toString("utf8")) as Envelope;
  const key = `${address} ${message_id}`;
  if (seen.has(key)) repeated += 1;
  else {
    seen.add(key);
    lastAt = now();
  }
  if (awaited && seen.size >= awaited.distinct) awaited.done(received());
};

/** A partner's receiver: reads which message it is, remembers it, and acknowledges at once. */
const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    take(request.url ?? "", Buffer.concat(chunks));
    const acknowledge = () =>
      response.writeHead(200, { "content-type": "application/json", "content-length": 11 }).end('{"ok":true}');
    if (held) held.push(acknowledge);
    else acknowledge();
  });
});
server.keepAliveTimeout = 60_000;

const calls = {
  /** @returns the port it listens on */
  listen: (_: null): Promise<number> =>
    new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))),
  /** Answers nothing from now on. */
  hold: (_: null): void => {
    held ??= [];
  },
  /** Answers what was held, and whatever comes. @returns milliseconds since 1970 */
  release: (_: null): number => {
    const at = now();
    for (const acknowledge of held ?? []) acknowledge();
    held = null;
    return at;
  },
  forget: (_: null): void => {
    seen = new Set();
    repeated = 0;
    lastAt = null;
  },
  received: (_: null): Received => received(),
  /** Resolves when so many different messages have come, or when the time is up, with what came. */
  waitFor: ({ distinct, timeoutMs }: { readonly distinct: number; readonly timeoutMs: number }): Promise<Received> =>
    new Promise((resolve) => {
      const done = (result: Received): void => {
        clearTimeout(timer);
        awaited = null;
        resolve(result);
      };
      const timer = setTimeout(() => done(received()), timeoutMs);
      awaited = { distinct, done };
      if (seen.size >= distinct) done(received());
    }),
};
export type ConsumerCalls = typeof calls;

answerCalls(calls);
