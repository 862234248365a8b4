/** End of the JSON value at `from`; the text must be valid JSON. */
const endOfValue = (text: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (character === "," || /\s/.test(character ?? ""))) return at;
  }
  return text.length;
};

const endOfString = (text: string, from: number): number => {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
};

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (/[\s,:]/.test(text[at] ?? "x")) at += 1;
  return at;
};

/** Members or items at `from` as `[key, value]` source texts; array items have no key. */
const members = (text: string, from: number): [string | null, string][] => {
  const keyed = text[from] === "{";
  const found: [string | null, string][] = [];
  let at = skipSpace(text, from + 1);
  while (at < text.length && text[at] !== "}" && text[at] !== "]") {
    let key: string | null = null;
    if (keyed) {
      const end = endOfString(text, at);
      key = JSON.parse(text.slice(at, end)) as string;
      at = skipSpace(text, end);
    }
    const end = endOfValue(text, at);
    found.push([key, text.slice(at, end)]);
    at = skipSpace(text, end);
  }
  return found;
};

/**
 * Source text of an array field's items. Parsing and serializing would change large numbers, repeated keys and escapes.
 *
 * @param text valid JSON of an object with the array under `field`; the last of repeated fields counts, as in parsing
 */
export const rawItems = (text: string, field: string): string[] => {
  const array = members(text, text.indexOf("{")).findLast(([key]) => key === field)?.[1];
  return array === undefined ? [] : members(array, 0).map(([, value]) => value);
};

/** Names repeated within one object, at any depth. @param text valid JSON within the depth limit of bodies */
export const repeatedNames = (text: string): string[] => {
  const repeated = new Set<string>();
  const checkNested = (value: string): void => {
    if (!/^[{[]/.test(value)) return;
    const seen = new Set<string>();
    for (const [key, inner] of members(value, 0)) {
      if (key !== null && seen.has(key)) repeated.add(key);
      if (key !== null) seen.add(key);
      checkNested(inner);
    }
  };
  checkNested(text.replace(/^\uFEFF/, "").trim());
  return [...repeated];
};

/** Sticky, so a long text isn't copied for each of its strings. */
const COLON = /\s*:\s*/y;

/** Strings of a JSON text. After a field's name, also the start of its value. */
function* stringsIn(text: string) {
  let to = 0;
  for (let from = text.indexOf('"'); from >= 0; from = text.indexOf('"', to)) {
    to = endOfString(text, from);
    COLON.lastIndex = to;
    yield { from, to, value: COLON.test(text) ? COLON.lastIndex : null };
  }
}

/**
 * Replaces the values of some fields, at any depth, and keeps every other byte.
 *
 * @param text valid JSON
 * @param replaces whether to replace the field of this name
 * @param replacement maps a value's JSON text to the new JSON text
 */
export const replaceFields = (
  text: string,
  replaces: (key: string) => boolean,
  replacement: (value: string) => string,
): string => {
  let written = "";
  let replaced = 0;
  for (const { from, to, value } of stringsIn(text)) {
    if (value === null || from < replaced || !replaces(JSON.parse(text.slice(from, to)) as string)) continue;
    const end = endOfValue(text, value);
    written += text.slice(replaced, value) + replacement(text.slice(value, end));
    replaced = end;
  }
  return written + text.slice(replaced);
};

/**
 * Replaces string values (not field names), at any depth, and keeps every other byte.
 *
 * @param text valid JSON
 * @param replacement maps a string to the new JSON text
 */
export const replaceStrings = (text: string, replacement: (value: string) => string): string => {
  let written = "";
  let replaced = 0;
  for (const { from, to, value } of stringsIn(text)) {
    if (value !== null) continue;
    written += text.slice(replaced, from) + replacement(JSON.parse(text.slice(from, to)) as string);
    replaced = to;
  }
  return written + text.slice(replaced);
};
