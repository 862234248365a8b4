import type { Envelope } from "../contract/events.ts";
import type { Operation, RequestOf, ResponseOf } from "../contract/operation.ts";
import { type Answer, repairer, type TestCredential, type TestService } from "../testing/harness.ts";

/** What a ledger calls. */
export type Called = Pick<TestService, "call">;

/** Something that does not hold: the run ends with it. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/** No answer came, or one that says to try again: whether it was done is not known. */
export class UnknownOutcomeError extends Error {}

/** Where an answer of several nodes comes from: which owner of the world, how many changes it has seen, and the node. */
export interface Position {
  readonly epoch: number;
  readonly seq: number;
  readonly node: string;
}

const positionIn = (headers: Headers): Position | null => {
  const found = /^(\d+)\.(\d+) (\S+)$/.exec(headers.get("x-sandbox-position") ?? "");
  return found && { epoch: Number(found[1]), seq: Number(found[2]), node: found[3] ?? "" };
};

/** What happened, as one text: two events of one world never have the same. */
export const eventKey = ({ event_type, payload }: Pick<Envelope, "event_type" | "payload">): string =>
  "procurement_id" in payload
    ? `${event_type} ${payload.procurement_id} ${payload.status}`
    : `${event_type} ${payload.job_id} ${payload.change_action}`;

/** A thing that was acknowledged: how to read it, and the values its fields may have. */
export interface Kept<O extends Operation = Operation> {
  readonly operation: O;
  readonly request: RequestOf<O>;
  /** Of a field whose last change was not answered, either value will do: the earlier one first. */
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
}

/** All that one world answered: what it must know to the end. */
export class Ledger {
  readonly world: string;
  /** The events of acknowledged changes: each must be delivered. */
  readonly events = new Set<string>();
  /** The `x-request-id` of every answered call: each must be on record. */
  readonly exchanges: string[] = [];
  /** Of the answer that knows most; null where there is one machine. */
  position: Position | null = null;
  /** By the number of an acknowledged change: the owner it was acknowledged under. */
  readonly #owners = new Map<number, number>();
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

  /** Calls the world. @throws UnknownOutcomeError when the service was killed meanwhile; Fault for any answer but 200 */
  async ask<O extends Operation>(
    service: Called,
    operation: O,
    body: RequestOf<O>,
    credential: TestCredential = repairer,
  ): Promise<ResponseOf<O>> {
    const headers = { "x-sandbox-tenant": this.world };
    const before = this.position;
    const answer: Answer<ResponseOf<O>> = await service.call(operation, body, credential, headers).catch((error) => {
      throw error instanceof Fault ? error : new UnknownOutcomeError();
    });
    if (answer.status !== 200)
      throw new Fault(`${operation.id} in ${this.world} was answered with ${answer.status}: ${answer.text}`);
    this.exchanges.push(answer.headers.get("x-request-id") ?? "none");
    this.#follow(operation, before, positionIn(answer.headers));
    return answer.body;
  }

  /** @throws Fault when an answer is of an earlier state than one that came before its call, or a number has two owners */
  #follow({ id, effect }: Operation, before: Position | null, position: Position | null): void {
    if (!position) return;
    const { epoch, seq } = position;
    if (before && (epoch < before.epoch || seq < before.seq))
      throw new Fault(`${id} in ${this.world} went back from ${before.epoch}.${before.seq} to ${epoch}.${seq}.`);
    if (!this.position || epoch > this.position.epoch || seq > this.position.seq) this.position = position;
    if (effect === "read") return;
    const owner = this.#owners.get(seq) ?? epoch;
    if (owner !== epoch) throw new Fault(`${this.world} acknowledged change ${seq} under ${owner} and under ${epoch}.`);
    this.#owners.set(seq, epoch);
  }

  /** Reads the latest things again. @throws Fault when one is not as it was acknowledged */
  async look(service: Called, count: number): Promise<void> {
    for (const [id, kept] of [...this.#things].slice(-count)) {
      const { operation, request, fields } = kept;
      const body: unknown = await this.ask(service, operation, request);
      for (const [name, allowed] of Object.entries(fields)) {
        const found: unknown = Object(body)[name];
        // What was read once does not become what it was before.
        const from = allowed.indexOf(found);
        if (from > 0) this.#things.set(id, { ...kept, fields: { ...fields, [name]: allowed.slice(from) } });
        if (from >= 0) continue;
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
  undelivered(delivered: Pick<ReadonlySet<string>, "has">): number {
    return [...this.events].filter((event) => !delivered.has(event)).length;
  }
}
