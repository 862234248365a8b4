import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { environment } from "../config.ts";
import type { ReadyLine } from "../ready-line.ts";

const CLI = path.join(import.meta.dirname, "..", "cli.ts");

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The headless command as a process of its own. */
export class CommandProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #stdout = "";
  #stderr = "";

  /** @param cli the command to run: from source, unless it is built */
  constructor(args: readonly string[], env: NodeJS.ProcessEnv = {}, cli = CLI) {
    this.child = spawn(process.execPath, [cli, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...environment(), ...env },
    });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
    this.ended = new Promise((resolve) => {
      this.child.on("close", (status, signal) =>
        resolve({ status, signal, stdout: this.#stdout, stderr: this.#stderr }),
      );
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  /** The ready line. @throws when the process ends before it, with what it said */
  async ready(timeoutMs = 10_000): Promise<ReadyLine> {
    const end = Date.now() + timeoutMs;
    while (!this.#stdout.includes("\n")) {
      if (this.child.exitCode !== null || Date.now() > end)
        throw new Error(`no ready line: ${this.#stderr || "nothing on standard error"}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return JSON.parse(this.#stdout) as ReadyLine;
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}
