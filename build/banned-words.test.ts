import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Words that no reader should meet. */
const BANNED = [
  "anew",
  "as usual",
  "is to come",
  "nobody told",
  "all the same",
  "such as it is",
  "by hand",
  "anyone's",
  "it stands",
  "bears",
  "of its own accord",
  "told apart",
  "names no",
  "as it must",
  "breaks off",
  "makes no sense",
  "in other letters",
  "whether they exist",
  "hold together",
  "laptop",
  "given up",
  "cannot go on",
  "goes on by itself",
  "without an answer",
  "(is|are|was|were) answered",
  "answered so",
  "so much later",
  "receiver answered",
  "fault answered",
];
const PATTERN = new RegExp(`\\b(${BANNED.join("|")})\\b`, "gi");

/** Phrasings that a reader of code has to translate. Screens are checked by the words above. */
const ODD =
  /(?<!\bthere )\bis no (?!longer\b)[a-z]|\b(an)?other \w+ than\b|, also (when|where|if|of)\b|\b(whoever|the very|goes on|any more|anew|laptops?)\b|^(Whether|What)\b/gi;
/** A call with a string and a function as arguments. */
const TITLE = /\(\s*(["`])((?:\\.|(?!\1).)+)\1,\s*(?:\{[^}]*\},\s*)?(?:async )?(?:\(|function)/g;

/** API words with another name in prose: order, test receiver, response. Code may quote them. */
const ONLY_IN_CODE = /\b(procurements?|sinks?|answered|(the|an|no|its) answers?)\b/gi;
const CODE = /```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g;
const COMMENT = /(?<=^|[\s;{}([,])(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;

/** Replaces matches by blanks and keeps line breaks. */
const blank = (text: string, pattern: RegExp): string =>
  text.replaceAll(pattern, (part) => part.replaceAll(/[^\n]/g, " "));

/** Removes comments, which no screen shows. */
const visible = (file: string, text: string): string => (/\.(tsx?|mjs)$/.test(file) ? blank(text, COMMENT) : text);

const findMatches = (file: string, text: string, pattern: RegExp): string[] =>
  text
    .split("\n")
    .flatMap((line, index) => [...line.matchAll(pattern)].map(([word]) => `${file}:${index + 1} ${word}`));

const findBannedWords = (file: string, text: string): string[] => [
  ...findMatches(file, visible(file, text), PATTERN),
  ...(file.endsWith(".md") ? findMatches(file, blank(text, CODE), ONLY_IN_CODE) : []),
];

const findOddTitles = (file: string, text: string): string[] =>
  [...text.matchAll(TITLE)].flatMap(([, , title = ""]) =>
    [PATTERN, ODD].flatMap((pattern) =>
      [...title.matchAll(pattern)].map(([words]) => `${file}: ${words} in "${title}"`),
    ),
  );

const findOddComments = (file: string, text: string): string[] =>
  [...text.matchAll(COMMENT)].flatMap(([comment]) => {
    const words = comment.replace(/^\/[*/]+\s*/, "");
    return [...words.matchAll(ODD)].map(([match]) => `${file}: ${match} in "${words.slice(0, 60)}"`);
  });

const isSource = (file: string): boolean =>
  !/\.test\.tsx?$|^sandbox\/(testing|tests|bench|soak)\/|\/migrations\//.test(file);

it("no screen, error, help text or page of the documentation has a word that is hard to read", () => {
  const code = globSync("{renderer,sandbox,electron}/**/*.{ts,tsx,json}").filter(isSource);
  // Generated from test names, for contributors only.
  const pages = globSync(["docs/*.md", "docs/*/README.md", "build/npm/README.md"]).filter(
    (file) => file !== "docs/contract.md",
  );
  const tools = globSync(["docs/site/**/*.ts", "build/**/*.{ts,mjs}"]).filter(
    (file) => !/\.test\.ts$|generated/.test(file),
  );
  const files = [...code, ...pages, ...tools, "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => findBannedWords(file, readFileSync(file, "utf8")))).toEqual([]);
});

it("no title of a test has a word or a phrasing that is hard to read", () => {
  const files = globSync("{build,docs,e2e,electron,renderer,sandbox}/**/*.{test,spec}.{ts,tsx,mjs}").filter(
    (file) => !/node_modules|^build\/(banned-words|fixtures)/.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => findOddTitles(file, readFileSync(file, "utf8")))).toEqual([]);
});

it("no comment has a phrasing that is hard to read", () => {
  const files = globSync(["*.{mjs,ts}", "{build,docs,e2e,electron,renderer,sandbox}/**/*.{ts,tsx,mjs}"]).filter(
    (file) => !/node_modules|generated|\/migrations\/|^build\/(banned-words|fixtures)/.test(file),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.flatMap((file) => findOddComments(file, readFileSync(file, "utf8")))).toEqual([]);
});

it("every message of the service has typographic apostrophes", () => {
  const files = globSync("sandbox/**/*.ts").filter(
    (file) => isSource(file) && !/^sandbox\/(command|scenario\/generated)\//.test(file),
  );
  const straight = files.flatMap((file) =>
    visible(file, readFileSync(file, "utf8"))
      .split("\n")
      .flatMap((line, index) =>
        /[\w`}]'(s|t|re|ve|ll|d)\b|[a-z]s' [a-z]/.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [],
      ),
  );
  expect(straight).toEqual([]);
});

it("checks visible text and ignores comments", () => {
  const text = 'const one = "begins anew"; // stays by hand\n/* all the same */ const link = "https://a.b/by hand";';
  expect(findBannedWords("one.ts", text)).toEqual(["one.ts:1 anew", "one.ts:2 by hand"]);
});

it("checks titles of tests, with parameters too, and no other text", () => {
  const text = `it.each([1])("goes on with %s", (n) => {\n  expect("the very same").toBe(n); // any more\n});`;
  expect(findOddTitles("one.test.ts", text)).toEqual(['one.test.ts: goes on in "goes on with %s"']);
});

it("checks comments, and no text that looks like one", () => {
  const text =
    '/** Whether it goes on. */\nconst one = "a/* the very */b"; // a name is no path\n// There is no other.';
  expect(findOddComments("one.ts", text).map((found) => found.split(" in ")[0])).toEqual([
    "one.ts: Whether",
    "one.ts: goes on",
    "one.ts: is no p",
  ]);
});

it("pages may use an API word in code or a link, not in a sentence", () => {
  const text = "The `procurement` of [a page](sink.md):\n```sh\npost /sink\n```\nThe sink read the answer.";
  expect(findBannedWords("one.md", text)).toEqual(["one.md:5 sink", "one.md:5 the answer"]);
});
