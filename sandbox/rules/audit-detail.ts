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
/** Of these the choices inside, as `policies.webhook_retries=fast`. */
const CHOICES = ["policies", "retention", "plan", "from"];
const LONGEST = 80;
const MOST_CHOICES = 20;

/**
 * The things that a call named, as `id=… name=…`. Only members from a list are taken, so that no secret a body may hold
 * gets on the record.
 *
 * @param own the caller's world, where they have one alone: another that they named is put down too
 */
export const auditDetail = (body: unknown, own?: string): string => {
  if (typeof body !== "object" || body === null) return "";
  const memberOf = (of: object, name: string): unknown =>
    Object.hasOwn(of, name) ? (of as Readonly<Record<string, unknown>>)[name] : undefined;
  const said = (label: string, value: unknown): string[] => {
    const text = ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
    return text === "" ? [] : [`${label}=${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`];
  };
  const choices = CHOICES.flatMap((name) => {
    const inner = memberOf(body, name);
    if (typeof inner !== "object" || inner === null) return [];
    return Object.keys(inner)
      .slice(0, MOST_CHOICES)
      .flatMap((one) => said(`${name}.${one}`, memberOf(inner, one)));
  });
  const world = memberOf(body, "world");
  const foreign = own === undefined || world === own ? [] : said("world", world);
  return [...NAMED.flatMap((name) => said(name, memberOf(body, name))), ...choices, ...foreign].join(" ");
};
