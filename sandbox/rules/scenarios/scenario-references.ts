/** What a reference leads to, or why it leads nowhere. */
export type Found = { readonly value: unknown } | { readonly problem: string };

export type Values = ReadonlyMap<string, unknown>;

/** A path between braces; what is longer is no reference. Every letter is looked at a fixed number of times. */
const REFERENCE = /\{\{([^{}]{1,200})\}\}/g;

/** What references may write into one step: a call that is sent is no larger than this. */
export const MOST_WRITTEN = 1024 * 1024;
const tooMuch = { problem: `its references write more than ${MOST_WRITTEN / 1024 / 1024} MiB into it` } as const;

/** The references of a text, in their order. */
function* referencesIn(text: string) {
  for (const { 0: written, 1: between = "", index } of text.matchAll(REFERENCE)) {
    const path = between.trim();
    if (path !== "") yield { path, from: index, to: index + written.length };
  }
}

/** `a.[b=c].0` in its pieces. A path is short, so that looking for a bracket's end again and again costs nothing. */
const segmentsOf = (path: string): readonly string[] => path.match(/\[[^\]]*\]|[^.[]+/g) ?? [];

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
  const [name = "", ...segments] = segmentsOf(reference);
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

/**
 * JSON with its references replaced by what they lead to: a text that is nothing but a reference becomes the value
 * itself, any other text has it written into. What they write is counted before it is built.
 */
export const resolve = (json: unknown, values: Values): Found => {
  let room = MOST_WRITTEN;
  const intoText = (text: string): Found => {
    const pieces: string[] = [];
    let written = 0;
    for (const { path, from, to } of referencesIn(text)) {
      const found = follow(path, values);
      if ("problem" in found) return found;
      room -= String(JSON.stringify(found.value)).length;
      if (room < 0) return tooMuch;
      if (from === 0 && to === text.length) return found;
      pieces.push(text.slice(written, from));
      pieces.push(typeof found.value === "string" ? found.value : JSON.stringify(found.value));
      written = to;
    }
    return { value: written === 0 ? text : pieces.join("") + text.slice(written) };
  };
  const into = (one: unknown): Found => {
    if (typeof one === "string") return intoText(one);
    if (typeof one !== "object" || one === null) return { value: one };
    const entries: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(one)) {
      const found = into(inner);
      if ("problem" in found) return found;
      entries.push([key, found.value]);
    }
    return { value: Array.isArray(one) ? entries.map(([, value]) => value) : Object.fromEntries(entries) };
  };
  return into(json);
};

/** The names that JSON refers to, whether something is saved under them or not. */
export const referredNames = (json: unknown): string[] => {
  if (typeof json === "string")
    return [...referencesIn(json)].flatMap(({ path }) => [
      segmentsOf(path)[0] ?? path,
      ...[...path.matchAll(/=@([^.\]]+)/g)].map(([, name = ""]) => name),
    ]);
  return typeof json === "object" && json !== null ? Object.values(json).flatMap(referredNames) : [];
};
