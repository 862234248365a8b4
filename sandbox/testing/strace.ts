import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** Makes every sync of a process fail with EIO. */
export const FAILING_SYNCS = ["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO"];

/** Attaches strace to a process and all its threads. */
export class Strace {
  readonly #strace: ChildProcess;

  private constructor(strace: ChildProcess) {
    this.#strace = strace;
  }

  /** Returns why strace cannot be used, or null. */
  static async hindrance(): Promise<string | null> {
    if (spawnSync("strace", ["--version"]).status !== 0) return "strace is not installed";
    const sleeper = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { stdio: "ignore" });
    try {
      const attached = await Strace.attach(sleeper.pid ?? 0, FAILING_SYNCS);
      await attached.end();
      return null;
    } catch (error) {
      return `strace may not attach to a process: ${error instanceof Error ? error.message : error}`;
    } finally {
      sleeper.kill("SIGKILL");
    }
  }

  /** Resolves once attached. @throws with strace's message when not permitted */
  static async attach(pid: number, options: readonly string[]): Promise<Strace> {
    const strace = spawn("strace", ["-f", ...options, "-p", String(pid)], { stdio: ["ignore", "ignore", "pipe"] });
    let output = "";
    await new Promise<void>((resolve, reject) => {
      strace.stderr.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-4_096);
        if (output.includes("attached")) resolve();
      });
      strace.once("exit", () => reject(new Error(output.trim())));
      strace.once("error", reject);
    });
    return new Strace(strace);
  }

  /** Resolves once detached. */
  async end(): Promise<void> {
    if (this.#strace.exitCode !== null || this.#strace.signalCode !== null) return;
    const exited = once(this.#strace, "exit");
    this.#strace.kill("SIGINT");
    await exited;
  }
}
