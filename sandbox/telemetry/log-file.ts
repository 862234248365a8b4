import fs from "node:fs";
import path from "node:path";
import type { LogLine } from "../contract/control/service-operations.ts";

/** Size at which the log rotates. One earlier file is kept. */
const MAX_BYTES = 512 * 1024;

const readLine = (line: string): LogLine[] => {
  try {
    const { time, level, message, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const detail = Object.entries(fields).map(([name, value]) => (name === "error" ? value : `${name}: ${value}`));
    return [
      {
        time: String(time),
        level: level === "error" ? "error" : "info",
        message: String(message),
        detail: detail.length === 0 ? null : detail.join("\n"),
      },
    ];
  } catch {
    // A crash may cut off the last line.
    return [];
  }
};

/** Log file in the data folder, because users who start the app from a menu don't see standard error. */
export class LogFile {
  readonly file: string;
  readonly #earlier: string;

  constructor(dataFolder: string) {
    this.file = path.join(dataFolder, "service.log");
    this.#earlier = path.join(dataFolder, "service.earlier.log");
  }

  /** Appends a JSON line. Dropped if the disk refuses it. */
  readonly write = (line: string): void => {
    try {
      const { size = 0 } = fs.statSync(this.file, { throwIfNoEntry: false }) ?? {};
      if (size > MAX_BYTES) fs.renameSync(this.file, this.#earlier);
      fs.appendFileSync(this.file, line, { mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  };

  /** Last lines, newest first. */
  last(limit: number): LogLine[] {
    const files = [this.#earlier, this.file].filter((file) => fs.existsSync(file));
    const lines = files.flatMap((file) => fs.readFileSync(file, "utf8").split("\n"));
    return lines.flatMap(readLine).slice(-limit).reverse();
  }

  clear(): void {
    for (const file of [this.#earlier, this.file]) fs.rmSync(file, { force: true });
  }
}
