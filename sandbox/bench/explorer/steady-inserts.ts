import { pathOf } from "../../contract/operation.ts";
import { jobsInsert } from "../../contract/operations/partner.ts";
import { NUMBER, numberText } from "../load/request-text.ts";
import type { Service } from "../processes/service.ts";
import { headersOf, insertBody } from "../workload.ts";

const TICK_MS = 20;

/** A partner's program that inserts so many jobs a second, as evenly as it can, until it is ended. */
export class SteadyInserts {
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #perSecond: number;
  readonly #send: (number: number) => Promise<void>;
  readonly #open = new Set<Promise<void>>();
  #sent = 0;
  #failure: unknown = null;

  private constructor(perSecond: number, send: (number: number) => Promise<void>) {
    this.#perSecond = perSecond;
    this.#send = send;
    this.#timer = setInterval(() => this.#sendDue(), TICK_MS);
  }

  static async start(service: Service, perSecond: number, numbersFrom: number): Promise<SteadyInserts> {
    const text = JSON.stringify(await insertBody(service));
    const address = service.ready.base_url + pathOf(jobsInsert);
    const headers = { "content-type": "application/json", ...headersOf(service, jobsInsert) };
    return new SteadyInserts(perSecond, async (number) => {
      const body = text.replaceAll(NUMBER, numberText(numbersFrom + number));
      const response = await fetch(address, { method: "POST", headers, body });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`An insert was answered ${response.status}.`);
    });
  }

  #sendDue(): void {
    const due = Math.floor(((performance.now() - this.#began) / 1_000) * this.#perSecond);
    // What a busy machine could not take is not made up for later.
    const room = Math.max(0, this.#perSecond - this.#open.size);
    for (let left = Math.min(due - this.#sent, room, this.#perSecond); left > 0; left -= 1) {
      this.#sent += 1;
      const call = this.#send(this.#sent).catch((error: unknown) => {
        this.#failure ??= error;
      });
      this.#open.add(call);
      void call.finally(() => this.#open.delete(call));
    }
  }

  /** @returns how many a second it came to @throws what went wrong with the first call that failed */
  async end(): Promise<number> {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
    if (this.#failure !== null) throw this.#failure;
    return this.#sent / ((performance.now() - this.#began) / 1_000);
  }
}
