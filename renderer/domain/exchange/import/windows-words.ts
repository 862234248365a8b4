import { type Commands, shellWords } from "./shell-words.ts";

const CURL_LINE = String.raw`^[ \t]*(?:\S*[/\\])?curl(?:\.exe)?[ \t]`;
/** JSON with doubled quotes, or with backticks before them. */
const DOUBLED = String.raw`${CURL_LINE}[^\n]*"\{""`;
const WITH_BACKTICKS = String.raw`${CURL_LINE}[^\n]*"\{\s*\x60"`;
/** Found only on Windows: these program names, this quoting of the first address, or this notation of JSON. */
const CERTAIN = new RegExp(
  String.raw`^[ \t]*(?:\S*[/\\])?curl(?:\.exe[ \t]|[ \t]+\^")|${DOUBLED}|${WITH_BACKTICKS}`,
  "im",
);
/** Text in single quotes is a POSIX shell's, whatever it contains. */
const withoutQuoted = (text: string): string =>
  text.replaceAll(/\\[\s\S]|'[^']*'/g, (piece) => (piece.startsWith("'") ? "''" : piece));
/** cmd continues a line with a caret; browsers also write one before each quote. */
const CMD_SYNTAX = new RegExp(`${CURL_LINE}[^\\n]*(?:\\^\\r?$|[ \\t]\\^")|${CURL_LINE}\\^"|${DOUBLED}`, "im");
/** PowerShell continues a line with a backtick; quotes in single quotes need a backslash for the program. */
const POWERSHELL_SYNTAX = new RegExp(`${CURL_LINE}[^\\n]*(?:\`\\r?$|'[^'\\n]*\\\\"[^'\\n]*')|${WITH_BACKTICKS}`, "im");

/** A text of PowerShell over several lines, in which quotes need no escape. */
const HERE_STRING = /@(['"])[ \t]*\n[\s\S]*?\n\1@/;
/** A word in single quotes, which mean nothing to cmd. */
const SINGLE_QUOTED = /[ \t]'/;

/** Joins and unescapes the lines for cmd. A caret after an escaped line end stays. */
const splitCmdLines = (text: string): string[] => {
  const lines = [""];
  let isQuoted = false;
  const add = (char: string) => {
    lines[lines.length - 1] += char;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\n" || (!isQuoted && (char === "&" || char === "|"))) {
      lines.push("");
      isQuoted = false;
    } else if (char === "^" && !isQuoted) {
      at += 1;
      const isContinued = text.charAt(at) === "\n";
      if (isContinued && text.charAt(at + 1) === "\n") at += 1;
      if (!isContinued || text.charAt(at - 1) === "\n") add(text.charAt(at));
    } else {
      if (char === '"') isQuoted = !isQuoted;
      add(char);
    }
  }
  return lines;
};

/** Splits a line like programs on Windows: `\"` and, between quotes, `""` are a quote. */
const splitProgramWords = (line: string): { readonly words: string[]; readonly unclosed: boolean } => {
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (const [piece] of line.matchAll(/""|(?:\\\\)*\\?"|\\+|[^\\"]/g)) {
    if (piece === '""') word = `${word ?? ""}${isQuoted ? '"' : ""}`;
    else if (piece.endsWith('"')) {
      const slashes = piece.length - 1;
      const isLiteral = slashes % 2 === 1;
      word = `${word ?? ""}${"\\".repeat(slashes >> 1)}${isLiteral ? '"' : ""}`;
      if (!isLiteral) isQuoted = !isQuoted;
    } else if (isQuoted || !/\s/.test(piece)) word = `${word ?? ""}${piece}`;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  return { words: word === null ? words : [...words, word], unclosed: isQuoted };
};

const PIECE_OF_POWERSHELL =
  /@'[ \t]*\n[\s\S]*?\n'@|@"[ \t]*\n[\s\S]*?\n"@|'(?:[^']|'')*'|"(?:[^"`]|`[\s\S]|"")*"|`\r?\n|`[\s\S]|\r?\n|;|[^\S\n]+|[\s\S]/g;

const withoutBackticks = (text: string): string =>
  text.replaceAll(/`([\s\S])/g, (_, char: string) => ({ n: "\n", r: "\r", t: "\t" })[char] ?? char);

const powerShellWords = (text: string): Commands => {
  const commands: string[][] = [[]];
  let word: string | null = null;
  let unclosed = false;
  const end = () => {
    // Windows programs unescape the backslash that PowerShell passes on.
    if (word !== null) commands.at(-1)?.push(word.replaceAll('\\"', '"'));
    word = null;
  };
  for (const [piece] of text.matchAll(PIECE_OF_POWERSHELL)) {
    if (/^`\r?\n$/.test(piece) || /^[^\S\n]+$/.test(piece)) end();
    else if (piece === ";" || piece.endsWith("\n")) {
      end();
      commands.push([]);
    } else {
      unclosed ||= piece === "'" || piece === '"';
      const here = HERE_STRING.test(piece) ? piece.slice(piece.indexOf("\n") + 1, -3) : null;
      const inner = piece.length > 1 ? piece.slice(1, -1) : piece;
      if (here !== null) word = `${word ?? ""}${piece.startsWith('@"') ? withoutBackticks(here) : here}`;
      else if (piece.startsWith("'")) word = `${word ?? ""}${inner.replaceAll("''", "'")}`;
      else if (piece.startsWith('"')) word = `${word ?? ""}${withoutBackticks(inner.replaceAll('""', '"'))}`;
      else word = `${word ?? ""}${withoutBackticks(piece)}`;
    }
  }
  end();
  return { commands: commands.filter((words) => words.length > 0), unclosed };
};

/**
 * Splits a text for cmd or PowerShell into commands and the words that cURL receives. Nothing is expanded or run.
 * @param isPosix a POSIX shell can parse all of it, so a caret or backtick at a line's end may be quoted text
 * @returns null for another shell's text
 */
export const windowsWords = (text: string, isPosix: boolean): Commands | null => {
  const plain = text.replaceAll("\r\n", "\n");
  if (HERE_STRING.test(plain)) return powerShellWords(plain);
  if (isPosix && !CERTAIN.test(withoutQuoted(plain))) return null;
  if (CMD_SYNTAX.test(plain)) {
    if (SINGLE_QUOTED.test(plain.replaceAll("^", "").replaceAll(/"(?:[^"\\]|\\[\s\S])*"/g, '""'))) {
      const meant = shellWords(plain.replaceAll(/\^\n/g, "\\\n"));
      return { ...meant, warning: "the single quotes, which cmd sends as text: write double quotes" };
    }
    const lines = splitCmdLines(plain).map(splitProgramWords);
    return {
      commands: lines.map(({ words }) => words).filter((words) => words.length > 0),
      unclosed: lines.some(({ unclosed }) => unclosed),
    };
  }
  return POWERSHELL_SYNTAX.test(plain) ? powerShellWords(plain) : null;
};
