import type { TSchema } from "typebox";
import type { RefusalReason } from "../contract/errors.ts";
import { type Finding, findUnknown, toSnakeCase } from "../contract/explain.ts";
import { valueAt, withValueAt } from "../contract/json-pointer.ts";
import { enumerate } from "../contract/text.ts";

/** Ignored fields named in a sentence. */
export const MAX_NAMED = 4;
/** Findings considered at most. */
const MAX_FINDINGS_READ = 64;

export const takeFindings = (found: Iterable<Finding>): Finding[] => {
  const all: Finding[] = [];
  for (const one of found) if (all.push(one) === MAX_FINDINGS_READ) break;
  return all;
};

export const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const parentPath = (path: string): string => path.slice(0, path.lastIndexOf("/"));
/** Names fields by their paths; further ones are only counted. */
export const enumerateFields = (paths: readonly string[], most = MAX_NAMED): string => {
  const names = paths.slice(0, most).map((path) => `\`${path}\``);
  const more = paths.length - names.length;
  return enumerate([...names, ...(more > 0 ? [`${more} more`] : [])]);
};
export type Rename = { readonly path: string; readonly meant: string };
/** Levels of fields below renamed ones that are looked at, and renamed fields of one level. */
const MAX_LEVELS = 3;
const MAX_RENAMED = 8;
/** Fields under another name, also inside fields under another name. Their paths have the right names above. */
export const findRenames = (schema: TSchema, value: unknown, levels = MAX_LEVELS): readonly Rename[] => {
  const here = takeFindings(findUnknown(schema, value))
    .flatMap(({ path, meant }) =>
      meant && parentPath(meant) === parentPath(path) && valueAt(value, meant) === undefined ? { path, meant } : [],
    )
    .slice(0, MAX_RENAMED);
  if (levels === 0) return here;
  const inside = here.flatMap(({ path, meant }) =>
    findRenames(schema, withValueAt({}, meant, valueAt(value, path)), levels - 1),
  );
  return [...here, ...inside];
};

/** `rename …, then send the call again`. @param missing paths of fields to add */
export const describeRenaming = (renames: readonly Rename[], missing: readonly string[] = []): string => {
  const names = renames.map(({ path, meant }) => [lastSegment(path), lastSegment(meant)] as const);
  const pairs = [...new Set(names.map(([name, meant]) => `\`${name}\` to \`${meant}\``))];
  const more =
    pairs.length > MAX_NAMED
      ? [pairs.length - MAX_NAMED === 1 ? "one more field" : `${pairs.length - MAX_NAMED} more fields`]
      : [];
  const isStyle = names.every(([name, meant]) => toSnakeCase(name) === meant);
  const style = isStyle ? " Names of fields are in lower case, with underscores between words." : "";
  const added = missing.length === 0 ? "" : `; add ${enumerateFields(missing)}`;
  return `Rename ${enumerate([...pairs.slice(0, MAX_NAMED), ...more])}${added}, then send the call again.${style}`;
};

/** Explains the fields of a form that have another name here; null if there are none. */
export const explainFormNames = (schema: TSchema, form: object): Pick<RefusalReason, "fact" | "remedy"> | null => {
  const renames = findRenames(schema, form);
  if (renames.length === 0) return null;
  const names = renames.slice(0, MAX_NAMED);
  const fields = names.map(({ path, meant }) => `\`${path.slice(1)}\` is called \`${lastSegment(meant)}\` here`);
  return { fact: `${enumerate(fields)}.`, remedy: describeRenaming(renames) };
};
