import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { ResentCall } from "../control/handler.ts";
import { newId } from "../storage/new-id.ts";

/** Marks the service's calls to itself. Valid only with an ID the service chose. */
const REPLAY_HEADER = "x-sandbox-replay";

/** Sends recorded calls again over HTTP, so they are treated like any other. */
export class Replays {
  /** Original call of each running replay, by the replay's ID. */
  readonly #underWay = new Map<string, string>();

  /** ID chosen for a replay; null for other calls. */
  findId({ headers }: IncomingMessage): string | null {
    const id = headers[REPLAY_HEADER];
    return typeof id === "string" && this.#underWay.has(id) ? id : null;
  }

  /** ID of the call that a replay repeats; null for other calls. */
  findOriginal(id: string): string | null {
    return this.#underWay.get(id) ?? null;
  }

  /** Sends a call to the service. @returns the new call's ID */
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

export const withoutMark = (headers: readonly [string, string][]): [string, string][] =>
  headers.filter(([name]) => name !== REPLAY_HEADER);

const wildcards: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Resolves when the response has ended, with or without an error. */
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
    // The call's record shows the result.
    request.on("error", () => undefined);
    request.once("close", resolve);
    request.end(body);
  });
