import type { BodyFormName } from "./body-forms.ts";
import type { SecretFormName } from "./secret-forms.ts";
import type { SpellingName, Wrapping } from "./spellings.ts";

const rawBody =
  "Take the raw bytes as they arrive, before anything parses them: express.raw(), request.get_data(), php://input.";

/** What the signed body was instead of the pasted one. */
export const bodies: Readonly<Record<BodyFormName, readonly [title: string, what: string, mend: string]>> = {
  compact: ["Body printed again", "as JSON without spaces", rawBody],
  envelope_order: ["Fields in another order", "with its fields in the order the service sends them", rawBody],
  pretty: ["Body printed again", "printed over several lines", rawBody],
  spaced: ["Body printed again", "printed with a space after each comma and colon", rawBody],
  sorted: ["Fields sorted", "with its fields sorted by name", rawBody],
  sorted_spaced: ["Body printed again", "printed with sorted fields and spaces", rawBody],
  escaped: ["Characters escaped", "with some of its characters written as escapes", rawBody],
  newline_added: [
    "A line break is missing",
    "with a line break at its end",
    "Keep every byte of the body, the last one too.",
  ],
  newline_removed: [
    "Blanks around the body",
    "without the blanks or the line break around it",
    "Add nothing to the body before it is signed; a file or a terminal often ends it with a line break.",
  ],
  crlf: ["Other line breaks", "with line breaks of two characters (CR LF)", "Read the body as bytes, not as text."],
  lf: ["Other line breaks", "with line breaks of one character (LF)", "Read the body as bytes, not as text."],
  bom_removed: [
    "A byte order mark in front",
    "without the byte order mark in front",
    "Read the body as bytes, not as text.",
  ],
  bom_added: [
    "A byte order mark is missing",
    "with a byte order mark in front",
    "Read the body as bytes, not as text.",
  ],
  unquoted: ["Body wrapped in a string", "as the JSON that stands within this string", rawBody],
  base64_decoded: [
    "Body still in base64",
    "as the bytes this base64 stands for",
    "Some gateways hand the body over in base64; decode it before it is signed.",
  ],
};

/** What the key was instead of the secret. */
export const secrets: Readonly<Record<SecretFormName, readonly [title: string, what: string, mend: string]>> = {
  trimmed: [
    "Blanks around the secret",
    "the secret without the blanks around it",
    "Cut blanks off where the secret is read from a file or the environment.",
  ],
  with_newline: [
    "A line break after the secret",
    "the secret with a line break after it",
    "Cut the line break off where the secret is read from a file.",
  ],
  without_prefix: [
    "Secret without its prefix",
    "what follows pwh_ in the secret",
    "Use the whole secret, pwh_ included.",
  ],
  with_prefix: [
    "Secret without its prefix",
    "the secret with pwh_ in front",
    "Use the whole secret as it was handed out.",
  ],
  decoded: [
    "Secret decoded first",
    "the bytes the secret decodes to",
    "Use the secret’s text as it is; it is not base64 or hex of a key.",
  ],
};

/** How the signature is written; null for how it should be. */
export const spellings: Readonly<Record<SpellingName, readonly [title: string, what: string] | null>> = {
  base64: null,
  hex: ["Hex instead of base64", "written in hex"],
  base64url: ["Another base64", "written in the base64 of addresses (- and _)"],
  unpadded: ["Base64 not as it should be", "written in base64 without its padding, or with stray bits"],
  hex_in_base64: ["Hex within base64", "written in hex first, and that in base64"],
  percent: ["Percent signs in the signature", "written with percent escapes"],
  spaces: ["Blanks in the signature", "with blanks where base64 has plus signs"],
};

/** What stands around the signature. */
export const wrappings: Readonly<Record<Wrapping, readonly [title: string, what: string]>> = {
  prefix: ["A scheme in front", "with a scheme in front of it"],
  quotes: ["Quotes around it", "with quotes around it"],
  several: ["Several signatures", "beside others"],
};
