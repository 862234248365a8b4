import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { ResentCall } from "../control/handler.ts";
import { newId } from "../storage/new-id.ts";

/** Marks a call that the service makes to itself; it means nothing with an id the service did not choose. */
const REPLAY_HEADER = "x-sandbox-replay";

/** The exchanges that are sent again, over the service's own door: they are calls like any other. */
export class Replays {
  /** What each call that is under way sends again, by the id of the exchange it becomes. */
  readonly #underWay = new Map<string, string>();

  /** The id a request has because it was chosen when it was sent; null for every other one. */
  idOf({ headers }: IncomingMessage): string | null {
    const id = headers[REPLAY_HEADER];
    return typeof id === "string" && this.#underWay.has(id) ? id : null;
  }

  /** The exchange that the one with this id sends again; null where it is a call of its own. */
  replayedBy(id: string): string | null {
    return this.#underWay.get(id) ?? null;
  }

  /** Makes a call to the service at an address. @returns the exchange it became, if one was kept */
  async send({ replaysId, headers, ...call }: ResentCall, address: AddressInfo): Promise<string> {
    const id = newId();
    this.#underWay.set(id, replaysId);
    try {
      await post({ ...call, headers: [...headers, [REPLAY_HEADER, id]] }, address);
    } finally {
      this.#underWay.delete(id);
    }
    return id;
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
    request.on("response", (response) => response.resume());
    // What came of it is on record with the call.
    request.on("error", () => undefined);
    request.once("close", resolve);
    request.end(body);
  });
