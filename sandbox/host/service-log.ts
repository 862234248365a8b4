/** Where the service says what it does; standard output belongs to the ready line alone. */
export interface ServiceLog {
  info(message: string, fields?: Record<string, unknown>): void;
  error(message: string, error: unknown): void;
}

const text = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Says everything in two places. */
export const bothLogs = (one: ServiceLog, other: ServiceLog): ServiceLog => ({
  info: (message, fields) => {
    one.info(message, fields);
    other.info(message, fields);
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
      write(`${time.slice(11, 23)} ${level === "error" ? "ERROR " : ""}${message}${rest}\n`);
    }
  };
  return {
    info: (message, fields = {}) => line("info", message, fields),
    error: (message, error) => line("error", message, { error: text(error) }),
  };
};
