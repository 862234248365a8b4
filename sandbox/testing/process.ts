import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import path from "node:path";
import { environment } from "../config.ts";
import type { ReadyLine } from "../host/ready-line.ts";
import { TestService, temporaryFolder } from "./harness.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");
let shipped: string | undefined;

/** Returns the built command, rebuilt if stale. */
const shippedCommand = (): string => {
  if (shipped === undefined) {
    execFileSync(process.execPath, [path.join(ROOT, "build", "build.mjs")], { cwd: ROOT, stdio: "pipe" });
    shipped = path.join(ROOT, "out", "sandbox", "cli.js");
  }
  return shipped;
};

export interface ProcessResult {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The headless command in its own process. */
export class CommandProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<ProcessResult>;
  #stdout = "";
  #stderr = "";

  /**
   * @param cli entry of a different build from this checkout's
   * @param through a command that executes the following one
   */
  constructor(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    cli = shippedCommand(),
    through: readonly string[] = [],
  ) {
    const [program = "", ...rest] = [...through, process.execPath, cli, ...args];
    this.child = spawn(program, rest, {
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

  get stderr(): string {
    return this.#stderr;
  }

  /** Returns the ready line. @throws when the process ends before, with its output */
  async ready(timeoutMs = 10_000): Promise<ReadyLine> {
    const end = Date.now() + timeoutMs;
    while (!this.#stdout.includes("\n")) {
      if (this.child.exitCode !== null || Date.now() > end)
        throw new Error(`no ready line: ${this.#stderr || "nothing on standard error"}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return JSON.parse(this.#stdout.slice(0, this.#stdout.indexOf("\n"))) as ReadyLine;
  }

  kill(signal: NodeJS.Signals): Promise<ProcessResult> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Starts the command as a persistent service in its own process, which can be killed. */
export const serveCommand = async (
  data = temporaryFolder(),
): Promise<{ process: CommandProcess; service: TestService }> => {
  const command = new CommandProcess(["--port", "0", "--data", data, "--log", "silent"]);
  const ready = await command.ready().catch(async (error: unknown) => {
    await command.kill("SIGKILL");
    throw error;
  });
  const stop = async (): Promise<void> => void (await command.kill("SIGTERM"));
  return { process: command, service: new TestService(data, { ready, address: ready.base_url, stop }) };
};
