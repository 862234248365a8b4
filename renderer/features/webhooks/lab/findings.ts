import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { formatSpan, plural } from "../../../lib/formatting.ts";
import type { BodyFormName, Explained, Match, SecretFormName, SpellingName, Wrapping } from "./explain-signature.ts";
import { halfHoursOff, isWithinWindow, type PastedHeader, type Stamp } from "./judge.ts";

/** Something that is wrong with what was pasted, and what to do about it. */
export interface Finding {
  /** A word that stays the same, whatever the sentences become. */
  readonly code: string;
  readonly title: string;
  readonly sentence: string;
  readonly mend: string;
}

const rawBody =
  "Take the raw bytes as they arrive, before anything parses them: express.raw(), request.get_data(), php://input.";
const asBytes = "Read the body as bytes, not as text.";
const everyByte = "Keep every byte of the body, the last one too.";
const nothingAdded =
  "Add nothing to the body before it is signed; a file or a terminal often ends it with a line break.";

/** What the signed body was instead of the pasted one. */
const bodies: Readonly<Record<BodyFormName, readonly [title: string, what: string, mend: string]>> = {
  compact: ["Body printed again", "as JSON without spaces", rawBody],
  envelope_order: ["Fields in another order", "with its fields in the order the service sends them", rawBody],
  pretty: ["Body printed again", "printed over several lines", rawBody],
  spaced: ["Body printed again", "printed with a space after each comma and colon", rawBody],
  sorted: ["Fields sorted", "with its fields sorted by name", rawBody],
  sorted_spaced: ["Body printed again", "printed with sorted fields and spaces", rawBody],
  escaped: ["Characters escaped", "with some of its characters written as escapes", rawBody],
  newline_added: ["A line break is missing", "with a line break at its end", everyByte],
  newline_removed: ["Blanks around the body", "without the blanks or the line break around it", nothingAdded],
  crlf: ["Other line breaks", "with line breaks of two characters (CR LF)", asBytes],
  lf: ["Other line breaks", "with line breaks of one character (LF)", asBytes],
  bom_removed: ["A byte order mark in front", "without the byte order mark in front", asBytes],
  bom_added: ["A byte order mark is missing", "with a byte order mark in front", asBytes],
  unquoted: ["Body wrapped in a string", "as the JSON that stands within this string", rawBody],
  base64_decoded: [
    "Body still in base64",
    "as the bytes this base64 stands for",
    "Some gateways hand the body over in base64; decode it before it is signed.",
  ],
};

/** What a receiver made of the body where it signed another than arrived. What is not here is said as above. */
const receiverBodies: Partial<Record<BodyFormName, readonly [title: string, mend: string]>> = {
  newline_added: ["Your receiver added a line break", nothingAdded],
  newline_removed: ["Your receiver cut blanks or a line break off", everyByte],
  crlf: ["Your receiver changed the line breaks", asBytes],
  lf: ["Your receiver changed the line breaks", asBytes],
  bom_removed: ["Your receiver cut the byte order mark off", asBytes],
  bom_added: ["Your receiver put a byte order mark in front", asBytes],
};

/** What the key was instead of the secret. */
const secrets: Readonly<Record<SecretFormName, readonly [title: string, what: string, mend: string]>> = {
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
const spellings: Readonly<Record<SpellingName, readonly [title: string, what: string] | null>> = {
  base64: null,
  hex: ["Hex instead of base64", "written in hex"],
  base64url: ["Another base64", "written in the base64 of addresses (- and _)"],
  unpadded: ["Base64 not as it should be", "written in base64 without its padding, or with stray bits"],
  hex_in_base64: ["Hex within base64", "written in hex first, and that in base64"],
  percent: ["Percent signs in the signature", "written with percent escapes"],
  spaces: ["Blanks in the signature", "with blanks where base64 has plus signs"],
};

/** What stands around the signature. */
const wrappings: Readonly<Record<Wrapping, readonly [title: string, what: string]>> = {
  prefix: ["A scheme in front", "with a scheme in front of it"],
  quotes: ["Quotes around it", "with quotes around it"],
  several: ["Several signatures", "beside others"],
};

const spellingMend = "Write base64(HMAC-SHA256) and nothing else: 44 characters, the last one =.";

const ofSpelling = ({ spelling: { name } }: Match): Finding | null => {
  const words = spellings[name];
  if (words === null) return null;
  const [title, what] = words;
  return { code: name, title, sentence: `The signature is the right one, ${what}.`, mend: spellingMend };
};

const ofWrapping = ({ spelling: { wrapping } }: Match): Finding | null => {
  if (wrapping === null) return null;
  const [title, what] = wrappings[wrapping];
  return { code: wrapping, title, sentence: `The signature stands there ${what}.`, mend: spellingMend };
};

const ofBody = ({ body }: Match): Finding | null => {
  if (body.kind === "as_pasted") return null;
  if (body.kind === "sent")
    return {
      code: "body_changed",
      title: "Body changed on its way",
      sentence: `This is the signature of ${body.name}, and these are not the bytes that were sent.`,
      mend: "Compare them byte for byte below. If nothing of yours touched them, refuse them: somebody else did.",
    };
  const [title, what, mend] = bodies[body.name];
  const sentence = `The signature fits the body ${what}, not the bytes that were pasted.`;
  return { code: body.name, title, sentence, mend };
};

const ofReceiversBody = ({ body }: Match): Finding | null => {
  if (body.kind === "as_pasted") return null;
  if (body.kind === "sent")
    return {
      code: "other_bytes",
      title: "The bytes of another attempt",
      sentence: `It is the signature of ${body.name}, not of these bytes.`,
      mend: "Sign the body of the request that is answered: each attempt has its own stamp, and so its own signature.",
    };
  const [title, what, mend] = bodies[body.name];
  const [itsTitle, itsMend] = receiverBodies[body.name] ?? [title, mend];
  const sentence = `It is the signature of the body ${what}, not of the bytes as they arrived.`;
  return { code: body.name, title: itsTitle, sentence, mend: itsMend };
};

const ofSecret = ({ secret }: Match): Finding | null => {
  if (secret.kind === "as_given") return null;
  if (secret.kind === "other")
    return {
      code: "wrong_secret",
      title: "Another secret",
      sentence: `It was signed with ${secret.name}, not with the secret given here.`,
      mend: "The secret is one an integration. Look it up by the body’s integration_id.",
    };
  const [title, what, mend] = secrets[secret.name];
  return { code: `secret_${secret.name}`, title, sentence: `It was signed with ${what}.`, mend };
};

const ofMethod = ({ method }: Match): Finding | null => {
  switch (method.kind) {
    case "hmac":
      if (method.hash === "SHA-256") return null;
      return {
        code: "algorithm",
        title: "Another algorithm",
        sentence: `It is HMAC-${method.hash.replace("-", "")}.`,
        mend: "The contract wants HMAC-SHA256.",
      };
    case "swapped":
      return {
        code: "swapped",
        title: "Key and message swapped",
        sentence: "It is the HMAC of the secret, keyed with the body.",
        mend: "The secret is the key, the raw body the message. Look at the order of the arguments.",
      };
    case "keyless":
      return {
        code: "keyless",
        title: "A hash without a key",
        sentence: `It is ${method.hash} of the body, without the secret: anybody could have made it.`,
        mend: "Use HMAC with the secret as its key.",
      };
    default:
      return {
        code: "concatenated",
        title: "A hash, not an HMAC",
        sentence: "It is SHA-256 of secret and body put together.",
        mend: "Use HMAC: hashing the two together can be forged by lengthening the body.",
      };
  }
};

/** Why no way leads to a signature. */
const noWay = ({ macBytes, tried }: Explained): string => {
  if (macBytes === null) return "It is neither base64 nor hex.";
  if (macBytes !== 32) return `It is ${macBytes} bytes; an HMAC-SHA256 has 32.`;
  return `None of ${tried} ways leads to it: other forms of the body, the secrets of this world, other spellings, other hashes.`;
};

/** In more characters two signatures that have nothing to do with each other are never so alike. */
const MOST_DAMAGED = 3;

const unknown = (explained: Explained, value: string): Finding => {
  const { computed } = explained;
  const other = [...value].filter((character, index) => character !== computed[index]).length;
  if (value.length === computed.length && other <= MOST_DAMAGED)
    return {
      code: "damaged",
      title: "Damaged or mistyped",
      sentence: `It differs from the right signature in ${plural(other, "character")} of ${computed.length}: secret and body are the right ones.`,
      mend: "It was damaged or mistyped: copy it again from the received request. If it arrived like this, refuse it, and look at what stands in front of the receiver.",
    };
  return {
    code: "unexplained",
    title: "Not a signature of these bytes",
    sentence: noWay(explained),
    mend: "Then it was made with a secret nobody here knows, or over bytes that are not these. Paste the body exactly as it arrived, best in base64, and check the secret.",
  };
};

/** What makes a signature another than the one there should be. */
const matchFindings = (match: Match, ofItsBody = ofBody): Finding[] =>
  [ofMethod, ofSecret, ofItsBody, ofSpelling, ofWrapping].map((of) => of(match)).filter((finding) => finding !== null);

/** Whether two signatures cover the same form of the body: then it is the one that was pasted that is another. */
const isSameBody = (match: Match, other: Match | null | undefined): boolean =>
  match.body.kind === "form" && other?.body.kind === "form"
    ? match.body.name === other.body.name
    : match.body.kind === other?.body.kind;

/**
 * What is wrong with the signature a receiver computed itself; empty when it is the one there should be.
 *
 * @param arrived what the signature that came with it turned out to be
 */
export const receiverFindings = (explained: Explained, arrived: Explained | null): Finding[] =>
  explained.match
    ? matchFindings(explained.match, isSameBody(explained.match, arrived?.match) ? ofBody : ofReceiversBody)
    : [
        {
          code: "not_this_secret",
          title: "Not this secret over these bytes",
          sentence: `The receiver made it with another secret, or over other bytes. ${noWay(explained)}`,
          mend: "Choose “Another secret” under “Secret of” and paste the one the receiver uses. If this is right with it, that secret is the cause; if not, the bytes are: paste the body as the receiver has it, in base64.",
        },
      ];

/** What is wrong with the header, the body and the secret together; empty when the signature is right. */
export const signatureFindings = (header: PastedHeader, explained: Explained | null): Finding[] => {
  const findings: Finding[] = [];
  if (header.kind === "none" || header.kind === "others")
    return [
      {
        code: "no_header",
        title: "No signature",
        sentence:
          header.kind === "none"
            ? `Nothing stands under ${SIGNATURE_HEADER}.`
            : `Among these headers (${header.names.join(", ")}) there is no ${SIGNATURE_HEADER}, and none that looks like a signature.`,
        mend: "Without it nobody can tell who sent the body: refuse it. Proxies sometimes drop headers they do not know.",
      },
    ];
  if (header.kind === "misnamed")
    findings.push({
      code: "wrong_header",
      title: "Another header",
      sentence: `The signature stands under ${header.name}.`,
      mend: `The contract’s name is ${SIGNATURE_HEADER}; in PHP and CGI it is read as HTTP_SERVICE_HMAC_SHA256.`,
    });
  if (!explained) return findings;
  return [...findings, ...(explained.match ? matchFindings(explained.match) : [unknown(explained, header.value)])];
};

const inHours = (halfHours: number): string => {
  const hours = Math.abs(halfHours) / 2;
  return `${hours} ${hours === 1 ? "hour" : "hours"}`;
};

/** What is wrong with the stamp at a moment; null when nothing is. */
export const stampFinding = (stamp: Stamp, now: number): Finding | null => {
  const mend = "Refuse what cannot be read as a time: it must not pass for now. Look at the bytes that were sent.";
  switch (stamp.kind) {
    case "missing":
      return {
        code: "no_stamp",
        title: "No stamp",
        sentence:
          stamp.near === null
            ? "The body has no webhook_timestamp."
            : `The body has no webhook_timestamp; ${stamp.near} is not its name.`,
        mend,
      };
    case "number":
      return {
        code: "stamp_number",
        title: "The stamp is a number",
        sentence: `webhook_timestamp is ${stamp.value}, not a string.`,
        mend: "It is text in ISO 8601, for example 2026-03-11T22:05:07.204Z.",
      };
    case "without_zone":
      return {
        code: "stamp_zone",
        title: "The stamp has no zone",
        sentence: `“${stamp.text}” is a time somewhere, and nobody can tell where.`,
        mend: "It ends in Z or in an offset such as +02:00.",
      };
    case "no_time":
      return {
        code: "stamp_unreadable",
        title: "The stamp is no time",
        sentence: `“${stamp.text}” cannot be read.`,
        mend,
      };
    default: {
      if (isWithinWindow(stamp.at, now)) return null;
      const apart = now - stamp.at;
      const zone = halfHoursOff(stamp.at, now);
      const old = apart > 0;
      return {
        code: old ? "stale" : "future",
        title: old ? "Too old" : "From the future",
        sentence: `It was stamped ${formatSpan(Math.abs(apart))} ${old ? "before" : "after"} the moment it is judged at; five minutes are allowed.`,
        mend:
          zone === null
            ? old
              ? "Somebody sends a recorded notification again, or a queue of yours held it back: verify on arrival. Or a clock is off."
              : "A clock is off: compare yours with a time server."
            : `That is ${inHours(zone)} almost exactly: a zone was lost. Read the stamp with its Z, and compare it with UTC.`,
      };
    }
  }
};

/** What the lab found, for whoever wrote the receiver: what was looked at, the findings, those of the receiver's own signature. */
export const findingsText = (
  { from, at }: { readonly from: string | null; readonly at: string },
  findings: readonly Finding[],
  ofReceiver: readonly Finding[],
): string => {
  const said = ({ title, sentence, mend }: Finding): string => `- ${title}: ${sentence} ${mend}`;
  return [
    `The signature lab looked at ${from ?? "a notification that was pasted"}, judged at ${at}.`,
    ...(findings.length === 0 ? [] : ["What arrived:", ...findings.map(said)]),
    ...(ofReceiver.length === 0 ? [] : ["The signature your receiver computed:", ...ofReceiver.map(said)]),
  ].join("\n");
};
