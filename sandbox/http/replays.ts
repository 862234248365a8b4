import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyRequest } from "fastify";
import type { ResentCall } from "../control/handler.ts";

/** Marks a call that the service makes to itself; it means nothing with a value the service did not choose. */
const REPLAY_HEADER = "x-sandbox-replay";
/** An exchange is kept as its answer leaves; longer than this nobody waits for it. */
const KEPT_WITHIN_MS = 2_000;

interface UnderWay {
  readonly replaysId: string;
  readonly kept: (id: string) => void;
}

/** The exchanges that are sent again, over the service's own door: they are calls like any other. */
export class Replays {
  readonly #underWay = new Map<string, UnderWay>();

  /** The exchange that a call sends again, as it is about to be kept; null for every other call. */
  take(request: FastifyRequest): string | null {
    if (this.#underWay.size === 0) return null;
    const key = request.headers[REPLAY_HEADER];
    const found = typeof key === "string" ? this.#underWay.get(key) : undefined;
    if (!found) return null;
    // After it was kept, which is what the caller is told with it.
    queueMicrotask(() => found.kept(request.id));
    return found.replaysId;
  }

  /** Makes a call to the service at an address. @returns the exchange it became; null when none was kept */
  async send({ method, path, headers, body, replaysId }: ResentCall, address: AddressInfo): Promise<string | null> {
    const key = randomUUID();
    const kept = new Promise<string>((resolve) => this.#underWay.set(key, { replaysId, kept: resolve }));
    try {
      await post({ method, path, headers: [...headers, [REPLAY_HEADER, key]], body }, address);
      const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), KEPT_WITHIN_MS).unref());
      return await Promise.race([kept, late]);
    } finally {
      this.#underWay.delete(key);
    }
  }
}

/** A replay's headers as they are kept: without the mark. */
export const withoutMark = (headers: readonly [string, string][]): [string, string][] =>
  headers.filter(([name]) => name !== REPLAY_HEADER);

const wildcards: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Resolves when the answer has ended, however it did. */
const post = (
  { method, path, headers, body }: Omit<ResentCall, "replaysId">,
  { address, port }: AddressInfo,
): Promise<void> =>
  new Promise((resolve) => {
    const host = wildcards[address] ?? address;
    const request = http.request({ host, port, method, path, agent: false });
    for (const [name, value] of headers) request.appendHeader(name, value);
    request.setHeader("content-length", body.length);
    request.on("response", (response) => response.resume().on("close", resolve));
    request.on("error", () => resolve());
    request.end(body);
  });
