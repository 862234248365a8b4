import type { TSchema } from "typebox";
import type { RefusalReason } from "../contract/errors.ts";
import { type Finding, findInvalid, findUnknown, isObject, jsonWithin, toSnakeCase } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { enumerate } from "../contract/text.ts";
import { describeSpelling, isPlaceholder } from "./likely-mistakes.ts";
import {
  describeRenaming,
  enumerateFields,
  findRenames,
  lastSegment,
  MAX_NAMED,
  parentPath,
  type Rename,
  takeFindings,
} from "./renamed-fields.ts";
import type { Violation } from "./validation.ts";

const inCode = (names: readonly string[]): string => enumerate([...new Set(names)].map((name) => `\`${name}\``));
/** Describes the sent value. Numbers are shown only in place of a number, because otherwise they may be a secret. */
const describeValue = (value: unknown, problem: string): string => {
  if (typeof value === "string") return "text";
  if (typeof value === "number" && !/^must be (?:integer|number)/.test(problem)) return "a number";
  // Parsing rounds these: 1e400 is Infinity, and 12345678901234567890 ends in 000.
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return "a number too large to read exactly";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return isObject(value) ? "an object" : `\`${value}\``;
};
const EMPTY_LIST_REMEDY =
  "Send an object with its fields. PHP writes an empty array as `[]`: leave the field out, or send what belongs in it.";
const OF_KIND = /^must be (?:string|array|object|integer|number|boolean)\b/;

/** Levels of fields around a body that are looked at, as `data.attributes`. */
const MAX_WRAPPERS = 3;
interface Wrapper {
  readonly name: string;
  readonly isText: boolean;
  /** Fields inside it that are written in another way, with their names here. */
  readonly renamed: readonly (readonly [field: string, name: string])[];
}
/** Path of the field that holds the whole body, as an object or as JSON in a text. */
const findWrapper = (value: object, names: readonly string[], levels = MAX_WRAPPERS): Wrapper | null => {
  for (const [name, one] of Object.entries(value)) {
    const inner = isObject(one) ? one : jsonWithin(one);
    if (!isObject(inner)) continue;
    const isText = inner !== one;
    const renamed = Object.keys(inner).flatMap((field) => {
      const meant = toSnakeCase(field);
      return meant !== field && names.includes(meant) ? [[field, meant] as const] : [];
    });
    if (renamed.length > 0 || names.some((field) => Object.hasOwn(inner, field))) return { name, isText, renamed };
    const deeper = levels > 1 ? findWrapper(inner, names, levels - 1) : null;
    if (deeper) return { ...deeper, name: `${name}.${deeper.name}`, isText: isText || deeper.isText };
  }
  return null;
};

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
    return { fact, ...(renames.length > 0 ? { remedy: describeRenaming(renames, left) } : {}) };
  }
  const names = missing.map((path) => path.slice(1));
  const wrapper = findWrapper(value as object, names);
  if (wrapper !== null)
    return {
      fact: `The fields are inside \`${wrapper.name}\`${wrapper.isText ? ", as a text that contains JSON" : ""}. They belong at the top of the body.${wrapper.renamed.map(([field, meant]) => ` \`${field}\` is called \`${meant}\` here.`).join("")}`,
      remedy: `Send what \`${wrapper.name}\` holds as the whole body${wrapper.renamed.map(([field, meant]) => `, with \`${field}\` as \`${meant}\``).join("")}.`,
    };
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

/** Explains a text by what a program put there in place of a value; null for others. */
const describeText = (sent: unknown, { problem }: Finding): string | null => {
  if (typeof sent !== "string") return null;
  if (OF_KIND.test(problem) && jsonWithin(sent) !== undefined)
    return "is a text that contains JSON: it was encoded twice";
  if (sent.includes("[object ")) return "holds an object that was printed as text";
  if (problem === "must not contain U+0000 or a lone surrogate")
    return sent.includes("\0")
      ? "contains the character U+0000"
      : "contains half of a character: a text was likely cut inside an emoji";
  if (isPlaceholder(sent)) return "holds a placeholder: a variable was not filled in";
  if (sent.trim() === "" && !OF_KIND.test(problem)) return `is an empty text: it ${problem}`;
  if (/^(?:[a-z]:[\\/]|\\\\|file:)/i.test(sent) && problem.includes("URL"))
    return "holds the path of a file, not an address. Upload the file with `uploads.prepare` and send the `public_url`";
  return sent.startsWith("data:")
    ? "holds the picture itself, not its address. Upload it with `uploads.prepare` and send the `public_url`"
    : null;
};

const MISSING = "is missing";
/** The mistake of a value, to follow its pointer in a sentence. */
const describeWrong = (value: unknown, found: Finding): string => {
  const { path, problem, should } = found;
  const sent = valueAt(value, path);
  if (problem === "is required") return MISSING;
  const ofText = describeText(sent, found);
  if (ofText !== null) return ofText;
  const spelling = typeof sent === "string" && typeof should === "string" ? describeSpelling(sent, should) : null;
  if (spelling !== null) return `${problem}, and is ${spelling}`;
  if (problem.startsWith("must have at least") && Array.isArray(sent) && sent.length === 0)
    return `is an empty list: it ${problem.replace(/ 1 items$/, " one item")}`;
  if (problem === "must be string" && path.endsWith("/id"))
    return `must be a UUID as text, but ${describeValue(sent, problem)} was sent`;
  const tooMany = describeTooMany(sent, problem);
  if (tooMany !== null) return `${problem}, but ${tooMany} were sent`;
  return OF_KIND.test(problem) ? `${problem}, but ${describeValue(sent, problem)} was sent` : problem;
};
/** Number of items or characters beyond a limit; null for other problems. */
const describeTooMany = (sent: unknown, problem: string): string | null => {
  const [, of] = /^must have at most \d+ (items|characters)$/.exec(problem) ?? [];
  return of !== undefined && (typeof sent === "string" || Array.isArray(sent)) ? `${[...sent].length}` : null;
};

/** Fields with the same mistake that one sentence names. */
const MAX_OF_ONE_MISTAKE = 8;
/** One sentence for each mistake, with all fields that have it. */
const describeAll = (value: unknown, found: readonly Finding[]): string => {
  const byMistake = new Map<string, string[]>();
  for (const one of found) {
    const mistake = describeWrong(value, one);
    byMistake.set(mistake, [...(byMistake.get(mistake) ?? []), one.path]);
  }
  const sentences = [...byMistake].flatMap(([mistake, paths]) => {
    if (mistake === MISSING) return missingWords(paths);
    if (mistake.startsWith("must ")) return `${enumerateFields(paths, MAX_OF_ONE_MISTAKE)} ${mistake}.`;
    return paths.slice(0, MAX_NAMED).map((path) => `\`${path}\` ${mistake}.`);
  });
  return sentences.join(" ");
};

/** Values that a problem lists after its beginning; undefined if it begins in another way. */
const listAfter = (beginning: string, problem: string): string[] | undefined =>
  problem.startsWith(beginning) ? problem.slice(beginning.length).split(", ") : undefined;

/** Explains the first violation. @param pointers fields that the explanation covers. Default: that of the violation */
type Explained = Pick<RefusalReason, "fact" | "remedy"> & { readonly pointers?: readonly string[] };
const explainFirst = (schema: TSchema, value: unknown, pointer: string, found: readonly Finding[]): Explained => {
  const [first] = found;
  if (!first) return {};
  const { problem } = first;
  const sent = valueAt(value, pointer);
  const variants = listAfter("must have exactly one of ", problem);
  if (variants) {
    const paths = variants.map((name) => `${pointer}/${name}`);
    const instead = explainMissing(schema, value, paths, true);
    const present = variants.filter((name) => valueAt(sent, `/${name}`) !== undefined);
    if (present.length === 0) return instead ?? {};
    const hasNull = present.some((name) => valueAt(sent, `/${name}`) === null);
    const empty = hasNull ? " A field that is `null` counts as sent." : "";
    return { fact: `\`${pointer}\` has ${inCode(present)}. Send only one of them.${empty}` };
  }
  const choices = listAfter("must be one of ", problem);
  if (choices && found.length === 1 && first.should === undefined && describeText(sent, first) === null)
    return { remedy: `Send \`${pointer}\` as ${choices.map((one) => `\`"${one}"\``).join(" or ")}.` };
  const [, most, of] = /^must have at most (\d+) (items|characters)$/.exec(problem) ?? [];
  if (found.length === 1 && most !== undefined) {
    // An optional list belongs to the record, so a further call would replace it.
    const { required = [] } = schema as { readonly required?: readonly string[] };
    const rest = required.includes(pointer.slice(1)) ? " in one call, and the others in further calls" : "";
    return {
      fact: describeAll(value, [first]),
      remedy:
        of === "items"
          ? `Send at most ${most} items of \`${pointer}\`${rest}.`
          : `Shorten \`${pointer}\` to at most ${most} characters.`,
    };
  }
  if (problem !== "is required") {
    const fact = describeAll(value, [first]);
    const isOfPhp = problem.startsWith("must be object") && Array.isArray(sent) && sent.length === 0;
    return fact === `\`${pointer}\` ${problem}.` ? {} : { fact, ...(isOfPhp ? { remedy: EMPTY_LIST_REMEDY } : {}) };
  }
  const missing = found.filter((one) => one.problem === "is required").map(({ path }) => path);
  const absent = missing.length > 1 ? { pointers: missing } : {};
  const instead = explainMissing(schema, value, missing);
  if (instead !== null) return { ...instead, ...absent };
  if (isObject(value) && Object.keys(value).length === 0)
    return { fact: `No field was sent: ${missingWords(missing)}`, ...absent };
  return missing.length > 1 ? { fact: missingWords(missing), ...absent } : {};
};

/** Explains all violations beyond the first one's path: values sent instead, and missing fields. */
export const explainShape = (schema: TSchema, value: unknown, { pointer }: Violation): Explained => {
  const found = takeFindings(findInvalid(schema, value));
  const [first] = found;
  if (!first || pointer === "") return {};
  const own = explainFirst(schema, value, pointer, found);
  const { pointers = [pointer] } = own;
  const others = found.filter(({ path }) => !pointers.includes(path));
  if (others.length === 0) return own;
  const paths = others.map(({ path }) => path);
  const isOwn = own.fact === undefined || own.fact === describeAll(value, [first]);
  return {
    fact: isOwn ? describeAll(value, found) : `${own.fact} ${describeAll(value, others)}`,
    pointers: [...pointers, ...paths],
    ...(own.remedy === undefined ? {} : { remedy: `${own.remedy} Then correct ${enumerateFields(paths)}.` }),
  };
};
