type ResolvedReference = { readonly value: unknown } | { readonly problem: string };

type Values = ReadonlyMap<string, unknown>;

/** Longer paths are not references. The limit keeps the match linear. */
const REFERENCE = /\{\{([^{}]{1,200})\}\}/g;

/** Total size of the references' values in one step, in bytes: the largest call. */
export const MAX_WRITTEN_BYTES = 1024 * 1024;
const tooMuch = { problem: `its references write more than ${MAX_WRITTEN_BYTES / 1024 / 1024} MiB into it` } as const;

function* referencesIn(text: string) {
  for (const { 0: written, 1: between = "", index } of text.matchAll(REFERENCE)) {
    const path = between.trim();
    if (path !== "") yield { path, from: index, to: index + written.length };
  }
}

/** Splits `a.[b=c].0` into segments. Paths are short, so repeated bracket searches are cheap. */
const splitPath = (path: string): readonly string[] => path.match(/\[[^\]]*\]|[^.[]+/g) ?? [];

const CHOICE = /^\[([A-Za-z0-9_]+)=(.*)\]$/;

const stepInto = (value: unknown, segment: string, values: Values): ResolvedReference | undefined => {
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
 * Resolves `name.path.to.value`. A number is an array index. `[key=text]` selects the first item with this value, and
 * `[key=@name.path]` the first one with the value of another reference, whose path has no brackets.
 */
const follow = (reference: string, values: Values): ResolvedReference => {
  const [name = "", ...segments] = splitPath(reference);
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
 * Replaces the references in JSON by their values. A text that is only a reference becomes the value; other texts get
 * it inserted. The size is checked before building.
 */
export const resolve = (json: unknown, values: Values): ResolvedReference => {
  let room = MAX_WRITTEN_BYTES;
  const intoText = (text: string): ResolvedReference => {
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
  const into = (one: unknown): ResolvedReference => {
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

/** Names that JSON refers to, saved or not. */
export const referredNames = (json: unknown): string[] => {
  if (typeof json === "string")
    return [...referencesIn(json)].flatMap(({ path }) => [
      splitPath(path)[0] ?? path,
      ...[...path.matchAll(/=@([^.\]]+)/g)].map(([, name = ""]) => name),
    ]);
  return typeof json === "object" && json !== null ? Object.values(json).flatMap(referredNames) : [];
};
