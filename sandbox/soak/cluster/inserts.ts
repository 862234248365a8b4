import { Pool } from "undici";
import { benchHeaders, jobMaker, type MakeJob } from "../../bench/load.ts";
import type { Operation, RequestOf } from "../../contract/operation.ts";
import { operationPath } from "../../contract/operation.ts";
import { businessesList, jobsInsert } from "../../contract/operations/partner.ts";
import type { ReadyLine } from "../../host/ready-line.ts";

const CALL_MS = 15_000;
/** Worlds that are filled at once. */
const AT_ONCE = 16;
/** Pictures that make a job large: some 30 KB on disk, as it is stored in the job and in its call. */
const LARGE_PICTURES = Array.from({ length: 16 }, (_, n) => `https://media.example.com/${n}/${"x".repeat(600)}`);

/** Calls nodes as the repairer of a seeded world, with keys that every world has. */
export class Inserts {
  readonly #ready: ReadyLine;
  readonly #job: MakeJob;
  #worlds = 0;

  private constructor(ready: ReadyLine, job: MakeJob) {
    this.#ready = ready;
    this.#job = job;
  }

  static async of(ready: ReadyLine): Promise<Inserts> {
    const job = await jobMaker({ ready, base: ready.base_url, pid: 0, stop: () => Promise.resolve() });
    return new Inserts(ready, job);
  }

  /** Names worlds that nobody has called yet. */
  newWorlds(count: number): string[] {
    return Array.from({ length: count }, () => `load-${this.#worlds++}`);
  }

  /** @throws for an unsuccessful response */
  async insert(pool: Pool, world: string, number: number, isLarge = false): Promise<void> {
    const job = this.#job(number);
    await this.#call(pool, jobsInsert, isLarge ? { ...job, images: LARGE_PICTURES } : job, world);
  }

  /** Reads a short list of the world. @throws for an unsuccessful response */
  async read(pool: Pool, world: string): Promise<void> {
    await this.#call(pool, businessesList, {}, world);
  }

  /** Fills new worlds with jobs, several at once. @returns the worlds */
  async fill(base: string, worlds: number, jobs: number, isLarge: boolean): Promise<string[]> {
    const pool = new Pool(base, { connections: AT_ONCE });
    const filled = this.newWorlds(worlds);
    const waiting = [...filled];
    const filling = async (): Promise<void> => {
      for (let world = waiting.pop(); world !== undefined; world = waiting.pop())
        for (let number = 0; number < jobs; number += 1) await this.insert(pool, world, number, isLarge);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, filling));
    await pool.close();
    return filled;
  }

  /** Each caller inserts jobs into its own world, one after the other. @returns inserts per second */
  async perSecond(base: string, callers: number, milliseconds: number): Promise<number> {
    const pool = new Pool(base, { connections: callers });
    const worlds = this.newWorlds(callers);
    for (const world of worlds) await this.insert(pool, world, 0);
    const startedAt = performance.now();
    let inserted = 0;
    const calling = async (world: string): Promise<void> => {
      for (let number = 1; performance.now() - startedAt < milliseconds; number += 1) {
        await this.insert(pool, world, number);
        inserted += 1;
      }
    };
    await Promise.all(worlds.map(calling));
    const perSecond = (inserted * 1_000) / (performance.now() - startedAt);
    await pool.close();
    return perSecond;
  }

  async #call<O extends Operation>(pool: Pool, operation: O, request: RequestOf<O>, world: string): Promise<void> {
    const service = { ready: this.#ready, base: "", pid: 0, stop: () => Promise.resolve() };
    const response = await pool.request({
      ...{ method: "POST", path: operationPath(operation), headers: benchHeaders(service, operation, world) },
      ...{ body: JSON.stringify(request), headersTimeout: CALL_MS },
    });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${operation.id} was answered ${response.statusCode}: ${text}`);
  }
}
