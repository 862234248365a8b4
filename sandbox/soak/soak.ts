import { randomInt } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { worldFileName } from "../rules/worlds/world-name.ts";
import { TestService } from "../testing/harness.ts";
import type { CommandProcess } from "../testing/process.ts";
import { FlakyReceiver } from "./flaky-receiver.ts";
import { Ledger, ViolatedGuaranteeError } from "./ledger.ts";
import { Writer } from "./writer.ts";

/** Longest time without progress, and longest time of a start, in milliseconds; more counts as a hang. */
const MAX_WAIT_MS = 60_000;
/** Number of a world's latest records to check after a kill; the last check reads all. */
const CHECKED_RECORDS = 3;

interface SoakPlan {
  readonly data: string;
  /** Number of worlds with concurrent writers. */
  readonly worlds: number;
  /** Starts the service's command with arguments. */
  readonly start: (...args: string[]) => CommandProcess;
  /** The longest pause between two jobs of a world, in milliseconds. */
  readonly pauseMs: number;
  /** Number of acknowledged changes between two kills. */
  readonly life: { readonly least: number; readonly most: number };
  /** Called after each kill: whether it was the last. */
  readonly over: (kills: number) => boolean;
  readonly say: (line: string) => void;
}

/** Returns the IDs of a world's recorded calls; the file may be open elsewhere. */
const readRecorded = (data: string, world: string): Set<string> => {
  const db = new Sqlite(path.join(data, "worlds", worldFileName(world)), { readonly: true });
  const ids = db.prepare("SELECT id FROM requests").pluck().all() as string[];
  db.close();
  return new Set(ids);
};

/**
 * Runs writers in many worlds and a flaky receiver against a service that is killed repeatedly. After each kill, and
 * for everything at the end, checks that acknowledged changes exist and are delivered, and that answered calls are
 * recorded.
 */
export class Soak {
  readonly #plan: SoakPlan;
  readonly #writers: readonly Writer[];
  readonly #failed = Promise.withResolvers<never>();
  readonly #receiver = new FlakyReceiver(this.#failed.reject);
  #command: CommandProcess | null = null;
  #kills = 0;

  constructor(plan: SoakPlan) {
    this.#plan = plan;
    this.#writers = Array.from({ length: plan.worlds }, (_, number) => new Writer(new Ledger(`soak-${number}`)));
    // Prevents an unhandled rejection: between two kills, nothing awaits it.
    this.#failed.promise.catch(() => undefined);
  }

  /** Counts of verified changes, deliveries and recorded calls. */
  get counts() {
    const { received } = this.#receiver;
    const [acknowledged, responses] = [
      this.#sum(({ events }) => events.size),
      this.#sum((one) => one.exchanges.length),
    ];
    return { kills: this.#kills, acknowledged, responses, notifications: received };
  }

  #sum(count: (ledger: Ledger) => number): number {
    return this.#writers.reduce((sum, { ledger }) => sum + count(ledger), 0);
  }

  /** @throws ViolatedGuaranteeError for the first violation */
  async run(): Promise<Soak["counts"]> {
    try {
      return await Promise.race([this.#run(), this.#failed.promise]);
    } finally {
      await this.end();
    }
  }

  /** Stops the service and the receiver. */
  async end(): Promise<void> {
    this.#receiver.stop();
    await this.#stop("SIGKILL");
  }

  async #run(): Promise<Soak["counts"]> {
    const { life, over, say, pauseMs } = this.#plan;
    await this.#receiver.start();
    let service = await this.#start();
    await this.#each((ledger) => this.#receiver.subscribe(service, ledger.world));
    for (let isLast = false; !isLast; ) {
      const writing = Promise.all(this.#writers.map((writer) => writer.run(service, pauseMs, (isLost) => isLost)));
      writing.catch(this.#failed.reject);
      const enough = this.counts.acknowledged + randomInt(life.least, life.most);
      await this.#until("acknowledged", () => Math.max(0, enough - this.counts.acknowledged));
      await this.#stop("SIGKILL");
      this.#kills += 1;
      await writing;
      service = await this.#start();
      isLast = over(this.#kills);
      await this.#each((ledger) => this.#check(service, ledger, isLast ? Number.POSITIVE_INFINITY : CHECKED_RECORDS));
      say(JSON.stringify(this.counts));
    }
    await this.#until("delivered", () => this.#sum((one) => one.undelivered(this.#receiver.deliveredTo(one.world))));
    const ended = await this.#stop("SIGTERM");
    if (ended?.status !== 0)
      throw new ViolatedGuaranteeError(`The service ended with ${ended?.status}: ${ended?.stderr}`);
    await this.#each(async (ledger) => ledger.holdRecords(readRecorded(this.#plan.data, ledger.world)));
    return this.counts;
  }

  #each(work: (ledger: Ledger) => Promise<void>): Promise<unknown> {
    return Promise.all(this.#writers.map(({ ledger }) => work(ledger)));
  }

  async #start(): Promise<TestService> {
    const command = this.#plan.start("--port", "0", "--data", this.#plan.data, "--log", "silent");
    this.#command = command;
    void command.ended.then(({ status, stderr }) => {
      const fault = new ViolatedGuaranteeError(`The service ended by itself (${status}): ${stderr}`);
      if (this.#command === command) this.#failed.reject(fault);
    });
    const ready = await command.ready(MAX_WAIT_MS);
    const stop = async (): Promise<void> => void (await this.#stop("SIGTERM"));
    return new TestService(this.#plan.data, { ready, address: ready.base_url, stop });
  }

  async #stop(signal: "SIGKILL" | "SIGTERM") {
    const command = this.#command;
    this.#command = null;
    return command?.kill(signal);
  }

  /** Checks acknowledged records and answered calls. @throws ViolatedGuaranteeError */
  async #check(service: TestService, ledger: Ledger, count: number): Promise<void> {
    ledger.holdRecords(readRecorded(this.#plan.data, ledger.world));
    await ledger.check(service, count);
  }

  /** Resolves when nothing is left. @throws ViolatedGuaranteeError without progress for too long */
  async #until(what: string, left: () => number): Promise<void> {
    let last = { left: left(), at: performance.now() };
    while (last.left > 0) {
      await Promise.race([sleep(20), this.#failed.promise]);
      const now = left();
      if (now !== last.left) last = { left: now, at: performance.now() };
      else if (performance.now() - last.at > MAX_WAIT_MS)
        throw new ViolatedGuaranteeError(
          `${now} changes are not ${what}, and nothing was for ${MAX_WAIT_MS / 1_000} seconds.`,
        );
    }
  }
}
