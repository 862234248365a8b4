import { isDeepStrictEqual } from "node:util";
import { type Snapshot, snapshotsList, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import type { Envelope } from "../contract/events.ts";
import type { Operation, RequestOf, ResponseOf } from "../contract/operation.ts";
import { repairer, type ServiceResponse, type TestCredential, type TestService } from "../testing/harness.ts";

/** The service that a ledger calls. */
export type CalledService = Pick<TestService, "call" | "ready">;

/** A violated guarantee, which ends the run. */
export class ViolatedGuaranteeError extends Error {
  override readonly name = "ViolatedGuaranteeError";
}

/** No response, or one that asks for a retry: whether the call took effect is unknown. */
export class UnknownOutcomeError extends Error {}

/** Source of a cluster's response: the world's ownership term, the number of its changes, and the node. */
export interface Position {
  readonly epoch: number;
  readonly seq: number;
  readonly node: string;
}

const readPosition = (headers: Headers): Position | null => {
  const found = /^(\d+)\.(\d+) (\S+)$/.exec(headers.get("x-sandbox-position") ?? "");
  return found && { epoch: Number(found[1]), seq: Number(found[2]), node: found[3] ?? "" };
};

/** Identifies an event by its content: two events of a world never have the same. */
export const eventKey = ({ event_type, payload }: Pick<Envelope, "event_type" | "payload">): string =>
  "procurement_id" in payload
    ? `${event_type} ${payload.procurement_id} ${payload.status}`
    : `${event_type} ${payload.job_id} ${payload.change_action}`;

/** An acknowledged record: the call that reads it, and the valid values of its fields. */
interface ExpectedRecord<O extends Operation = Operation> {
  readonly operation: O;
  readonly request: RequestOf<O>;
  /** A field has two valid values, the older first, while the outcome of its last change is unknown. */
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
}

/** Everything that a world acknowledged, and must still know at the end. */
export class Ledger {
  readonly world: string;
  /** Events of acknowledged changes, which must all be delivered. */
  readonly events = new Set<string>();
  /** The `x-request-id` of every answered call, which must all be recorded. */
  readonly exchanges: string[] = [];
  /** The highest position in a response; null without a cluster. */
  position: Position | null = null;
  /** The ownership term of each acknowledged change, by its number. */
  readonly #owners = new Map<number, number>();
  /** Acknowledged snapshots, by name. */
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #things = new Map<string, ExpectedRecord>();

  constructor(world: string) {
    this.world = world;
  }

  /** Stores a record's expected values. */
  keep<O extends Operation>(id: string, expected: ExpectedRecord<O>): void {
    this.#things.delete(id);
    this.#things.set(id, expected);
  }

  acknowledge(...events: readonly Pick<Envelope, "event_type" | "payload">[]): void {
    for (const event of events) this.events.add(eventKey(event));
  }

  /**
   * Calls the world. @throws UnknownOutcomeError when the service was killed during the call; ViolatedGuaranteeError for
   * any status but 200
   */
  async ask<O extends Operation>(
    service: CalledService,
    operation: O,
    body: RequestOf<O>,
    credential: TestCredential = repairer,
  ): Promise<ResponseOf<O>> {
    const isControl = operation.surface === "control";
    const token = isControl ? { authorization: `Bearer ${service.ready.control_token}` } : {};
    const [headers, key] = [{ "x-sandbox-tenant": this.world, ...token }, isControl ? undefined : credential];
    const before = this.position;
    const response: ServiceResponse<ResponseOf<O>> = await service
      .call(operation, body, key, headers)
      .catch((error) => {
        throw error instanceof ViolatedGuaranteeError ? error : new UnknownOutcomeError();
      });
    if (response.status !== 200)
      throw new ViolatedGuaranteeError(
        `${operation.id} in ${this.world} was answered with ${response.status}: ${response.text}`,
      );
    if (!isControl) this.exchanges.push(response.headers.get("x-request-id") ?? "none");
    this.#follow(operation, before, readPosition(response.headers));
    return response.body;
  }

  /** @throws ViolatedGuaranteeError when a response is older than an earlier call's, or a number has two owners */
  #follow({ id, effect, surface }: Operation, before: Position | null, position: Position | null): void {
    if (!position) return;
    const { epoch, seq } = position;
    if (before && (epoch < before.epoch || seq < before.seq))
      throw new ViolatedGuaranteeError(
        `${id} in ${this.world} went back from ${before.epoch}.${before.seq} to ${epoch}.${seq}.`,
      );
    if (!this.position || epoch > this.position.epoch || seq > this.position.seq) this.position = position;
    // A control operation needn't change the file that the number belongs to.
    if (effect === "read" || surface === "control") return;
    const owner = this.#owners.get(seq) ?? epoch;
    if (owner !== epoch)
      throw new ViolatedGuaranteeError(`${this.world} acknowledged change ${seq} under ${owner} and under ${epoch}.`);
    this.#owners.set(seq, epoch);
  }

  /** Reads the latest records again. @throws ViolatedGuaranteeError when one differs from its acknowledged values */
  async check(service: CalledService, count: number): Promise<void> {
    if (this.#snapshots.size > 0) await this.checkSnapshots(service);
    for (const [id, expected] of [...this.#things].slice(-count)) {
      const { operation, request, fields } = expected;
      const body: unknown = await this.ask(service, operation, request);
      for (const [name, allowed] of Object.entries(fields)) {
        const found: unknown = Object(body)[name];
        // Once a newer value was read, the older one is no longer valid.
        const from = allowed.indexOf(found);
        if (from > 0) this.#things.set(id, { ...expected, fields: { ...fields, [name]: allowed.slice(from) } });
        if (from >= 0) continue;
        const what = `${operation.id} ${JSON.stringify(request)} in ${this.world}`;
        throw new ViolatedGuaranteeError(
          `${what} has ${name} ${JSON.stringify(found)}, not one of ${JSON.stringify(allowed)}.`,
        );
      }
    }
  }

  /** Saves a snapshot under an unused name. @throws UnknownOutcomeError */
  async saveSnapshot(service: CalledService, name: string): Promise<void> {
    this.#snapshots.set(name, await this.ask(service, snapshotsSave, { world: this.world, name }));
  }

  /** @throws ViolatedGuaranteeError when an acknowledged snapshot is missing, or another has its name */
  async checkSnapshots(service: CalledService): Promise<void> {
    const { items } = await this.ask(service, snapshotsList, { world: this.world });
    for (const [name, expected] of this.#snapshots) {
      const found = items.find((snapshot) => snapshot.name === name);
      if (isDeepStrictEqual(found, expected)) continue;
      throw new ViolatedGuaranteeError(
        `${this.world} has ${JSON.stringify(found)}, not the snapshot ${JSON.stringify(expected)}.`,
      );
    }
  }

  /** Compares answered calls with recorded ones. @throws ViolatedGuaranteeError for a missing record */
  holdRecords(recorded: ReadonlySet<string>): void {
    const missing = this.exchanges.filter((id) => !recorded.has(id));
    if (missing.length === 0) return;
    const answeredText = `${this.world} answered ${this.exchanges.length} calls`;
    throw new ViolatedGuaranteeError(
      `${answeredText}; the exchanges of ${missing.length} are not on record, for example ${missing[0]}.`,
    );
  }

  /** Returns the number of acknowledged events that were not delivered. */
  undelivered(delivered: Pick<ReadonlySet<string>, "has">): number {
    return [...this.events].filter((event) => !delivered.has(event)).length;
  }
}
