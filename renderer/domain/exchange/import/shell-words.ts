import { parse } from "shell-quote";

/** One command of a text, as a POSIX shell would hand its words to the program. */
export interface Command {
  readonly words: readonly string[];
  /** Variables it names (`$API_KEY`): they stay in the words as they are written. */
  readonly variables: readonly string[];
  /** Where its input or output goes: `> out.json`. */
  readonly redirections: readonly string[];
}

/** The commands of a text. */
export interface Commands {
  readonly commands: readonly Command[];
  /** A quote is opened and never closed, or a `${` has no end. */
  readonly unclosed: boolean;
}

/** Quotes, escapes, comments, line ends and what is between them, each in one piece. */
const PIECE =
  /\$'[^'\\]*(?:\\[\s\S][^'\\]*)*'|'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|\\\r?\n|\\[\s\S]|(?<![^\s;|&])#[^\n]*|\r?\n|[^'"\\\r\n#$]+|[\s\S]/g;

/** Within double quotes a shell drops a line end after a backslash, and the backslash before a backtick. */
const inDoubleQuotes = (text: string): string =>
  text.replaceAll(/\\(?:(\r?\n)|([\s\S]))/g, (written: string, lineEnd?: string, char?: string) =>
    lineEnd !== undefined ? "" : char === "`" ? "`" : written,
  );

/** The lines of a text, each with those it continues on. `shell-quote` takes a line end for a blank. */
const linesOf = (text: string): { readonly lines: readonly string[]; readonly unclosed: boolean } => {
  const lines: string[] = [];
  let line = "";
  let unclosed = false;
  for (const [piece] of text.matchAll(PIECE)) {
    unclosed ||= piece === "'" || piece === '"';
    if (/^\r?\n$/.test(piece)) {
      lines.push(line);
      line = "";
    } else if (piece.startsWith('"')) line += inDoubleQuotes(piece);
    else if (!/^(?:#|\\\r?\n$)/.test(piece) || piece === "#") line += piece;
    if (unclosed) break;
  }
  return { lines: [...lines, line], unclosed };
};

const commandsIn = (line: string): Command[] => {
  const commands: Command[] = [];
  let words: string[] = [];
  let redirections: string[] = [];
  let variables: string[] = [];
  let redirection: string | null = null;
  const end = () => {
    if (words.length > 0) commands.push({ words, variables, redirections });
    words = [];
    redirections = [];
    variables = [];
  };
  const named: string[] = [];
  const entries = parse(line, (name) => {
    const written = `$${name}`;
    if (name !== "") named.push(written);
    return written;
  });
  for (const entry of entries) {
    if (typeof entry !== "string" && "comment" in entry) continue;
    const word = typeof entry === "string" ? entry : "pattern" in entry ? entry.pattern : null;
    if (word !== null && redirection !== null) {
      redirections.push(`${redirection} ${word}`);
      redirection = null;
    } else if (word !== null) {
      words.push(word);
      variables.push(...named.filter((name) => word.includes(name)));
    } else if (typeof entry !== "string" && /[<>]/.test(entry.op)) {
      // `2>`: the number of what is led elsewhere is a word of its own here.
      if (/^\d$/.test(words.at(-1) ?? "")) words.pop();
      redirection = entry.op;
    } else end();
  }
  end();
  return commands;
};

/** Splits a text into commands and words. Nothing in it is looked up or run. */
export const shellWords = (text: string): Commands => {
  const { lines, unclosed } = linesOf(text);
  try {
    return { commands: lines.flatMap(commandsIn), unclosed };
  } catch {
    return { commands: [], unclosed: true };
  }
};
