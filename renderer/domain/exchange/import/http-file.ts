import type { Imported, ImportedCall, LeftOut } from "./imported.ts";

type Variables = ReadonlyMap<string, string>;

const VARIABLE = /^@([\w.-]+)\s*=\s*(.*)$/;
const REQUEST = /^([A-Za-z][!#$%&'*+.^_`|~\dA-Za-z-]*)\s+(\S.*)$/;
const ADDRESS = /^(?:https?:\/\/|\/|\{\{)\S*$/;
const HEADER = /^([!#$%&'*+.^_`|~\dA-Za-z-]+)\s*:\s*(.*)$/;
const COMMENT = /^(?:#|\/\/)/;
/** Variables may name others; a circle of them ends here. */
const DEEPEST = 10;
/** So many characters they put in at most. */
const MOST_PUT_IN = 1_048_576;

const isAside = (line: string): boolean => {
  const text = line.trim();
  return text === "" || VARIABLE.test(text) || COMMENT.test(text);
};

/** A text with the variables of the file in their places; what is no variable of it stays as it is written. */
const filled = (text: string, variables: Variables, unknown: Set<string>): string => {
  let whole = text;
  let left = MOST_PUT_IN;
  for (let depth = 0; depth < DEEPEST && whole.includes("{{"); depth += 1) {
    whole = whole.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (written: string, name: string) => {
      const value = variables.get(name);
      left -= value?.length ?? 0;
      return value === undefined || left < 0 ? written : value;
    });
  }
  for (const [written] of whole.matchAll(/\{\{[^{}]*\}\}/g)) unknown.add(written);
  return whole;
};

interface Block {
  readonly name: string;
  readonly lines: readonly string[];
  /** The number of its first line in the file. */
  readonly from: number;
  readonly isLast: boolean;
}

/** The file at its separators. */
const blocksIn = (lines: readonly string[]): Block[] => {
  const starts = [-1, ...lines.flatMap((line, index) => (line.startsWith("###") ? [index] : []))];
  return starts.map((start, index) => ({
    name: (lines[start] ?? "").replace(/^#+/, "").trim(),
    lines: lines.slice(start + 1, starts[index + 1]),
    from: start + 2,
    isLast: index === starts.length - 1,
  }));
};

/** A line as it is told of: by its number, as an editor counts. */
const told = ({ lines, from }: Block, line: string): string => `line ${from + lines.indexOf(line)}: ${line.trim()}`;

const READS = "A file is named here: files are not read, paste what is in it.";
const RUNS = "A script is here: scripts are not run.";

/** The lines without what an HTTP file would read or run in their places. */
const sentOf = (lines: readonly string[], leftOut: LeftOut[]): string[] => {
  const sent: string[] = [];
  let script: string[] | null = null;
  for (const line of lines) {
    if (script !== null || /^[<>]\s*\{%/.test(line)) {
      script = [...(script ?? []), line];
      if (!line.includes("%}")) continue;
      leftOut.push({ what: script.join("\n"), why: RUNS });
      script = null;
    } else if (/^<@?\w*\s+\S/.test(line)) leftOut.push({ what: line.trim(), why: READS });
    else if (/^(?:>>?!?|<>)\s*\S/.test(line)) leftOut.push({ what: line.trim(), why: "Answers are kept in Requests." });
    else sent.push(line);
  }
  if (script !== null) leftOut.push({ what: script.join("\n"), why: RUNS });
  return sent;
};

const withoutVersion = (text: string): string => text.slice(0, /HTTP\/[\d.]+$/.exec(text)?.index).trim();

/** A request line: a method, an address and mostly a version; or an address alone. */
const requestIn = (line: string): { readonly method: string; readonly url: string } | null => {
  const text = withoutVersion(line.trim());
  const [, method, url] = REQUEST.exec(text) ?? [];
  // A sentence begins with a word, too.
  const isMethod = method === method?.toUpperCase() || !/\s/.test(url ?? "");
  if (method !== undefined && url !== undefined && isMethod) return { method: method.toUpperCase(), url };
  return ADDRESS.test(text) ? { method: "GET", url: text } : null;
};

const NAMED = /^(?:#|\/\/)\s*@name[\s=]+(\S+)/;

/** Null where no request begins in it. */
const readBlock = (block: Block, variables: Variables): ImportedCall | null => {
  const leftOut: LeftOut[] = [];
  const unknown = new Set<string>();
  const fill = (text: string): string => filled(text, variables, unknown);
  const lines = sentOf(block.lines, leftOut);
  const start = lines.findIndex((line) => !isAside(line));
  const request = requestIn(lines[start] ?? "");
  if (!request) return null;
  const names = lines.slice(0, start).flatMap((line) => NAMED.exec(line.trim())?.[1] ?? []);
  const headers: [string, string][] = [];
  let { url } = request;
  let at = start + 1;
  for (; at < lines.length && lines[at]?.trim() !== ""; at += 1) {
    const line = lines[at] ?? "";
    const [, name, value = ""] = HEADER.exec(line.trim()) ?? [];
    // An address may go on in lines of its own.
    if (headers.length === 0 && /^\s+[?&/]/.test(line)) url += withoutVersion(line.trim());
    else if (name !== undefined) headers.push([name, fill(value)]);
    else if (!COMMENT.test(line.trim()))
      leftOut.push({ what: told(block, line), why: "It is no header: a name, a colon and a value." });
  }
  const text = lines.slice(at + 1).join("\n");
  // The last line's end is the file's; in front of another request so are empty lines.
  const ends = lines[start]?.endsWith("\r") ? /\r?\n$/ : /\n$/;
  const body = fill(block.isLast ? text.replace(ends, "") : text.trimEnd());
  url = fill(url);
  for (const what of unknown)
    leftOut.push({ what, why: "The file does not say what it is: it stands as it is written." });
  return { name: names.at(-1) ?? block.name, method: request.method, url, headers, body, leftOut };
};

/** The requests of an HTTP file, as editors send them, in its order. */
export const readHttpFile = (text: string): Imported => {
  const blocks = blocksIn(text.split("\n"));
  const variables = new Map<string, string>();
  for (const { lines } of blocks) {
    // Behind the request line such a line is the body's.
    const head = lines.findIndex((line) => !isAside(line));
    for (const line of lines.slice(0, head < 0 ? undefined : head)) {
      const [, name, value = ""] = VARIABLE.exec(line.trim()) ?? [];
      if (name !== undefined) variables.set(name, value);
    }
  }
  const leftOut: LeftOut[] = [];
  const calls = blocks.flatMap((block) => {
    const call = readBlock(block, variables);
    if (call) return call;
    const [other] = block.lines.filter((line) => !isAside(line));
    if (other !== undefined)
      leftOut.push({ what: told(block, other), why: "No request begins here: a method and an address." });
    return [];
  });
  return { format: "HTTP file", calls, leftOut };
};
