/** One word of a command, as the shell would hand it to the program. Nothing in it is looked up or run. */
export interface Word {
  readonly text: string;
  /** What the shell would put something else for: `$API_KEY`, `` `date` ``; it stands in the text as it was written. */
  readonly substituted: readonly string[];
}

/** The commands of a text, each as its words. */
export interface Commands {
  readonly commands: readonly (readonly Word[])[];
  /** A quote that was opened is never closed. */
  readonly unclosed: boolean;
}

/** Reads a text from left to right and gathers words, and of words commands. */
class Reader {
  readonly text: string;
  at = 0;
  readonly #commands: Word[][] = [];
  #words: Word[] = [];
  #word: string | null = null;
  #substituted: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  get char(): string {
    return this.text.charAt(this.at);
  }

  get next(): string {
    return this.text.charAt(this.at + 1);
  }

  get inWord(): boolean {
    return this.#word !== null;
  }

  /** @param ahead from how many characters on. @returns how long the line end is there; 0: there is none */
  lineEnd(ahead = 0): number {
    if (this.text.startsWith("\n", this.at + ahead)) return 1;
    return this.text.startsWith("\r\n", this.at + ahead) ? 2 : 0;
  }

  /** Takes so many characters into the word, or others in their place; none make a word too. */
  take(length: number, as = this.text.slice(this.at, this.at + length)): void {
    this.#word = (this.#word ?? "") + as;
    this.at += length;
  }

  /** Takes what is put something else for, if such begins here. */
  substituted(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const written = pattern.exec(this.text)?.[0];
    if (written === undefined) return false;
    this.#substituted.push(written);
    this.take(written.length);
    return true;
  }

  endWord(length: number): void {
    if (this.#word !== null) this.#words.push({ text: this.#word, substituted: this.#substituted });
    this.#word = null;
    this.#substituted = [];
    this.at += length;
  }

  endCommand(length: number): void {
    this.endWord(length);
    if (this.#words.length > 0) this.#commands.push(this.#words);
    this.#words = [];
  }

  ended(unclosed: boolean): Commands {
    this.endCommand(0);
    return { commands: this.#commands, unclosed };
  }
}

const ansiC: Readonly<Record<string, string>> = {
  ...{ a: "\u0007", b: "\b", e: "\u001b", E: "\u001b", f: "\f" },
  ...{ n: "\n", r: "\r", t: "\t", v: "\v" },
};
const NUMBERED = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3}))/iy;

/** One escape between `$'` and `'`; a byte is taken as the character of its number. */
const takeEscape = (reader: Reader): void => {
  NUMBERED.lastIndex = reader.at;
  const found = NUMBERED.exec(reader.text);
  if (!found) {
    reader.take(2, ansiC[reader.next] ?? reader.next);
    return;
  }
  const [whole, ...digits] = found;
  const code = Number.parseInt(digits.join(""), digits[3] === undefined ? 16 : 8);
  reader.take(whole.length, code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd");
};

const OF_SHELL = /\$(?:\{[^}]{0,199}\}|\([^)]{0,199}\)|\w+|[@*#?!-])|`[^`]{0,199}`/y;

/** Reads to the end of quotes. @returns whether they end */
type ReadQuotes = (reader: Reader) => boolean;

const single: ReadQuotes = (reader) => {
  const end = reader.text.indexOf("'", reader.at + 1);
  reader.at += 1;
  reader.take((end < 0 ? reader.text.length : end) - reader.at);
  reader.at += 1;
  return end >= 0;
};

const escaped: ReadQuotes = (reader) => {
  reader.at += 2;
  reader.take(0);
  while (reader.char !== "'") {
    if (reader.char === "") return false;
    if (reader.char === "\\") takeEscape(reader);
    else reader.take(1);
  }
  reader.at += 1;
  return true;
};

const double: ReadQuotes = (reader) => {
  reader.at += 1;
  reader.take(0);
  while (reader.char !== '"') {
    if (reader.char === "") return false;
    if (reader.char === "\\" && reader.lineEnd(1) > 0) reader.at += 1 + reader.lineEnd(1);
    else if (reader.char === "\\" && /[$`"\\]/.test(reader.next)) reader.take(2, reader.next);
    else if (!reader.substituted(OF_SHELL)) reader.take(1);
  }
  reader.at += 1;
  return true;
};

/** Where input or output is led, which is a word of its own here; what it is led to is the next, where it is a file. */
const REDIRECTION = /(?:\d|&)?(?:>>?\|?|<(?!<))(?:&\d)?/y;

const redirected = (reader: Reader): boolean => {
  REDIRECTION.lastIndex = reader.at;
  const written = REDIRECTION.exec(reader.text)?.[0];
  if (written === undefined || (reader.inWord && /^[\d]/.test(written))) return false;
  reader.endWord(0);
  reader.take(written.length);
  reader.endWord(0);
  return true;
};

/** The words of a text as a POSIX shell reads them. */
export const posixWords = (text: string): Commands => {
  const reader = new Reader(text);
  while (reader.char !== "") {
    const { char } = reader;
    const quotes = { "'": single, '"': double }[char] ?? (char === "$" && reader.next === "'" ? escaped : undefined);
    if (quotes) {
      if (!quotes(reader)) return reader.ended(true);
    } else if (char === "\\") {
      const skipped = reader.lineEnd(1);
      if (skipped > 0) reader.at += 1 + skipped;
      else reader.take(2, reader.next);
    } else if (redirected(reader)) continue;
    else if (/[\n;|&<()]/.test(char)) reader.endCommand(1);
    else if (/\s/.test(char)) reader.endWord(1);
    else if (char === "#" && !reader.inWord) while (reader.char !== "" && reader.char !== "\n") reader.at += 1;
    else if (!reader.substituted(OF_SHELL)) reader.take(1);
  }
  return reader.ended(false);
};

/** What Windows' command interpreter hands on of a text: each command, without the carets that it reads itself. */
const withoutCarets = (text: string): string[] => {
  const reader = new Reader(text);
  const commands: string[] = [];
  let command = "";
  let quoted = false;
  while (reader.char !== "") {
    const { char } = reader;
    let taken = 1;
    if (char === "^" && !quoted) {
      // A line end behind a caret is left out, and what follows stands for itself, even if it is another line end.
      reader.at += 1 + reader.lineEnd(1);
      taken = reader.lineEnd() || 1;
      command += text.slice(reader.at, reader.at + taken);
    } else if (char === "\n" || (char === "&" && !quoted)) {
      commands.push(command);
      command = "";
      quoted = false;
    } else {
      if (char === '"') quoted = !quoted;
      command += char;
    }
    reader.at += taken;
  }
  return [...commands, command];
};

const BACKSLASHES = /\\*/y;

/** The words of a text as Windows' command interpreter, and then the program that it starts, read them. */
export const cmdWords = (text: string): Commands => {
  let unclosed = false;
  const commands = withoutCarets(text).flatMap((command) => {
    const reader = new Reader(command);
    let quoted = false;
    while (reader.char !== "") {
      BACKSLASHES.lastIndex = reader.at;
      const backslashes = BACKSLASHES.exec(command)?.[0].length ?? 0;
      if (command.charAt(reader.at + backslashes) === '"') {
        // In front of a quote each two backslashes are one, and an odd one makes the quote a character.
        reader.take(backslashes, "\\".repeat(Math.floor(backslashes / 2)));
        if (backslashes % 2 === 1) reader.take(1);
        else if (quoted && reader.next === '"') reader.take(2, '"');
        else {
          quoted = !quoted;
          reader.take(1, "");
        }
      } else if (backslashes > 0) reader.take(backslashes);
      else if (/\s/.test(reader.char) && !quoted) reader.endWord(1);
      else reader.take(1);
    }
    unclosed ||= quoted;
    return reader.ended(quoted).commands;
  });
  return { commands, unclosed };
};

const backticked: Readonly<Record<string, string>> = { "0": "\0", n: "\n", r: "\r", t: "\t", e: "\u001b" };
const OF_POWERSHELL = /\$(?:\{[^}]{0,199}\}|\([^)]{0,199}\)|[\w:]+)/y;
/** PowerShell takes typographic quotes for plain ones. */
const SINGLE = /['‘’‚‛]/;
const DOUBLE = /["“”„]/;

/** The words of a text as PowerShell reads them. */
export const powerShellWords = (text: string): Commands => {
  const reader = new Reader(text);
  let quote: RegExp | null = null;
  while (reader.char !== "") {
    const { char, next } = reader;
    if (quote?.test(char)) {
      // Two of them are one character.
      if (quote.test(next)) reader.take(2, next);
      else {
        quote = null;
        reader.take(1, "");
      }
    } else if (quote === SINGLE) reader.take(1);
    else if (char === "`") {
      const skipped = reader.lineEnd(1);
      if (skipped > 0) reader.at += 1 + skipped;
      else reader.take(2, backticked[next] ?? next);
    } else if (reader.substituted(OF_POWERSHELL)) continue;
    else if (quote === null && (SINGLE.test(char) || DOUBLE.test(char))) {
      quote = SINGLE.test(char) ? SINGLE : DOUBLE;
      reader.take(1, "");
    } else if (quote !== null) reader.take(1);
    else if (/[\n;|&]/.test(char)) reader.endCommand(1);
    else if (/\s/.test(char)) reader.endWord(1);
    else reader.take(1);
  }
  return reader.ended(quote !== null);
};

/** The words of a command in whichever shell's way it is written, told by how its lines go on. */
export const shellWords = (text: string): Commands => {
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const goesOn = /^(?:"|\r?\n)/.test(text.slice(at + 1, at + 3));
    if (char === "^" && goesOn) return cmdWords(text);
    if (char === "`" && goesOn) return powerShellWords(text);
    if (char === "\\") at += 1;
    else if (char === "'" || char === '"') {
      // A quote within quotes is either doubled, which is the end of one pair and the begin of another, or escaped.
      for (at += 1; at < text.length && text.charAt(at) !== char; at += 1) {
        if (char !== '"') continue;
        if (text.charAt(at) === "`" && text.charAt(at + 1) === '"') return powerShellWords(text);
        if (text.charAt(at) === "\\") at += 1;
      }
    }
  }
  return posixWords(text);
};
