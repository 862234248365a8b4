import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { formatSpan } from "../../../lib/formatting.ts";
import { isWithinWindow, type PastedHeader, type Stamp } from "./evaluate-steps.ts";
import type { Explained, Match } from "./explain-signature.ts";

/** A problem of pasted values with its fix. */
export interface LabFinding {
  /** A stable code, independent of the sentences. */
  readonly code: string;
  readonly title: string;
  readonly sentence: string;
  readonly mend: string;
}

const reserialised: LabFinding = {
  code: "reserialised",
  title: "Body re-serialised",
  sentence: "The signature matches this JSON printed in another way, not the pasted bytes.",
  mend: "Use the raw bytes before anything parses them: express.raw(), request.get_data(), php://input.",
};
const lineBreak: LabFinding = {
  code: "line_break",
  title: "Whitespace around the body",
  sentence: "The signature matches the body with other whitespace or line breaks at its ends.",
  mend: "Keep every byte of the body and add none. Files and terminals often add a line break at the end.",
};
const whitespace: LabFinding = {
  code: "secret_whitespace",
  title: "Whitespace around the secret",
  sentence: "It was signed with other whitespace around the secret.",
  mend: "Trim the secret when you read it from a file or the environment.",
};

const spellings = {
  hex: ["Hex instead of base64", "written in hex"],
  url_safe: ["Malformed base64", "written in URL-safe or unpadded base64"],
  prefixed: ["Scheme prefix", "written with a scheme prefix"],
} as const;

const spelled = (spelling: keyof typeof spellings): LabFinding => {
  const [title, what] = spellings[spelling];
  return {
    code: spelling,
    title,
    sentence: `The signature is correct, but ${what}.`,
    mend: "Send only base64(HMAC-SHA256): 44 characters, ending in =.",
  };
};

/** Differences between the given and the expected signature. */
const matchFindings = ({ body, secret, spelling }: Match): LabFinding[] => [
  ...(typeof secret === "object"
    ? [
        {
          code: "wrong_secret",
          title: "Wrong secret",
          sentence: `It was signed with ${secret.name}, not with this secret.`,
          mend: "Each integration has its own secret. Find it by the body’s integration_id.",
        },
      ]
    : []),
  ...(secret === "whitespace" ? [whitespace] : []),
  ...(body === "reserialised" ? [reserialised] : []),
  ...(body === "line_break" ? [lineBreak] : []),
  ...(spelling === "base64" ? [] : [spelled(spelling)]),
];

const unexplainedFinding = ({ macBytes }: Explained): LabFinding => ({
  code: "unexplained",
  title: "Not a signature of these bytes",
  sentence:
    macBytes === null
      ? "It is neither base64 nor hex."
      : macBytes === 32
        ? "No secret of this world and no other form of the body produces it."
        : `It is ${macBytes} bytes; an HMAC-SHA256 has 32.`,
  mend: "The secret or the bytes are different. Paste the body exactly as received, preferably as base64, and check the secret.",
});

/** Problems of header, body and secret; empty when the signature is correct. */
export const signatureFindings = (header: PastedHeader, explained: Explained | null): LabFinding[] => {
  if (header.kind === "none")
    return [
      {
        code: "no_header",
        title: "No signature",
        sentence: `${SIGNATURE_HEADER} is missing or empty.`,
        mend: "Reject it: without a signature the sender is unknown. Proxies sometimes drop unknown headers.",
      },
    ];
  return [
    ...(header.kind === "misnamed"
      ? [
          {
            code: "wrong_header",
            title: "Wrong header",
            sentence: `The signature is in ${header.name}.`,
            mend: `Read ${SIGNATURE_HEADER}. In PHP and CGI it is HTTP_SERVICE_HMAC_SHA256.`,
          },
        ]
      : []),
    ...(explained === null ? [] : explained.match ? matchFindings(explained.match) : [unexplainedFinding(explained)]),
  ];
};

/** Returns the problem of a timestamp at a time, or null. */
export const stampFinding = (stamp: Stamp, now: number): LabFinding | null => {
  if (stamp.kind === "missing")
    return {
      code: "no_stamp",
      title: "No timestamp",
      sentence: "The body has no webhook_timestamp.",
      mend: "Reject it. Never treat a missing timestamp as the current time.",
    };
  if (stamp.kind === "no_time")
    return {
      code: "stamp_unreadable",
      title: "The timestamp is invalid",
      sentence: `“${stamp.text}” isn’t ISO 8601 text with a time zone.`,
      mend: "Reject it. A valid one is 2026-03-11T22:05:07.204Z.",
    };
  if (isWithinWindow(stamp.at, now)) return null;
  const apart = now - stamp.at;
  const old = apart > 0;
  return {
    code: old ? "stale" : "future",
    title: old ? "Too old" : "From the future",
    sentence: `The timestamp is ${formatSpan(Math.abs(apart))} ${old ? "before" : "after"} the verification time. 5 minutes are allowed.`,
    mend: old
      ? "It may be a replayed notification, a queue that delays verification, or a wrong clock or time zone. Verify on arrival, in UTC."
      : "Your clock or time zone may be wrong. Compare it with a time server, in UTC.",
  };
};
