/** A member of a value of whatever shape, where it is text. */
export const textAt = (value: unknown, name: string): string | undefined => {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === "string" ? found : undefined;
};
