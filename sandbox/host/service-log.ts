/** Where the service says what it does; standard output belongs to the ready line alone. */
export interface ServiceLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string): void;
  error(message: string, error: unknown): void;
}

const text = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Says everything in two places. */
export const bothLogs = (one: ServiceLog, other: ServiceLog): ServiceLog => ({
  info: (message, fields) => {
    one.info(message, fields);
    other.info(message, fields);
  },
  warn: (message) => {
    one.warn(message);
    other.warn(message);
  },
  error: (message, error) => {
    one.error(message, error);
    other.error(message, error);
  },
});

export const createLog = (format: "pretty" | "json" | "silent", write: (line: string) => void): ServiceLog => {
  const line = (level: string, message: string, fields: Record<string, unknown>): void => {
    const time = new Date().toISOString();
    if (format === "json") write(`${JSON.stringify({ time, level, message, ...fields })}\n`);
    if (format === "pretty") {
      const rest = Object.entries(fields)
        .map(([name, value]) => ` ${name}=${String(value)}`)
        .join("");
      write(`${time.slice(11, 23)} ${level === "info" ? "" : `${level.toUpperCase()} `}${message}${rest}\n`);
    }
  };
  return {
    info: (message, fields = {}) => line("info", message, fields),
    warn: (message) => line("warn", message, {}),
    error: (message, error) => line("error", message, { error: text(error) }),
  };
};
