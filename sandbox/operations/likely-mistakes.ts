import { isWorldToken } from "../contract/access.ts";
import { causes } from "../contract/causes.ts";
import type { BusinessType } from "../contract/resources/business.ts";
import { isUuid } from "../contract/schema.ts";
import { keyPrefixes } from "../secrets/keys.ts";
import type { World } from "../worlds/world.ts";

/** Far longer than any issued value, in characters. */
const MAX_CHARS = 500;

/** Kind of a value, known by its form or from a world. */
interface ValueKind {
  readonly is: "key" | "integration" | "secret" | "client" | "code" | "other";
  /** With an article: `an access code`. */
  readonly words: string;
}

const businessWords: Readonly<Record<BusinessType, string>> = {
  supplier: "the supplier",
  repairer: "the repairer",
  repairer_site: "the site",
  insurer: "the insurer",
};

const NIL_UUID = "00000000-0000-0000-0000-000000000000";
const findUuidKind = ({ stores, db }: World, id: string): ValueKind | null => {
  if (id === NIL_UUID) return { is: "other", words: "the nil UUID, as in a test event" };
  if (stores.credentials.findByIntegration(id)) return { is: "integration", words: "an integration ID" };
  const organization = stores.directory.organization(id);
  if (organization) return { is: "other", words: `the ID of the organization ${organization.name}` };
  const business = stores.directory.business(id);
  if (business) return { is: "other", words: `the ID of ${businessWords[business.type]} ${business.name}` };
  const tables = [
    ["jobs", "id", "the ID of a job"],
    ["procurements", "id", "the ID of an order"],
    ["job_parts", "id", "the ID of a part"],
    ["requests", "id", "the ID of a call (x-request-id)"],
    ["deliveries", "message_id", "a message_id"],
    ["events", "id", "the ID of an event"],
    ["subscriptions", "id", "the ID of a subscription"],
    ["uploads", "id", "the ID of an upload"],
  ] as const;
  const found = tables.find(([table, column]) => db.get(`SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT 1`, id));
  return found ? { is: "other", words: found[2] } : null;
};

/** Kind of a value; null if unknown. */
export const findKind = (world: World, value: string): ValueKind | null => {
  const { credentials } = world.stores;
  if (isUuid(value)) return findUuidKind(world, value.toLowerCase());
  const clients = credentials.clients();
  if (clients.some(({ client_id }) => client_id === value)) return { is: "client", words: "a client_id" };
  if (value.startsWith("cs_") || clients.some(({ client_secret }) => client_secret === value))
    return { is: "secret", words: "a client_secret" };
  if (value.startsWith(keyPrefixes.webhookSecret)) return { is: "other", words: "a webhook secret" };
  if (value.startsWith(keyPrefixes.accessCode)) return { is: "code", words: "an access code" };
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value)) return { is: "other", words: "a JSON Web Token" };
  if (/^[\w-]{43}$/.test(value)) {
    const secret = `${keyPrefixes.webhookSecret}${value}`;
    const isOfWebhooks = world.db.get("SELECT 1 FROM credentials WHERE webhook_secret = ? LIMIT 1", secret);
    const words = isOfWebhooks ? `a webhook secret without \`${keyPrefixes.webhookSecret}\`` : "a control token";
    return { is: "other", words };
  }
  if (isWorldToken(value)) return { is: "other", words: "a world token of the control plane" };
  const isKey = value.startsWith(keyPrefixes.installed) || value.startsWith(keyPrefixes.preloaded);
  return isKey || credentials.findByKey(value) ? { is: "key", words: "an API key" } : null;
};

const PLACEHOLDER =
  /^(?:\{\{.*\}\}|#\{.*\}|[A-Z]+(?:_[A-Z]+)*_(?:KEY|ID|TOKEN|SECRET|CODE|URL)|\$\{?[\w.]+\}?|\$\([^)]*\)|\{[A-Za-z_][\w.]{0,30}\}|%[sdv]|<[\w .-]{1,30}>|%\w+%|\[[\w .-]{1,30}\]|(?:your|my)[-_ ]?.*(?:key|id|code).*|process\.env\.\w+|undefined|null|none)$/i;
export const isPlaceholder = (value: string): boolean => value.length <= MAX_CHARS && PLACEHOLDER.test(value.trim());

/** Remedy for a placeholder, by what would have filled it in. */
export const describePlaceholderRemedy = (value: string): string => {
  const sent = value.trim();
  if (/^\$[{(]?\w/.test(sent))
    return "Put the text in double quotes in the shell: inside single quotes it fills in no `$` variable. JavaScript fills in templates only between backticks. Elsewhere, set the variable in your program or HTTP client.";
  if (/^%\w+%$/.test(sent))
    return "Only cmd.exe fills in `%…%`, and only for a variable that is set. Write `$env:NAME` in PowerShell and `$NAME` in other shells, inside double quotes.";
  return causes.key_placeholder.remedy;
};

const characters = (count: number): string => (count === 1 ? "one character" : `${count} characters`);
const MIN_EQUAL_CHARS = 8;
/** Characters that may differ. Two issued values differ in far more. */
const MAX_DIFFERING_CHARS = 4;
/** Masks of screens and logs. */
const MASKED = /\*{3}|•{3}|…|\.{3}|x{6}/i;

/** Number of differing characters at the same positions. Expects equal lengths. */
const countDiffering = (one: string, other: string): number => {
  let count = 0;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) count += 1;
  return count;
};

export const decodePercents = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The look-behind keeps it linear: only the first of many quotes begins a match. */
const OUTER_QUOTES = /^[\s"'`“”‘’<[{(]+|(?<![\s"'`“”‘’>\]})])[\s"'`“”‘’>\]})]+$/gu;
/** A text without the spaces, quotes and brackets around it. */
export const withoutQuotes = (text: string): string => text.replaceAll(OUTER_QUOTES, "");

/** Describes how two spellings of the same value differ; null for different values. */
export const describeSpelling = (given: string, known: string): string | null => {
  if (given === known || given.length > MAX_CHARS) return null;
  const bare = given.trim();
  const [before, after] = [given.length > given.trimStart().length, given.length > given.trimEnd().length];
  const space = `a ${before ? (after ? "leading and a trailing" : "leading") : "trailing"} space or line break`;
  if (bare === known) return `right but for ${space}`;
  if (bare.replace(/^["'`“”‘’<]+|["'`“”‘’>]+$/gu, "") === known) return "right but for the quotes around it";
  if (/^[[({]/.test(bare) && /[\])}]$/.test(bare) && bare.slice(1, -1).trim() === known)
    return "right but for the brackets around it";
  if (bare.replaceAll(/\s/g, "") === known) return "right but for a space or line break inside it";
  if (bare.toLowerCase() === known.toLowerCase())
    return `right but for upper and lower case${bare === given ? "" : ` and ${space}`}`;
  if (/^\d+$/.test(known) && /^\d+$/.test(bare) && known.replace(/^0+/, "") === bare.replace(/^0+/, ""))
    return "right but for its leading zeros";
  if (isUuid(known) && bare.replaceAll("-", "").toLowerCase() === known.replaceAll("-", "").toLowerCase())
    return "right but for its hyphens";
  if (bare.replaceAll(/\p{Cf}/gu, "") === known)
    return "right but for a character that isn’t shown, such as a byte order mark";
  if (decodePercents(bare).trim() === known) return "percent-encoded";
  return bare.replaceAll("&amp;", "&") === known ? "escaped for HTML" : null;
};

/** Text around a value, such as its name, rather than further characters of it. */
const AROUND = /[=:?&/#;%\\]/;
/** The part of a text beside a value that can't be a secret: separators, and a name before `=`. */
const BEFORE = /(?:[?&#;,]?[\w.-]{1,30}=|[^\w-]{1,4})$/;
const AFTER = /^(?:[?&#;,]{1,2}(?:amp;)?[\w.-]{1,30}=|\\[nrt]|[^\w-]{1,4})/;
const describeAround = (given: string, known: string): string => {
  const at = given.indexOf(known);
  const [before] = BEFORE.exec(given.slice(0, at)) ?? [];
  const rest = given.slice(at + known.length);
  const [after] = AFTER.exec(rest) ?? [];
  const where = [
    before && `\`${before}\` before it`,
    after && `\`${after}${after === rest ? "" : "…"}\` after it`,
  ].filter(Boolean);
  return where.length === 0 ? "right, but other text is around it" : `right, but has ${where.join(" and ")}`;
};

const describeDifference = (given: string, known: string): string | null => {
  if (given === known) return null;
  const spelling = describeSpelling(given, known);
  if (spelling) return spelling;
  const bare = given.trim();
  if (bare.length < MIN_EQUAL_CHARS) return null;
  if (known.startsWith(bare)) return `${characters(known.length - bare.length)} too short: its end is missing`;
  if (known.endsWith(bare)) return `${characters(known.length - bare.length)} too short: its beginning is missing`;
  const isAround = AROUND.test(bare.replace(known, ""));
  if (!isAround && (bare.startsWith(known) || bare.endsWith(known)))
    return `${characters(bare.length - known.length)} too long`;
  if (bare.includes(known)) return describeAround(bare, known);
  if (MASKED.test(bare)) return "masked or shortened: it was copied from where it isn’t shown whole";
  if (Buffer.from(bare, "base64").toString("utf8").includes(known)) return "encoded in Base64";
  const wrong = bare.length === known.length ? countDiffering(bare, known) : Number.POSITIVE_INFINITY;
  return wrong <= MAX_DIFFERING_CHARS ? `right but for ${characters(wrong)}` : null;
};

/** Describes how a value differs from a similar known one; null if none is similar. */
export const describeSimilar = (given: string, known: readonly string[]): string | null => {
  if (given.length > MAX_CHARS) return null;
  for (const one of known) {
    const words = describeDifference(given, one);
    if (words !== null) return words;
  }
  return null;
};
