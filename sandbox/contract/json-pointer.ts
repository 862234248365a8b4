/** Appends a key to a JSON Pointer (RFC 6901). */
export const pointer = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** Returns the keys of a pointer. */
export const parsePointer = (path: string): string[] =>
  path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Returns the value at a pointer, or undefined. */
export const valueAt = (value: unknown, path: string): unknown => {
  let at = value;
  for (const key of parsePointer(path)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
};

/** Returns a copy with another value at a pointer, which may be new; undefined removes the value. */
export const withValueAt = (value: unknown, path: string, put: unknown): unknown =>
  putValueAt(structuredClone(value), path, put);

/** Puts another value at a pointer, like {@link withValueAt}, into the value itself. */
export const putValueAt = (value: unknown, path: string, put: unknown): unknown => {
  const keys = parsePointer(path);
  const last = keys.pop();
  if (last === undefined) return put;
  let at = value as Record<string, unknown>;
  for (const key of keys) {
    const inner = Object.hasOwn(at, key) ? at[key] : undefined;
    // A key such as `__proto__` is plain data (D7).
    if (typeof inner !== "object" || inner === null) Object.defineProperty(at, key, { value: {}, ...plain });
    at = at[key] as Record<string, unknown>;
  }
  if (put !== undefined) Object.defineProperty(at, last, { value: put, ...plain });
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
  return value;
};

const plain = { enumerable: true, configurable: true, writable: true };
