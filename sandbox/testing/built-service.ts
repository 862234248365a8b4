import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { TestService, temporaryFolder } from "./harness.ts";
import { CommandProcess } from "./process.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");

/** The command as it is shipped, built from what is there into a folder of its own. */
export class BuiltCommand {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async build(): Promise<BuiltCommand> {
    fs.mkdirSync(path.join(ROOT, "out"), { recursive: true });
    const folder = fs.mkdtempSync(path.join(ROOT, "out", "test-service-"));
    const script = path.join(ROOT, "build", "lib", "bundle-service.mjs");
    const built = new BuiltCommand(folder);
    try {
      await promisify(execFile)(process.execPath, [script, "service", folder], { cwd: ROOT });
    } catch (error) {
      built.remove();
      throw error;
    }
    return built;
  }

  run(...args: string[]): CommandProcess {
    return new CommandProcess(args, {}, path.join(this.#folder, "cli.js"));
  }

  /** Starts it as a service that keeps everything, in a process of its own. */
  async serve(data = temporaryFolder()): Promise<TestService> {
    const command = this.run("--port", "0", "--data", data, "--log", "silent");
    const ready = await command.ready().catch(async (error: unknown) => {
      await command.kill("SIGKILL");
      throw error;
    });
    const stop = async (): Promise<void> => {
      await command.kill("SIGTERM");
    };
    return new TestService(data, { ready, address: ready.base_url, stop });
  }

  remove(): void {
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}
