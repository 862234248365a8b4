import { isUtf8 } from "node:buffer";
import type { BodyCause } from "../../contract/causes.ts";
import type { Place, RefusalReason } from "../../contract/errors.ts";

const SPACE = /[ \t\n\r]*/y;
const SCALAR =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/** Token expected next: a value; a name; either of them or the closing bracket; or a token after a value. */
type Next = "value" | "name" | "value or end" | "name or end" | "more";

/** Position of a syntax error, and the expected token. */
interface Mistake {
  readonly at: number;
  readonly next: Next;
  /** True if no object or array is open. */
  readonly outside: boolean;
}

const findMistake = (text: string): Mistake | null => {
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

const toLineAndColumn = (text: string, at: number): Place => {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
};

/** Line and column (from 1) of the first syntax error; null if the text is JSON. */
export const findJsonMistake = (text: string): Place | null => {
  const mistake = findMistake(text);
  return mistake && toLineAndColumn(text, mistake.at);
};

type NamedMistake = Pick<RefusalReason, "fact" | "place" | "remedy"> & { readonly cause: BodyCause };

const QUOTES: Readonly<Record<string, string>> = {
  "'": "single quotes",
  "`": "backticks",
  "‘": "curly quotes",
  "’": "curly quotes",
  "“": "curly quotes",
  "”": "curly quotes",
};

/** Cause, description, and distance of the error from the last valid position. */
type MistakeDescription = readonly [cause: BodyCause, fact: string, further?: number];

/** Describes an unclosed or malformed string. */
const describeText = (rest: string): MistakeDescription => {
  const end = /^"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/u.exec(rest)?.[0].length ?? 0;
  const [next, after] = [rest.charAt(end), rest.charAt(end + 1)];
  if (next === "" || (next === "\\" && after === "")) return ["json_cut", "The body ends inside a text"];
  if (/[\r\n]/.test(next === "\\" ? after : next))
    return ["json_line", "A line ends inside a text. Write line breaks as `\\n`", end];
  if (next === "\\") return ["json_escape", "A backslash in a text is not doubled: JSON writes it as `\\\\`", end];
  return ["json_escape", "A text has a control character, such as a tab, which JSON writes as `\\t`", end];
};

const describeWord = (word: string, outside: boolean): MistakeDescription => {
  const known = /^(none|null|nil|undefined|nan|infinity|true|false)$/i.test(word);
  if (known) return ["json_word", `\`${word}\` is not valid in JSON. JSON has \`true\`, \`false\` and \`null\``];
  if (outside) return ["not_json", "The body is plain text, not JSON"];
  return ["json_quotes", "JSON needs double quotes around text"];
};

/** Objects that a program printed instead of serializing. */
const PRINTED =
  /^(?:\[object \w|&\{|&map\[|Array\s*(?:\(|$)|map\[|System\.|%\{|\{\[|\{:\w|[{[]["'][^"']{0,100}["']\s*=>|\{\w+=|[A-Za-z_]\w*\(|b["'])/;
/** A printed `dict`: single quotes, and words that only Python has. */
const PYTHON_DICT = /^\s*[{[]\s*\{?'[\s\S]*[:,[] ?(?:None|True|False)\b/;
/** Beginnings that identify a kind of text, tried in this order. */
const BEGINNINGS: readonly (readonly [pattern: RegExp, cause: BodyCause, fact: string])[] = [
  [/^%7B/i, "json_twice", "The body is percent-encoded JSON: it was encoded twice."],
  [/^(?:eyJ|ewo|ew0K)[\w+/=-]*$/, "json_twice", "The body is JSON in Base64: it was encoded twice."],
  [/^\{\s*&(?:quot|#34);/, "json_twice", "The body is JSON escaped for HTML: it was encoded twice."],
  [/^(?:[^\s={}[\]"'<>&(]{1,200}=|--)/, "json_form", "The body is an HTML form’s, not JSON."],
  [/^@[\w./\\:~-]+\s*$/, "not_json", "The body is `@` and the name of a file, not the file’s content."],
  [/^</, "not_json", "The body is XML or HTML, not JSON."],
  [/^(?:\w|```)[\s\S]*?[{[]\s*"/, "json_after", "Other text comes before the JSON."],
  [/^[\w./\\-]+\.json\s*$/, "not_json", "The body is the name of a file, not its content."],
  [/^[A-Za-z_][\w-]*:\s/, "not_json", "The body is YAML, not JSON."],
];
const FILE_REMEDY =
  "Send the content of the file. curl reads the file after `@` with `-d` and `--data-binary`, not with `--data-raw`.";
const PLACEHOLDER = /^(?:\{\{|\$\{|\$[A-Za-z_]|<%|%\w+%)/;

/** Describes an error at a member's name or its colon. */
const describeName = (one: string, word: string, before: string): MistakeDescription => {
  if (before.endsWith('"')) return ["json_punctuation", "The colon after a name is missing"];
  if (/\d$/.test(before.slice(0, -1)) && /\d/.test(one))
    return ["json_number", "JSON writes decimals with a point, not with a comma"];
  if (word !== "" || /\d/.test(one)) return ["json_name", "JSON needs double quotes around names"];
  return ["json_punctuation", `\`${one}\` comes where a name is expected`];
};

/** Describes an error after a value. */
const describeMore = (one: string, word: string, before: string): MistakeDescription => {
  if (/\d$/.test(before) && /[\w.]/.test(one)) return ["json_number", "A number isn’t valid JSON"];
  if (before.endsWith('"') && word !== "")
    return ["json_escape", 'A double quote inside a text is not escaped: JSON writes it as `\\"`'];
  return ["json_punctuation", "A comma or a closing bracket is missing"];
};

const describeMistake = (text: string, { at, next, outside }: Mistake): MistakeDescription => {
  const one = text.charAt(at);
  const rest = text.slice(at);
  const before = text.slice(Math.max(0, at - 1_000), at).trimEnd();
  if (PRINTED.test(text.trimStart())) return ["json_printed", "The body is an object printed as text, not JSON"];
  if (PYTHON_DICT.test(text))
    return [
      "json_printed",
      "The body is a Python `dict` printed as text, with single quotes and Python’s words, not JSON",
    ];
  if (PLACEHOLDER.test(rest) || text.startsWith("{{", at - 1))
    return ["json_placeholder", "A placeholder in the body was not filled in"];
  if (one === "") return ["json_cut", "The body ends before its JSON does"];
  if (/[\p{Cf}\p{Zs}\p{Zl}]/u.test(one))
    return ["json_punctuation", "A character that isn’t shown, such as a no-break space, is outside a text"];
  if (one in QUOTES) return ["json_quotes", `JSON needs straight double quotes, not ${QUOTES[one]}`];
  if (/^(\/\/|\/\*|#)/.test(rest)) return ["json_comment", "JSON has no comments"];
  if ((one === "}" || one === "]") && before.endsWith(","))
    return ["json_comma", `A comma comes before the \`${one}\``];
  if (next === "more" && outside) return ["json_after", "Something comes after the end of the JSON"];
  if (one === '"' && next !== "more" && !(next.startsWith("name") && before.endsWith('"'))) return describeText(rest);
  if (one === ",") return ["json_punctuation", "A comma comes where a name or a value is expected"];
  const [word = ""] = /^[\p{L}_$][\p{L}\p{N}_$]{0,40}/u.exec(rest) ?? [];
  if (next.startsWith("name")) return describeName(one, word, before);
  if (next === "more") return describeMore(one, word, before);
  if (word !== "") return describeWord(word, outside);
  if (/[\d+.-]/.test(one)) return ["json_number", "A number isn’t valid JSON"];
  return ["json_punctuation", `\`${one}\` comes where a value is expected`];
};

const EMPTY_LIST_REMEDY =
  "Send an object: `{}` if the call has no fields. PHP writes an empty array as `[]`; `json_encode(new stdClass())` writes `{}`.";

const describeValue = (value: unknown): NamedMistake => {
  if (Array.isArray(value) && value.length === 0)
    return { cause: "json_list", fact: "The body is an empty JSON list, not an object.", remedy: EMPTY_LIST_REMEDY };
  if (Array.isArray(value)) return { cause: "json_list", fact: "The body is a JSON list, not an object." };
  if (typeof value !== "string") return { cause: "not_json", fact: `The body is \`${value}\`, not a JSON object.` };
  try {
    if (typeof JSON.parse(value) === "object")
      return { cause: "json_twice", fact: "The body is a JSON string that contains JSON: it was encoded twice." };
  } catch {
    // The string contains something other than JSON.
  }
  return { cause: "not_json", fact: "The body is a JSON string, not an object." };
};

/** Explains a body by what a shell did to its quotes; null for others. @param at of the first mistake */
const describeShell = (text: string, at: number): Pick<NamedMistake, "fact" | "remedy"> | null => {
  const bare = text.trim();
  if (text.startsWith('\\"', at) && !/[^\\]"/.test(text))
    return {
      fact: "A backslash comes before each double quote of the body",
      remedy: "Send the body without the backslashes: inside single quotes, most shells keep them.",
    };
  const isQuoted = /^'\s*[{[]/.test(bare) && bare.endsWith("'");
  if (isQuoted && bare.includes('"'))
    return { fact: "Single quotes are around the whole body", remedy: "Send the JSON without quotes around it." };
  if (bare.includes('"') || !/^'?\s*\{\s*[A-Za-z_]\w*\s*:/.test(bare)) return null;
  if (isQuoted)
    return {
      fact: "Single quotes are around the body, and it has no double quotes, as if cmd.exe of Windows removed them",
      remedy: `In cmd.exe, put the body in double quotes and write each one inside as \`\\"\`. Or send a file: \`-d @body.json\`.`,
    };
  return {
    fact: "The body has no double quotes, which JSON needs around names: it is a JavaScript object, or a Windows shell removed them",
    remedy:
      'Have a JSON library write the body. From PowerShell or cmd.exe, write each double quote as `\\"`, or send a file: `-d @body.json`.',
  };
};

/** Checks whether only the last character of a text in UTF-8 is incomplete. */
const isCutInCharacter = (body: Uint8Array): boolean => {
  // A character has at most four bytes: a first one of 0xc0 or higher, then bytes from 0x80 to 0xbf.
  const end = body.subarray(-3);
  const start = end.findLastIndex((byte) => byte >= 0xc0);
  const [first = 0, ...others] = start < 0 ? [] : end.subarray(start);
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const isContinued = others.every((byte) => byte >= 0x80 && byte < 0xc0);
  return (
    first > 0 && isContinued && others.length + 1 < length && isUtf8(body.subarray(0, body.length - others.length - 1))
  );
};

/** Names the first byte that isn't UTF-8, as the character it likely stands for. */
const describeOtherEncoding = (body: Uint8Array): NamedMistake => {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const at = text.indexOf("\uFFFD");
  const byte = body.subarray(Buffer.byteLength(text.slice(0, at))).subarray(0, 1);
  const place = toLineAndColumn(text, at);
  const [one, code] = [new TextDecoder("windows-1252").decode(byte), byte[0]?.toString(16).toUpperCase()];
  const fact = `The body is not UTF-8: the byte 0x${code}, \`${one}\` in Latin-1, is at line ${place.line}, column ${place.column}.`;
  return { cause: "json_encoding", fact, place };
};

/** Finds out why a body isn't a JSON object (D3, D4). Runs in linear time. */
export const findBodyMistake = (body: Uint8Array): NamedMistake => {
  if ((body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff))
    return { cause: "json_encoding", fact: "The body is UTF-16, not UTF-8." };
  if (body[0] === 0 || body[1] === 0) return { cause: "json_encoding", fact: "The body is UTF-16, not UTF-8." };
  if (body[0] === 0x1f && body[1] === 0x8b)
    return { cause: "json_encoding", fact: "The body is compressed with gzip." };
  if (!isUtf8(body))
    return isCutInCharacter(body)
      ? { cause: "json_cut", fact: "The body ends inside a character. `Content-Length` counts bytes, not characters." }
      : describeOtherEncoding(body);
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const begins = text.trimStart();
  const known = PRINTED.test(begins) ? undefined : BEGINNINGS.find(([pattern]) => pattern.test(begins));
  if (known) return { cause: known[1], fact: known[2], ...(begins.startsWith("@") ? { remedy: FILE_REMEDY } : {}) };
  const mistake = findMistake(text);
  if (!mistake) {
    try {
      return describeValue(JSON.parse(text));
    } catch {
      return { cause: "not_json" };
    }
  }
  const [cause, fact, further = 0] = describeMistake(text, mistake);
  const place = toLineAndColumn(text, mistake.at + further);
  const isOfShell = cause === "json_quotes" || cause === "json_name" || cause === "json_punctuation";
  const shell = isOfShell ? describeShell(text, mistake.at) : null;
  return { cause, place, ...shell, fact: `${shell?.fact ?? fact} (line ${place.line}, column ${place.column}).` };
};
