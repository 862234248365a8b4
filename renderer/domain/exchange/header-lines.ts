const lineOf = ([name, value]: readonly [string, string]) => `${name}: ${value}`;

/** Headers as they can be typed: a line each. */
export const headerLines = (headers: readonly (readonly [string, string])[]): string => headers.map(lineOf).join("\n");

/** Header lines as they were typed; null where one is none. */
export const parseHeaders = (text: string): [string, string][] | null => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const parsed = lines.map((line) => /^\s*([!#$%&'*+.^_`|~\dA-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(line));
  return parsed.every((match) => match !== null)
    ? parsed.map(([, name = "", value = ""]): [string, string] => [name, value])
    : null;
};
