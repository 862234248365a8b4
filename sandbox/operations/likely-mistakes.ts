import type { TSchema } from "typebox";
import { isWorldToken } from "../contract/access.ts";
import { causes } from "../contract/causes.ts";
import type { RefusalReason } from "../contract/errors.ts";
import { type Finding, findInvalid, findUnknown, isObject, jsonWithin } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import type { BusinessType } from "../contract/resources/business.ts";
import { isUuid } from "../contract/schema.ts";
import { enumerate } from "../contract/text.ts";
import { keyPrefixes } from "../secrets/keys.ts";
import type { World } from "../worlds/world.ts";
import {
  describeRenaming,
  findRenames,
  lastSegment,
  MAX_NAMED,
  parentPath,
  type Rename,
  takeFindings,
} from "./renamed-fields.ts";
import type { Violation } from "./validation.ts";

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
  if (/^[\w-]{43}$/.test(value)) return { is: "other", words: "a control token" };
  if (isWorldToken(value)) return { is: "other", words: "a world token of the control plane" };
  const isKey = value.startsWith(keyPrefixes.installed) || value.startsWith(keyPrefixes.preloaded);
  return isKey || credentials.findByKey(value) ? { is: "key", words: "an API key" } : null;
};

const PLACEHOLDER =
  /^(?:\{\{.*\}\}|#\{.*\}|[A-Z]+(?:_[A-Z]+)*_(?:KEY|ID|TOKEN|SECRET|CODE|URL)|\$\{?[\w.]+\}?|<[\w .-]{1,30}>|%\w+%|\[[\w .-]{1,30}\]|(?:your|my)[-_ ]?.*(?:key|id|code).*|process\.env\.\w+|undefined|null|none)$/i;
export const isPlaceholder = (value: string): boolean => value.length <= MAX_CHARS && PLACEHOLDER.test(value.trim());

/** Remedy for a placeholder, by what would have filled it in. */
export const describePlaceholderRemedy = (value: string): string => {
  const sent = value.trim();
  if (/^\$\{?\w/.test(sent))
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

const decodePercents = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Describes how two spellings of the same value differ; null for different values. */
export const describeSpelling = (given: string, known: string): string | null => {
  if (given === known || given.length > MAX_CHARS) return null;
  const bare = given.trim();
  if (bare === known) {
    const [before, after] = [given.length > given.trimStart().length, given.length > given.trimEnd().length];
    return `right but for a ${before ? (after ? "leading and a trailing" : "leading") : "trailing"} space or line break`;
  }
  if (bare.replace(/^["'`“”‘’<]+|["'`“”‘’>]+$/gu, "") === known) return "right but for the quotes around it";
  if (bare.replaceAll(/\s/g, "") === known) return "right but for a space or line break inside it";
  if (bare.toLowerCase() === known.toLowerCase()) return "right but for upper and lower case";
  if (bare.replaceAll(/\p{Cf}/gu, "") === known)
    return "right but for a character that isn’t shown, such as a byte order mark";
  if (bare.includes("%") && decodePercents(bare).trim() === known) return "percent-encoded";
  return bare.includes("&") && bare.replaceAll("&amp;", "&") === known ? "escaped for HTML" : null;
};

/** Text around a value, such as its name, rather than further characters of it. */
const AROUND = /[=:?&/#;%\\]/;

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
  if (bare.includes(known)) return "right, but other text is around it";
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

const inCode = (names: readonly string[]): string => enumerate([...new Set(names)].map((name) => `\`${name}\``));
/** Describes the sent value. Numbers are shown only in place of a number, because otherwise they may be a secret. */
const describeValue = (value: unknown, problem: string): string => {
  if (typeof value === "string") return "text";
  if (typeof value === "number" && !/^must be (?:integer|number)/.test(problem)) return "a number";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return isObject(value) ? "an object" : `\`${value}\``;
};
const EMPTY_LIST_REMEDY =
  "Send an object with its fields. PHP writes an empty array as `[]`: leave the field out, or send what belongs in it.";
const OF_KIND = /^must be (?:string|array|object|integer|number|boolean)\b/;

/** Explains missing fields: other names, other places, or all of them nested deeper. */
const explainMissing = (
  schema: TSchema,
  value: unknown,
  missing: readonly string[],
  /** True if one of them is enough. */
  isOneOf = false,
): Pick<RefusalReason, "fact" | "remedy"> | null => {
  const suggestions = takeFindings(findUnknown(schema, value)).flatMap(({ path, meant }) =>
    meant ? [{ path, meant }] : [],
  );
  const renamed = suggestions.filter(({ meant }) => missing.includes(meant));
  if (renamed.length > 0) {
    const renames = findRenames(schema, value);
    const isInside = ({ path }: Rename): boolean => renamed.some(({ meant }) => path.startsWith(`${meant}/`));
    const left = isOneOf ? [] : missing.filter((path) => !renamed.some(({ meant }) => meant === path));
    renamed.push(...renames.filter(isInside).slice(0, MAX_NAMED));
    const [are, were] = renamed.length === 1 ? ["field is", "was"] : ["fields are", "were"];
    const fact =
      `The ${are} called ${inCode(renamed.map(({ meant }) => lastSegment(meant)))} here: ` +
      `${inCode(renamed.map(({ path }) => lastSegment(path)))} ${were} ignored.${left.length > 0 ? ` ${missingWords(left)}` : ""}`;
    return { fact, ...(left.length === 0 && renames.length > 0 ? { remedy: describeRenaming(renames) } : {}) };
  }
  const names = missing.map((path) => path.slice(1));
  const whole = Object.entries(value as object).find(([, one]) => isObject(one) && names.some((name) => name in one));
  if (whole) return { fact: `The fields are inside \`${whole[0]}\`. They belong at the top of the body.` };
  const moved = suggestions.find(({ meant }) => missing.includes(parentPath(meant)));
  if (moved)
    return {
      fact: `\`${moved.path}\` was ignored: its place is \`${moved.meant}\`.`,
      remedy: `Move \`${moved.path}\` to \`${moved.meant}\`, then send the call again.`,
    };
  const foreign = explainForeign(schema, value, missing, isOneOf);
  if (foreign === null) return null;
  const [only = "", another] = names;
  const properties = schema as {
    readonly properties?: Readonly<Record<string, { type?: string; items?: { type?: string } }>>;
  };
  const list = another === undefined ? properties.properties?.[only] : undefined;
  return list?.type === "array" && list.items?.type !== "string"
    ? {
        fact: foreign,
        remedy: `Send \`${only}\`, a list. The fields of each object belong inside it: \`{"${only}":[{…}]}\`.`,
      }
    : { fact: foreign };
};

/** Explains undeclared fields that stand beside the missing ones and resemble none. */
const explainForeign = (
  schema: TSchema,
  value: unknown,
  missing: readonly string[],
  isOneOf: boolean,
): string | null => {
  const ignored = takeFindings(findUnknown(schema, value))
    .map(({ path }) => path)
    .filter((path) => parentPath(path) === parentPath(missing[0] ?? ""))
    .slice(0, MAX_NAMED);
  if (ignored.length === 0) return null;
  const were = ignored.length === 1 ? "isn’t a field here and was" : "aren’t fields here and were";
  const needed = isOneOf ? `Exactly one of ${inCode(missing.map(lastSegment))} is needed.` : missingWords(missing);
  return `${inCode(ignored.map(lastSegment))} ${were} ignored. ${needed}`;
};

const missingWords = (paths: readonly string[]): string =>
  `${inCode(paths)} ${paths.length === 1 ? "is" : "are"} missing.`;

/** Explains a violation beyond its first finding: the value sent instead, or all missing fields. */
export const explainShape = (
  schema: TSchema,
  value: unknown,
  { pointer }: Violation,
): Pick<RefusalReason, "fact" | "remedy"> & { readonly pointers?: readonly string[] } => {
  const found = takeFindings(findInvalid(schema, value));
  const [first] = found;
  const sent = valueAt(value, pointer);
  if (!first || pointer === "") return {};
  if (OF_KIND.test(first.problem) && jsonWithin(sent) !== undefined)
    return { fact: `\`${pointer}\` is a text that contains JSON: it was encoded twice.` };
  if (typeof sent === "string" && sent.includes("[object "))
    return { fact: `\`${pointer}\` holds an object that was printed as text.` };
  if (typeof sent === "string" && isPlaceholder(sent))
    return { fact: `\`${pointer}\` holds a placeholder: a variable was not filled in.` };
  if (typeof sent === "string" && sent.trim() === "" && !OF_KIND.test(first.problem))
    return { fact: `\`${pointer}\` is an empty text: it ${first.problem}.` };
  if (typeof sent === "string" && sent.startsWith("data:"))
    return {
      fact: `\`${pointer}\` holds the picture itself, not its address. Upload it with \`uploads.prepare\` and send the \`public_url\`.`,
    };
  const others = found.slice(1).flatMap(({ path, problem }) => (problem === "is required" ? [] : path));
  const more = others.slice(0, MAX_NAMED);
  const further = others.length > MAX_NAMED ? `, and ${others.length - MAX_NAMED} more,` : "";
  const words =
    more.length === 0 ? "" : ` ${inCode(more)}${further} ${others.length === 1 ? "is" : "are"} invalid too.`;
  const pointers = more.length === 0 ? {} : { pointers: [pointer, ...more] };
  if (OF_KIND.test(first.problem)) {
    const fact = `\`${pointer}\` ${first.problem}, but ${describeValue(sent, first.problem)} was sent.${words}`;
    const isOfPhp = first.problem.startsWith("must be object") && Array.isArray(sent) && sent.length === 0;
    return { fact, ...pointers, ...(isOfPhp ? { remedy: EMPTY_LIST_REMEDY } : {}) };
  }
  const variants = /^must have exactly one of (.*)$/.exec(first.problem)?.[1]?.split(", ");
  if (variants) {
    const paths = variants.map((name) => `${pointer}/${name}`);
    const instead = explainMissing(schema, value, paths, true);
    const present = variants.filter((name) => valueAt(sent, `/${name}`) !== undefined);
    if (present.length <= 1) return instead ?? {};
    const hasNull = present.some((name) => valueAt(sent, `/${name}`) === null);
    const empty = hasNull ? " A field that is `null` counts as sent." : "";
    return { fact: `\`${pointer}\` has ${inCode(present)}. Send only one of them.${empty}` };
  }
  const choices = /^must be one of (.*)$/.exec(first.problem)?.[1]?.split(", ");
  if (choices && words === "" && first.should === undefined)
    return { remedy: `Send \`${pointer}\` as ${choices.map((one) => `\`"${one}"\``).join(" or ")}.` };
  if (first.problem !== "is required")
    return words === "" ? {} : { fact: `\`${pointer}\` ${first.problem}.${words}`, ...pointers };
  const isBeside = ({ path, problem }: Finding): boolean =>
    problem === "is required" && parentPath(path) === parentPath(pointer);
  const missing = found.filter(isBeside).map(({ path }) => path);
  const absent = missing.length > 1 ? { pointers: missing } : {};
  const instead = explainMissing(schema, value, missing);
  if (instead !== null) return { ...instead, ...absent };
  if (isObject(value) && Object.keys(value).length === 0)
    return { fact: `No field was sent: ${missingWords(missing)}`, ...absent };
  return missing.length > 1 ? { fact: missingWords(missing), ...absent } : {};
};
