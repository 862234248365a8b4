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

const rawBody = "Use the raw bytes before anything parses them: express.raw(), request.get_data(), php://input.";
const asBytes = "Read the body as bytes, not as text.";
const everyByte = "Keep every byte of the body, including the last one.";
const nothingAdded = "Add nothing to the body before signing. Files and terminals often add a line break at the end.";

/** What the signed body was instead of the pasted one. */
const bodies: Readonly<Record<BodyFormName, readonly [title: string, what: string, mend: string]>> = {
  compact: ["Body re-serialised", "as JSON without spaces", rawBody],
  envelope_order: ["Fields reordered", "with its fields in the order the service sends them", rawBody],
  pretty: ["Body re-serialised", "pretty-printed over several lines", rawBody],
  spaced: ["Body re-serialised", "re-serialised with a space after each comma and colon", rawBody],
  sorted: ["Fields sorted", "with its fields sorted by name", rawBody],
  sorted_spaced: ["Body re-serialised", "re-serialised with sorted fields and spaces", rawBody],
  escaped: ["Characters escaped", "with some of its characters written as escapes", rawBody],
  newline_added: ["A line break is missing", "with a line break at its end", everyByte],
  newline_removed: ["Whitespace around the body", "without the surrounding whitespace", nothingAdded],
  crlf: ["Line breaks changed", "with line breaks of two characters (CR LF)", asBytes],
  lf: ["Line breaks changed", "with line breaks of one character (LF)", asBytes],
  bom_removed: ["A byte order mark in front", "without the byte order mark in front", asBytes],
  bom_added: ["A byte order mark is missing", "with a byte order mark in front", asBytes],
  unquoted: ["Body wrapped in a string", "as the JSON inside this string", rawBody],
  base64_decoded: [
    "Body still in base64",
    "decoded from base64",
    "Some gateways pass the body as base64. Decode it before signing.",
  ],
};

/** What a receiver made of the body where it signed another than arrived. What is not here is said as above. */
const receiverBodies: Partial<Record<BodyFormName, readonly [title: string, mend: string]>> = {
  newline_added: ["Your receiver added a line break", nothingAdded],
  newline_removed: ["Your receiver removed whitespace or a line break", everyByte],
  crlf: ["Your receiver changed the line breaks", asBytes],
  lf: ["Your receiver changed the line breaks", asBytes],
  bom_removed: ["Your receiver removed the byte order mark", asBytes],
  bom_added: ["Your receiver added a byte order mark", asBytes],
};

/** What the key was instead of the secret. */
const secrets: Readonly<Record<SecretFormName, readonly [title: string, what: string, mend: string]>> = {
  trimmed: [
    "Whitespace around the secret",
    "the secret without the surrounding whitespace",
    "Trim the secret when you read it from a file or the environment.",
  ],
  with_newline: [
    "A line break after the secret",
    "the secret with a line break after it",
    "Trim the secret when you read it from a file.",
  ],
  without_prefix: ["Secret without its prefix", "the secret without pwh_", "Use the whole secret, including pwh_."],
  with_prefix: ["Secret without its prefix", "the secret with pwh_ added", "Use the secret exactly as issued."],
  decoded: [
    "Secret decoded first",
    "the bytes the secret decodes to",
    "Use the secret’s text itself as the key. It isn’t base64 or hex.",
  ],
};

/** How the signature is written; null for how it should be. */
const spellings: Readonly<Record<SpellingName, readonly [title: string, what: string] | null>> = {
  base64: null,
  hex: ["Hex instead of base64", "written in hex"],
  base64url: ["URL-safe base64", "written in URL-safe base64 (- and _)"],
  unpadded: ["Malformed base64", "written in base64 without padding, or with stray bits"],
  hex_in_base64: ["Hex encoded as base64", "written in hex, then encoded as base64"],
  percent: ["Percent-encoded signature", "written with percent escapes"],
  spaces: ["Spaces in the signature", "with spaces instead of plus signs"],
};

/** What stands around the signature. */
const wrappings: Readonly<Record<Wrapping, readonly [title: string, what: string]>> = {
  prefix: ["Scheme prefix", "with a scheme prefix"],
  quotes: ["Quoted signature", "in quotes"],
  several: ["Several signatures", "beside other values"],
};

const spellingMend = "Send only base64(HMAC-SHA256): 44 characters, ending in =.";

const ofSpelling = ({ spelling: { name } }: Match): Finding | null => {
  const words = spellings[name];
  if (words === null) return null;
  const [title, what] = words;
  return { code: name, title, sentence: `The signature is correct, but ${what}.`, mend: spellingMend };
};

const ofWrapping = ({ spelling: { wrapping } }: Match): Finding | null => {
  if (wrapping === null) return null;
  const [title, what] = wrappings[wrapping];
  return { code: wrapping, title, sentence: `The signature is correct, but written ${what}.`, mend: spellingMend };
};

const ofBody = ({ body }: Match): Finding | null => {
  if (body.kind === "as_pasted") return null;
  if (body.kind === "sent")
    return {
      code: "body_changed",
      title: "Body changed in transit",
      sentence: `The signature belongs to ${body.name}, but these are not the bytes that were sent.`,
      mend: "Compare them byte by byte below. If your code didn’t change them, reject the notification.",
    };
  const [title, what, mend] = bodies[body.name];
  const sentence = `The signature matches the body ${what}, not the pasted bytes.`;
  return { code: body.name, title, sentence, mend };
};

const ofReceiversBody = ({ body }: Match): Finding | null => {
  if (body.kind === "as_pasted") return null;
  if (body.kind === "sent")
    return {
      code: "other_bytes",
      title: "Bytes of another attempt",
      sentence: `The signature belongs to ${body.name}, not to these bytes.`,
      mend: "Sign the body of the same request. Each attempt has its own timestamp and signature.",
    };
  const [title, what, mend] = bodies[body.name];
  const [itsTitle, itsMend] = receiverBodies[body.name] ?? [title, mend];
  const sentence = `The signature matches the body ${what}, not the received bytes.`;
  return { code: body.name, title: itsTitle, sentence, mend: itsMend };
};

const ofSecret = ({ secret }: Match): Finding | null => {
  if (secret.kind === "as_given") return null;
  if (secret.kind === "other")
    return {
      code: "wrong_secret",
      title: "Wrong secret",
      sentence: `It was signed with ${secret.name}, not with this secret.`,
      mend: "Each integration has its own secret. Find it by the body’s integration_id.",
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
        mend: "Use HMAC-SHA256, as the contract requires.",
      };
    case "swapped":
      return {
        code: "swapped",
        title: "Key and message swapped",
        sentence: "It is the HMAC of the secret, keyed with the body.",
        mend: "The secret is the key and the raw body is the message. Check the order of the arguments.",
      };
    case "keyless":
      return {
        code: "keyless",
        title: "Hash without a key",
        sentence: `It is ${method.hash} of the body without the secret, so anyone could have created it.`,
        mend: "Use HMAC with the secret as its key.",
      };
    default:
      return {
        code: "concatenated",
        title: "Hash instead of HMAC",
        sentence: "It is SHA-256 of the secret and body concatenated.",
        mend: "Use HMAC. A plain hash of both can be forged by a length extension.",
      };
  }
};

/** Why no way leads to a signature. */
const noWay = ({ macBytes, tried }: Explained): string => {
  if (macBytes === null) return "It is neither base64 nor hex.";
  if (macBytes !== 32) return `It is ${macBytes} bytes; an HMAC-SHA256 has 32.`;
  return `${tried} variants were tried, none matches: body formats, secrets of this world, encodings and hashes.`;
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
      sentence: `It differs from the correct signature in ${plural(other, "character")} of ${computed.length}. The secret and body are correct.`,
      mend: "Copy it again from the received request. If it arrived like this, reject it and check the proxy in front of the receiver.",
    };
  return {
    code: "unexplained",
    title: "Not a signature of these bytes",
    sentence: noWay(explained),
    mend: "The secret or the bytes are different. Paste the body exactly as received, preferably as base64, and check the secret.",
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
          title: "Different secret or bytes",
          sentence: `The receiver used another secret or other bytes. ${noWay(explained)}`,
          mend: "Choose “Another secret” under “Secret of” and paste the receiver’s secret. If the signature then matches, the secret is the cause. If not, paste the receiver’s body as base64.",
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
            ? `${SIGNATURE_HEADER} is missing or empty.`
            : `These headers (${header.names.join(", ")}) have no ${SIGNATURE_HEADER}, and none looks like a signature.`,
        mend: "Reject it: without a signature the sender is unknown. Proxies sometimes drop unknown headers.",
      },
    ];
  if (header.kind === "misnamed")
    findings.push({
      code: "wrong_header",
      title: "Wrong header",
      sentence: `The signature is in ${header.name}.`,
      mend: `Read ${SIGNATURE_HEADER}. In PHP and CGI it is HTTP_SERVICE_HMAC_SHA256.`,
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
  const mend = "Reject invalid timestamps. Never treat them as the current time.";
  switch (stamp.kind) {
    case "missing":
      return {
        code: "no_stamp",
        title: "No timestamp",
        sentence:
          stamp.near === null
            ? "The body has no webhook_timestamp."
            : `The body has no webhook_timestamp. Did you mean ${stamp.near}?`,
        mend,
      };
    case "number":
      return {
        code: "stamp_number",
        title: "The timestamp is a number",
        sentence: `webhook_timestamp is ${stamp.value}, not a string.`,
        mend: "Use ISO 8601 text, for example 2026-03-11T22:05:07.204Z.",
      };
    case "without_zone":
      return {
        code: "stamp_zone",
        title: "The timestamp has no time zone",
        sentence: `“${stamp.text}” has no time zone.`,
        mend: "End it with Z or an offset such as +02:00.",
      };
    case "no_time":
      return {
        code: "stamp_unreadable",
        title: "The timestamp is invalid",
        sentence: `“${stamp.text}” isn’t a valid time.`,
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
        sentence: `The timestamp is ${formatSpan(Math.abs(apart))} ${old ? "before" : "after"} the verification time. 5 minutes are allowed.`,
        mend:
          zone === null
            ? old
              ? "It may be a replayed notification, a queue that delays verification, or a wrong clock. Verify on arrival."
              : "Your clock may be wrong. Compare it with a time server."
            : `The difference is almost exactly ${inHours(zone)}: the time zone was lost. Parse the timestamp with its Z and compare it with UTC.`,
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
    `The signature lab checked ${from ?? "a pasted notification"}. Verification time: ${at}.`,
    ...(findings.length === 0 ? [] : ["Received:", ...findings.map(said)]),
    ...(ofReceiver.length === 0 ? [] : ["The signature your receiver computed:", ...ofReceiver.map(said)]),
  ].join("\n");
};
