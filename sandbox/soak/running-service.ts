import { setTimeout as sleep } from "node:timers/promises";
import { TestService } from "../testing/harness.ts";
import type { CommandProcess } from "../testing/process.ts";
import { Fault } from "./ledger.ts";

/** How long a start may take; longer is a fault. */
const START_MS = 60_000;

/** The service on one data folder, killed and started again; callers wait at the door while it is down. */
export class RunningService {
  readonly #data: string;
  readonly #start: (...args: string[]) => CommandProcess;
  readonly #onFault: (fault: Fault) => void;
  #command: CommandProcess | null = null;
  #door = Promise.withResolvers<TestService | null>();
  #isOpen = false;
  kills = 0;
  /** From spawn to ready, in milliseconds, of the slowest start after a kill. */
  longestRestartMs = 0;

  /** @param start starts the command with arguments */
  constructor(data: string, start: (...args: string[]) => CommandProcess, onFault: (fault: Fault) => void) {
    this.#data = data;
    this.#start = start;
    this.#onFault = onFault;
  }

  /** The service once it may be called; null when there will be none any more. */
  get opened(): Promise<TestService | null> {
    return this.#door.promise;
  }

  #spawn(): CommandProcess {
    const command = this.#start("--port", "0", "--data", this.#data, "--log", "silent");
    this.#command = command;
    void command.ended.then(({ status, stderr }) => {
      if (this.#command === command) this.#onFault(new Fault(`The service ended by itself (${status}): ${stderr}`));
    });
    return command;
  }

  /** Starts it. Nobody else is let in before {@link open}. @throws Fault when it does not start */
  async start(): Promise<TestService> {
    const began = performance.now();
    const command = this.#spawn();
    const ready = await command.ready(START_MS).catch((error: unknown) => {
      throw new Fault(`The service did not start after ${this.kills} kills: ${error}`);
    });
    if (this.kills > 0) this.longestRestartMs = Math.max(this.longestRestartMs, performance.now() - began);
    return new TestService(this.#data, { ready, address: ready.base_url, stop: () => this.stop() });
  }

  open(service: TestService): void {
    this.#isOpen = true;
    this.#door.resolve(service);
  }

  /** Nobody is let in any more, and nobody waits. */
  close(): void {
    this.#door.resolve(null);
    this.#door = Promise.withResolvers();
    this.#door.resolve(null);
  }

  /** Kills it as a power failure would; those who come now wait for the next. */
  async kill(): Promise<void> {
    const command = this.#command;
    this.#command = null;
    // Those who wait already wait for the next one too.
    if (this.#isOpen) this.#door = Promise.withResolvers();
    this.#isOpen = false;
    this.kills += 1;
    await command?.kill("SIGKILL");
  }

  /** Starts it and kills it so soon that it may not be ready. */
  async startAndKill(afterMs: number): Promise<void> {
    this.#spawn();
    await sleep(afterMs);
    await this.kill();
  }

  /** @throws Fault when it does not end as it should */
  async stop(): Promise<void> {
    const command = this.#command;
    this.#command = null;
    const ended = await command?.kill("SIGTERM");
    if (ended && ended.status !== 0) throw new Fault(`The service ended with ${ended.status}: ${ended.stderr}`);
  }

  /** Ends what runs, without a word. */
  end(): void {
    const command = this.#command;
    this.#command = null;
    command?.child.kill("SIGKILL");
  }
}
