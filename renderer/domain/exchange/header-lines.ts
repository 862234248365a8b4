const formatLine = ([name, value]: readonly [string, string]) => `${name}: ${value}`;

/** Formats headers for editing, one per line. */
export const headerLines = (headers: readonly (readonly [string, string])[]): string =>
  headers.map(formatLine).join("\n");

const HEADER = /^\s*([!#$%&'*+.^_`|~\dA-Za-z-]+)\s*:\s*(.*?)\s*$/;

/** Returns the problem of the first invalid line, or null. */
export const headerProblem = (text: string): string | null => {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.trim() !== "" && !HEADER.test(line));
  return at < 0 ? null : `Line ${at + 1}, “${lines[at]?.trim()}” isn’t a header. Write name: value.`;
};

/** Parses typed headers. */
export const parseHeaders = (text: string): [string, string][] =>
  text.split("\n").flatMap((line): [string, string][] => {
    const [, name, value = ""] = HEADER.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
