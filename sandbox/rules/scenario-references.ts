/** What a reference leads to, or why it leads nowhere. */
export type Found = { readonly value: unknown } | { readonly problem: string };

export type Values = ReadonlyMap<string, unknown>;

const REFERENCE = /\{\{\s*([^{}]+?)\s*\}\}/g;
const WHOLE = /^\{\{\s*([^{}]+?)\s*\}\}$/;
const SEGMENT = /\[[^\]]*\]|[^.[]+/g;
const CHOICE = /^\[([A-Za-z0-9_]+)=(.*)\]$/;

const stepInto = (value: unknown, segment: string, values: Values): Found | undefined => {
  const [, key, text] = CHOICE.exec(segment) ?? [];
  if (key !== undefined && text !== undefined) {
    const wanted = text.startsWith("@") ? follow(text.slice(1), values) : { value: text };
    if ("problem" in wanted) return wanted;
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    const found = items.find(
      (item) => typeof item === "object" && item !== null && String(Reflect.get(item, key)) === String(wanted.value),
    );
    return found === undefined ? undefined : { value: found };
  }
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
  return { value: Reflect.get(value, segment) };
};

/**
 * Follows `name.path.to.it`. A number is an index of an array; `[key=text]` is the first item whose key has this value,
 * and `[key=@name.path]` the first whose key has the value that another reference leads to (whose path has no brackets).
 */
const follow = (reference: string, values: Values): Found => {
  const [name = "", ...segments] = reference.match(SEGMENT) ?? [];
  if (!values.has(name)) {
    const known = [...values.keys()].join(", ");
    return { problem: `{{${reference}}} refers to ${name}, which no earlier step saved; there are ${known}` };
  }
  let value = values.get(name);
  for (const [index, segment] of segments.entries()) {
    const next = stepInto(value, segment, values);
    if (next === undefined) {
      const path = [name, ...segments.slice(0, index)].join(".");
      return { problem: `{{${reference}}} leads nowhere: ${path} has no ${segment}` };
    }
    if ("problem" in next) return next;
    value = next.value;
  }
  return { value };
};

const inText = (text: string, values: Values): Found => {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return follow(whole, values);
  let problem: string | null = null;
  const value = text.replace(REFERENCE, (_, reference: string) => {
    const found = follow(reference, values);
    if ("problem" in found) {
      problem ??= found.problem;
      return "";
    }
    return typeof found.value === "string" ? found.value : JSON.stringify(found.value);
  });
  return problem === null ? { value } : { problem };
};

/**
 * JSON with its references replaced by what they lead to: a text that is nothing but a reference becomes the value
 * itself, any other text has it written into.
 */
export const resolve = (json: unknown, values: Values): Found => {
  if (typeof json === "string") return inText(json, values);
  if (typeof json !== "object" || json === null) return { value: json };
  const entries: [string, unknown][] = [];
  for (const [key, one] of Object.entries(json)) {
    const found = resolve(one, values);
    if ("problem" in found) return found;
    entries.push([key, found.value]);
  }
  return { value: Array.isArray(json) ? entries.map(([, value]) => value) : Object.fromEntries(entries) };
};

/** The names that JSON refers to, whether something is saved under them or not. */
export const referredNames = (json: unknown): string[] => {
  if (typeof json === "string")
    return [...json.matchAll(REFERENCE)].flatMap(([, reference = ""]) => [
      reference.match(SEGMENT)?.[0] ?? reference,
      ...[...reference.matchAll(/=@([^.\]]+)/g)].map(([, name = ""]) => name),
    ]);
  return typeof json === "object" && json !== null ? Object.values(json).flatMap(referredNames) : [];
};
