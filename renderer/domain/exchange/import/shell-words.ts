import { parse } from "shell-quote";

/** Commands in a text, each as the words that a POSIX shell passes to the program. */
export interface Commands {
  readonly commands: readonly (readonly string[])[];
  /** A quote or a `${` is never closed. */
  readonly unclosed: boolean;
  /** A difference between the words and those of the shell. */
  readonly warning?: string;
}

/** Quotes, escapes, comments, line ends and the text in between, each as one match. */
const PIECE =
  /\$'[^'\\]*(?:\\[\s\S][^'\\]*)*'|'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|\\\r?\n|\\[\s\S]|(?<![^\s;|&])#[^\n]*|\r?\n|[^'"\\\r\n#$]+|[\s\S]/g;

/** In double quotes, a shell drops a line end after a backslash, and the backslash before a backtick. */
const unescapeDoubleQuoted = (text: string): string =>
  text.replaceAll(/\\(?:(\r?\n)|([\s\S]))/g, (written: string, lineEnd?: string, char?: string) =>
    lineEnd !== undefined ? "" : char === "`" ? "`" : written,
  );

/** Splits text into lines including their continuations, because `shell-quote` treats a line end as a blank. */
const splitLines = (text: string): { readonly lines: readonly string[]; readonly unclosed: boolean } => {
  const lines: string[] = [];
  let line = "";
  let unclosed = false;
  for (const [piece] of text.matchAll(PIECE)) {
    unclosed ||= piece === "'" || piece === '"';
    if (/^\r?\n$/.test(piece)) {
      lines.push(line);
      line = "";
    } else if (piece.startsWith('"')) line += unescapeDoubleQuoted(piece);
    else if (!/^(?:#|\\\r?\n$)/.test(piece) || piece === "#") line += piece;
    if (unclosed) break;
  }
  return { lines: [...lines, line], unclosed };
};

const parseCommands = (line: string): string[][] => {
  const commands: string[][] = [[]];
  let isRedirected = false;
  // Variables stay as written.
  for (const entry of parse(line, (name) => `$${name}`)) {
    if (typeof entry !== "string" && "comment" in entry) continue;
    const words = commands.at(-1) ?? [];
    const word = typeof entry === "string" ? entry : "pattern" in entry ? entry.pattern : null;
    if (word === null && typeof entry !== "string" && /[<>]/.test(entry.op)) {
      // `2>`: the parser returns the descriptor's number as a separate word.
      if (/^\d$/.test(words.at(-1) ?? "")) words.pop();
      isRedirected = true;
    } else if (word === null) commands.push([]);
    else if (isRedirected) isRedirected = false;
    else words.push(word);
  }
  return commands.filter((words) => words.length > 0);
};

/** Splits a text into commands and words. Nothing is expanded or run. */
export const shellWords = (text: string): Commands => {
  const { lines, unclosed } = splitLines(text);
  try {
    return { commands: lines.flatMap(parseCommands), unclosed };
  } catch {
    return { commands: [], unclosed: true };
  }
};
