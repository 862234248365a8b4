import { type ChildProcess, fork, type SpawnOptions, spawn } from "node:child_process";

const OWN_GROUP = process.platform !== "win32";

/** Every process the bench has running, each in a group of its own, so that whatever it starts ends with it. */
export class Children {
  readonly #running = new Set<ChildProcess>();

  spawn(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    return this.#keep(spawn(program, [...args], { ...options, detached: OWN_GROUP }));
  }

  /** A module of the bench, which answers calls. */
  fork(module: string): ChildProcess {
    return this.#keep(fork(module, [], { execArgv: [], detached: OWN_GROUP }));
  }

  #keep(child: ChildProcess): ChildProcess {
    this.#running.add(child);
    child.once("exit", () => this.#running.delete(child));
    child.once("error", () => this.#running.delete(child));
    return child;
  }

  /** Ends them all, at once: nothing they hold is worth keeping. */
  endAll(): void {
    for (const child of this.#running) {
      try {
        if (OWN_GROUP && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It ended by itself in the meantime.
      }
    }
  }
}

/** Resolves when the process has ended. */
export const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", () => resolve()));
