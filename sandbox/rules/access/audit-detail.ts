import { readField } from "../json/untyped.ts";

/** What of a call's body is put on record: names and choices, none of which holds a secret. */
const NAMED = [
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
/** Of these the choices inside. */
const CHOICES = ["policies", "retention", "plan", "from"];
const LONGEST = 80;
const MOST_CHOICES = 20;

/** The things that a call named, by where they were in its body: `policies.webhook_retries`. */
export type AuditDetail = Readonly<Record<string, string | number | boolean>>;

/**
 * The things that a call named. Only members from a list are taken, so that no secret a body may hold gets on the record.
 *
 * @param own the caller's world, where they have one alone: another that they named is put down too
 */
export const auditDetail = (body: unknown, own?: string): AuditDetail => {
  const said = (label: string, value: unknown): [string, AuditDetail[string]][] => {
    if (typeof value === "number" || typeof value === "boolean") return [[label, value]];
    if (typeof value !== "string" || value === "") return [];
    return [[label, value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value]];
  };
  const choices = CHOICES.flatMap((name) => {
    const inner = readField(body, name);
    if (typeof inner !== "object" || inner === null) return [];
    return Object.entries(inner)
      .slice(0, MOST_CHOICES)
      .flatMap(([one, value]) => said(`${name}.${one}`, value));
  });
  const world = readField(body, "world");
  const foreign = own === undefined || world === own ? [] : said("world", world);
  return Object.fromEntries([...NAMED.flatMap((name) => said(name, readField(body, name))), ...choices, ...foreign]);
};

/** What is kept as text; versions up to 0.1 kept a line such as `id=7 name=x`, in which what is what can't be known. */
export const keptDetail = (kept: string): AuditDetail => {
  if (kept.startsWith("{")) return JSON.parse(kept) as AuditDetail;
  return kept === "" ? {} : { text: kept };
};
