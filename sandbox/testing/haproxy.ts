import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { findProgram } from "./debian.ts";
import { freePort } from "./postgres.ts";

const CONFIGURATION = path.join(import.meta.dirname, "..", "..", "docs", "deploy", "haproxy.cfg");

/** HAProxy with the configuration of `docs/deploy`, in front of local nodes and without TLS. */
export class TestHaproxy {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #file: string;

  private constructor(url: string, file: string, process: ChildProcess) {
    this.url = url;
    this.#file = file;
    this.#process = process;
  }

  /**
   * Returns null when HAProxy is not installed.
   * @param nodes their addresses, for example `127.0.0.1:4026` @param more additional configuration
   */
  static async start(
    folder: string,
    nodes: readonly string[],
    host = "127.0.0.1",
    more = "",
  ): Promise<TestHaproxy | null> {
    const program = findProgram("haproxy");
    if (program === null) return null;
    const port = await freePort();
    const text = fs
      .readFileSync(CONFIGURATION, "utf8")
      .replace(/bind .*/, `bind ${host}:${port}`)
      .replace(/server node(\d) .*/g, (_line, n: string) => `server node${n} ${nodes[Number(n) - 1]}`)
      .concat(more);
    const file = path.join(folder, "haproxy.cfg");
    fs.writeFileSync(file, text);
    const child = spawn(program, ["-db", "-f", file], { stdio: ["ignore", "ignore", "pipe"] });
    let errorText = "";
    child.stderr.on("data", (text: Buffer) => {
      errorText += text.toString();
    });
    const haproxy = new TestHaproxy(`http://${host}:${port}`, file, child);
    for (let tries = 0; tries < 500; tries += 1) {
      // Accepts any status: there may be no node yet.
      if (await fetch(`${haproxy.url}/__health`).catch(() => null)) return haproxy;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill();
    throw new Error(`HAProxy did not start: ${errorText}`);
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    // Ctrl-C may have ended it already.
    if (this.#process.kill("SIGTERM")) await ended;
    fs.rmSync(this.#file);
  }
}
