import { isUtf8 } from "node:buffer";
import type { BodyCause } from "../../contract/causes.ts";
import type { Place, RefusedFor } from "../../contract/errors.ts";

const SPACE = /[ \t\n\r]*/y;
const SCALAR =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/** What may come next: a value; a name; either of them or the end of what has just begun; or what follows a value. */
type Next = "value" | "name" | "value or end" | "name or end" | "more";

/** Where and in the place of what a text is no JSON. */
interface Mistake {
  readonly at: number;
  readonly next: Next;
  /** Nothing is open. */
  readonly outside: boolean;
}

const mistakeIn = (text: string): Mistake | null => {
  const open: string[] = [];
  let next: Next = "value";
  let at = 0;
  const taken = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found = ""] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  };
  const place = (): Mistake => ({ at, next, outside: open.length === 0 });
  for (;;) {
    taken(SPACE);
    if (next === "more" && open.length === 0) return at === text.length ? null : place();
    const one = text.charAt(at);
    const closes = next === "more" || next.endsWith("end");
    if (closes && one !== "" && one === open.at(-1)) {
      open.pop();
      next = "more";
      at += 1;
    } else if (next === "more") {
      if (one !== ",") return place();
      next = open.at(-1) === "}" ? "name" : "value";
      at += 1;
    } else if (next.startsWith("name")) {
      if (one !== '"' || taken(SCALAR) === "") return place();
      taken(SPACE);
      if (text.charAt(at) !== ":") return place();
      at += 1;
      next = "value";
    } else if (one === "{" || one === "[") {
      open.push(one === "{" ? "}" : "]");
      next = one === "{" ? "name or end" : "value or end";
      at += 1;
    } else {
      if (taken(SCALAR) === "") return place();
      next = "more";
    }
  }
};

const placeOf = (text: string, at: number): Place => {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
};

/** The first place at which a text is no JSON, by line and column from 1; null: it is JSON. */
export const jsonMistake = (text: string): Place | null => {
  const mistake = mistakeIn(text);
  return mistake && placeOf(text, mistake.at);
};

type Named = Pick<RefusedFor, "fact" | "place"> & { readonly cause: BodyCause };

const QUOTES: Readonly<Record<string, string>> = {
  "'": "single quotes",
  "`": "backticks",
  "‘": "curly quotes",
  "’": "curly quotes",
  "“": "curly quotes",
  "”": "curly quotes",
};

/** A cause, a fact, and how far behind the place where JSON ends the mistake is. */
type Mistaken = readonly [cause: BodyCause, fact: string, further?: number];

/** What a text that is never closed, or not as JSON has it, is wrong by. */
const ofText = (rest: string): Mistaken => {
  const end = /^"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/u.exec(rest)?.[0].length ?? 0;
  const [next, after] = [rest.charAt(end), rest.charAt(end + 1)];
  if (next === "" || (next === "\\" && after === "")) return ["json_cut", "The body ends inside a text"];
  if (/[\r\n]/.test(next === "\\" ? after : next))
    return ["json_line", "A line ends inside a text. Write line breaks as `\\n`", end];
  if (next === "\\") return ["json_escape", "A backslash in a text is not doubled: JSON writes it as `\\\\`", end];
  return ["json_escape", "A text has a control character, such as a tab, which JSON writes as `\\t`", end];
};

const ofWord = (word: string): Mistaken => {
  const known = /^(none|null|nil|undefined|nan|infinity|true|false)$/i.test(word);
  if (known) return ["json_word", `\`${word}\` is no JSON. JSON has \`true\`, \`false\` and \`null\``];
  return ["json_quotes", "JSON needs double quotes around text"];
};

/** What objects look like that a program wrote out without encoding them. */
const PRINTED = /^(?:\[object \w|Array\s*\(|[A-Za-z_]\w*\(|b["'])/;
const PLACEHOLDER = /^(?:\{\{|\$\{|<%|%\w+%)/;

/** What is wrong where the name of a member may begin, or its colon. */
const ofName = (one: string, word: string, before: string): Mistaken => {
  if (before.endsWith('"')) return ["json_punctuation", "The colon after a name is missing"];
  if (/\d$/.test(before.slice(0, -1)) && /\d/.test(one))
    return ["json_number", "JSON writes decimals with a point, not with a comma"];
  if (word !== "" || /\d/.test(one)) return ["json_name", "JSON needs double quotes around names"];
  return ["json_punctuation", `\`${one}\` comes where a name is expected`];
};

/** What is wrong behind a value. */
const ofMore = (one: string, word: string, before: string): Mistaken => {
  if (/\d$/.test(before) && /[\w.]/.test(one)) return ["json_number", "A number is not as JSON writes it"];
  if (before.endsWith('"') && word !== "")
    return ["json_escape", 'A double quote inside a text is not escaped: JSON writes it as `\\"`'];
  return ["json_punctuation", "A comma or a closing bracket is missing"];
};

/** A mistake by its name. */
const named = (text: string, { at, next, outside }: Mistake): Mistaken => {
  const one = text.charAt(at);
  const rest = text.slice(at);
  const before = text.slice(Math.max(0, at - 1_000), at).trimEnd();
  if (PRINTED.test(text.trimStart())) return ["json_printed", "The body is an object printed as text, not JSON"];
  if (PLACEHOLDER.test(rest) || text.startsWith("{{", at - 1))
    return ["json_placeholder", "A placeholder in the body was not filled in"];
  if (one === "") return ["json_cut", "The body ends before its JSON does"];
  if (one in QUOTES) return ["json_quotes", `JSON needs straight double quotes, not ${QUOTES[one]}`];
  if (/^(\/\/|\/\*|#)/.test(rest)) return ["json_comment", "JSON has no comments"];
  if ((one === "}" || one === "]") && before.endsWith(","))
    return ["json_comma", `A comma comes before the \`${one}\``];
  if (next === "more" && outside) return ["json_after", "Something comes after the end of the JSON"];
  if (one === '"' && next !== "more" && !(next.startsWith("name") && before.endsWith('"'))) return ofText(rest);
  if (one === "," && next !== "more") return ["json_punctuation", "A comma comes where a name or a value is expected"];
  const [word = ""] = /^[\p{L}_$][\p{L}\p{N}_$]{0,40}/u.exec(rest) ?? [];
  if (next.startsWith("name")) return ofName(one, word, before);
  if (next === "more") return ofMore(one, word, before);
  if (word !== "") return ofWord(word);
  if (/[\d+.-]/.test(one)) return ["json_number", "A number is not as JSON writes it"];
  return ["json_punctuation", `\`${one}\` comes where a value is expected`];
};

/** What a value is that is no object. */
const ofValue = (value: unknown): Named => {
  if (Array.isArray(value)) return { cause: "json_list", fact: "The body is a JSON list, not an object." };
  if (typeof value !== "string") return { cause: "not_json", fact: `The body is \`${value}\`, not a JSON object.` };
  try {
    if (typeof JSON.parse(value) === "object")
      return { cause: "json_twice", fact: "The body is a JSON string that contains JSON: it was encoded twice." };
  } catch {
    // It is a text that says something else.
  }
  return { cause: "not_json", fact: "The body is a JSON string, not an object." };
};

const FORM = /^[^\s={}[\]"'<>&]{1,200}=/;

/** Why a body is no JSON object, by the name of the mistake (D3, D4). Takes time in proportion to its length. */
export const bodyMistake = (body: Uint8Array): Named => {
  if ((body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff))
    return { cause: "json_encoding", fact: "The body is UTF-16, not UTF-8." };
  if (body[0] === 0 || body[1] === 0) return { cause: "json_encoding", fact: "The body is UTF-16, not UTF-8." };
  if (!isUtf8(body)) return { cause: "json_encoding", fact: "The body is not UTF-8." };
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const begins = text.trimStart();
  if (FORM.test(begins) || begins.startsWith("--"))
    return { cause: "json_form", fact: "The body is an HTML form’s, not JSON." };
  if (begins.startsWith("<")) return { cause: "not_json", fact: "The body is XML or HTML, not JSON." };
  if (/^[A-Za-z_][\w-]*:\s/.test(begins)) return { cause: "not_json", fact: "The body is YAML, not JSON." };
  const mistake = mistakeIn(text);
  if (!mistake) {
    try {
      return ofValue(JSON.parse(text));
    } catch {
      return { cause: "not_json" };
    }
  }
  const [cause, fact, further = 0] = named(text, mistake);
  const place = placeOf(text, mistake.at + further);
  return { cause, fact: `${fact} (line ${place.line}, column ${place.column}).`, place };
};
