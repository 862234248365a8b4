import type { Envelope } from "../contract/events.ts";
import type { Operation, RequestOf, ResponseOf } from "../contract/operation.ts";
import { type Answer, repairer, type TestCredential, type TestService } from "../testing/harness.ts";

/** Something that does not hold: the run ends with it. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/** The connection ended before the answer: whether it was done is not known. */
export class Lost extends Error {}

/** What happened, as one text: two events of one world never have the same. */
export const eventKey = ({ event_type, payload }: Pick<Envelope, "event_type" | "payload">): string =>
  "procurement_id" in payload
    ? `${event_type} ${payload.procurement_id} ${payload.status}`
    : `${event_type} ${payload.job_id} ${payload.change_action}`;

/** A thing that was acknowledged: how to read it, and the values its fields may have. */
export interface Kept<O extends Operation = Operation> {
  readonly operation: O;
  readonly request: RequestOf<O>;
  /** Of a field whose last change was not answered, either value will do. */
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
}

/** All that one world answered: what it must know to the end. */
export class Ledger {
  readonly world: string;
  /** The events of acknowledged changes: each must be delivered. */
  readonly events = new Set<string>();
  /** The `x-request-id` of every answered call: each must be on record. */
  readonly exchanges: string[] = [];
  readonly #things = new Map<string, Kept>();

  constructor(world: string) {
    this.world = world;
  }

  /** Notes what a thing must be like from now on. */
  keep<O extends Operation>(id: string, kept: Kept<O>): void {
    this.#things.delete(id);
    this.#things.set(id, kept);
  }

  acknowledge(...events: readonly Pick<Envelope, "event_type" | "payload">[]): void {
    for (const event of events) this.events.add(eventKey(event));
  }

  /** Calls the world. @throws Lost when the service was killed meanwhile; Fault for any answer but 200 */
  async ask<O extends Operation>(
    service: TestService,
    operation: O,
    body: RequestOf<O>,
    credential: TestCredential = repairer,
  ): Promise<ResponseOf<O>> {
    const headers = { "x-sandbox-tenant": this.world };
    const answer: Answer<ResponseOf<O>> = await service.call(operation, body, credential, headers).catch(() => {
      throw new Lost();
    });
    if (answer.status !== 200)
      throw new Fault(`${operation.id} in ${this.world} was answered with ${answer.status}: ${answer.text}`);
    this.exchanges.push(answer.headers.get("x-request-id") ?? "none");
    return answer.body;
  }

  /** Reads the latest things again. @throws Fault when one is not as it was acknowledged */
  async look(service: TestService, count: number): Promise<void> {
    for (const { operation, request, fields } of [...this.#things.values()].slice(-count)) {
      const body: unknown = await this.ask(service, operation, request);
      for (const [name, allowed] of Object.entries(fields)) {
        const found: unknown = Object(body)[name];
        if (allowed.includes(found)) continue;
        const what = `${operation.id} ${JSON.stringify(request)} in ${this.world}`;
        throw new Fault(`${what} has ${name} ${JSON.stringify(found)}, not one of ${JSON.stringify(allowed)}.`);
      }
    }
  }

  /** Compares what was answered with the ids of what is on record. @throws Fault when an exchange is missing */
  holdRecords(recorded: ReadonlySet<string>): void {
    const missing = this.exchanges.filter((id) => !recorded.has(id));
    if (missing.length === 0) return;
    const answered = `${this.world} answered ${this.exchanges.length} calls`;
    throw new Fault(`${answered}; the exchanges of ${missing.length} are not on record, for example ${missing[0]}.`);
  }

  /** How many acknowledged events were not delivered. */
  undelivered(delivered: ReadonlySet<string>): number {
    return [...this.events].filter((event) => !delivered.has(event)).length;
  }
}
