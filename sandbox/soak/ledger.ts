import type { Operation, RequestOf } from "../contract/operation.ts";
import { jobsGet, repairerProcurementsGet } from "../contract/operations/partner.ts";
import { repairer, type TestCredential } from "../testing/harness.ts";
import type { Expected, Mutation } from "./checks.ts";

/** Something that does not hold: the run ends with it. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/** Throws what a check found. @throws Fault */
export const hold = (found: string | null): void => {
  if (found !== null) throw new Fault(found);
};

/** What was acknowledged, and how to ask for it again. */
export interface Kept<O extends Operation = Operation> {
  readonly operation: O;
  readonly request: RequestOf<O>;
  readonly credential: TestCredential;
  expected: Expected;
}

/** All that was asked for and answered in a run: what the service must know to the end. */
export class Ledger {
  readonly acknowledged: Mutation[] = [];
  /** How many changes were asked for and not answered, since the service was killed. */
  unanswered = 0;
  readonly #jobs = new Map<string, Kept>();
  readonly #orders = new Map<string, Kept>();
  #ticks = 0;

  /** The next tick of the run's clock, which counts what the run sees. */
  tick(): number {
    this.#ticks += 1;
    return this.#ticks;
  }

  acknowledge(asked: number, events: readonly string[]): void {
    this.acknowledged.push({ events, asked, answered: this.tick() });
  }

  /** @param claims the claim numbers it may have: the acknowledged one, and one whose answer was lost */
  job(id: string, external: string, claims: readonly string[]): void {
    const expected = { what: `Job ${id} (${external})`, fields: { id: [id], claim_number: claims } };
    this.#jobs.delete(id);
    this.#jobs.set(id, { operation: jobsGet, request: { identity: { external } }, credential: repairer, expected });
  }

  /** @param statuses the statuses it may be in */
  order(id: string, jobId: string, statuses: readonly string[]): void {
    const expected = { what: `Procurement ${id}`, fields: { id: [id], job_id: [jobId], status: statuses } };
    this.#orders.delete(id);
    this.#orders.set(id, {
      operation: repairerProcurementsGet,
      request: { identity: { id } },
      credential: repairer,
      expected,
    });
  }

  /** What must be there, the latest last. */
  kept(): Kept[] {
    return [...this.#jobs.values(), ...this.#orders.values()];
  }

  /** The latest of what must be there. */
  latest(count: number): Kept[] {
    return [...[...this.#jobs.values()].slice(-count), ...[...this.#orders.values()].slice(-count)];
  }
}
