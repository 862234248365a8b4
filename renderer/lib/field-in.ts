/** A field of what may be anything; undefined where there is none. */
export const fieldIn = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
