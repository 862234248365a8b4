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
];
const LONGEST = 80;

/**
 * The things that a call named, as `id=… name=…`. Only members from a list are taken, so that no secret a body may hold
 * gets on the record.
 */
export const auditDetail = (body: unknown): string => {
  if (typeof body !== "object" || body === null) return "";
  return NAMED.flatMap((name) => {
    const value = Object.hasOwn(body, name) ? (body as Readonly<Record<string, unknown>>)[name] : undefined;
    const text = ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
    return text === "" ? [] : [`${name}=${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`];
  }).join(" ");
};
