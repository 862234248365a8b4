import { maskKnown } from "../secrets/masking.ts";

/** Log of the service. Standard output is reserved for the ready line. */
export interface ServiceLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string): void;
  error(message: string, error: unknown, fields?: Record<string, unknown>): void;
}

const text = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** @param keep receives every line as JSON, whatever the format */
export const createLog = (
  format: "pretty" | "json" | "silent",
  write: (line: string) => void,
  keep?: (line: string) => void,
): ServiceLog => {
  const line = (level: string, message: string, fields: Record<string, unknown>): void => {
    const time = new Date().toISOString();
    const json = maskKnown(`${JSON.stringify({ time, level, message, ...fields })}\n`);
    keep?.(json);
    if (format === "json") write(json);
    if (format === "pretty") {
      const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${String(value)}`);
      const line = `${level === "info" ? "" : `${level.toUpperCase()} `}${message}${rest.join("")}`;
      write(`${time.slice(11, 23)} ${maskKnown(line)}\n`);
    }
  };
  return {
    info: (message, fields = {}) => line("info", message, fields),
    warn: (message) => line("warn", message, {}),
    error: (message, error, fields = {}) => line("error", message, { ...fields, error: text(error) }),
  };
};
