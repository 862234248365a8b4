import { readField } from "../json/untyped.ts";

/** Body members that are recorded: names and choices without secrets. */
const RECORDED_FIELDS = [
  "id",
  "name",
  "to",
  "scope",
  "from",
  "operation",
  "drill",
  "subscription_id",
  "seconds",
  "pinned",
  "port",
  "client_id",
  "reveal",
  "everywhere",
];
/** Members whose nested choices are recorded. */
const CHOICES = ["policies", "retention", "plan", "from"];
const MAX_VALUE_CHARS = 80;
const MAX_CHOICES = 20;

/** Recorded parameters by their path in the body: `policies.webhook_retries`. */
export type AuditDetail = Readonly<Record<string, string | number | boolean>>;

/**
 * Picks the recorded parameters. Only listed members are taken, so a secret in the body never reaches the record.
 *
 * @param own the caller's only world; another world that the body names is recorded too
 */
export const auditDetail = (body: unknown, own?: string): AuditDetail => {
  const toEntry = (label: string, value: unknown): [string, AuditDetail[string]][] => {
    if (typeof value === "number" || typeof value === "boolean") return [[label, value]];
    if (typeof value !== "string" || value === "") return [];
    return [[label, value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS)}…` : value]];
  };
  const choices = CHOICES.flatMap((name) => {
    const inner = readField(body, name);
    if (typeof inner !== "object" || inner === null) return [];
    return Object.entries(inner)
      .slice(0, MAX_CHOICES)
      .flatMap(([one, value]) => toEntry(`${name}.${one}`, value));
  });
  const world = readField(body, "world");
  const foreign = own === undefined || world === own ? [] : toEntry("world", world);
  return Object.fromEntries([
    ...RECORDED_FIELDS.flatMap((name) => toEntry(name, readField(body, name))),
    ...choices,
    ...foreign,
  ]);
};

/** Parses a stored detail. Versions up to 0.1 stored unstructured lines such as `id=7 name=x`. */
export const parseStoredDetail = (stored: string): AuditDetail => {
  if (stored.startsWith("{")) return JSON.parse(stored) as AuditDetail;
  return stored === "" ? {} : { text: stored };
};
