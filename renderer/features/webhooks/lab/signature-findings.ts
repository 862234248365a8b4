import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import type { Explained, Match } from "./explain-signature.ts";
import { isRight } from "./explain-signature.ts";
import type { Finding } from "./finding.ts";
import { bodies, secrets, spellings, wrappings } from "./finding-words.ts";
import type { PastedHeader } from "./pasted-header.ts";

const spellingMend = "Write base64(HMAC-SHA256) and nothing else: 44 characters, the last one =.";

const written = ({ spelling }: Match): Finding[] => {
  const name = spellings[spelling.name];
  const around = spelling.wrapping === null ? null : wrappings[spelling.wrapping];
  return [
    ...(name
      ? [
          {
            code: spelling.name,
            title: name[0],
            sentence: `The signature is the right one, ${name[1]}.`,
            mend: spellingMend,
          },
        ]
      : []),
    ...(around
      ? [
          {
            code: spelling.wrapping ?? "",
            title: around[0],
            sentence: `The signature stands there ${around[1]}.`,
            mend: spellingMend,
          },
        ]
      : []),
  ];
};

const ofBody = ({ body }: Match): Finding[] => {
  if (body.kind === "as_pasted") return [];
  if (body.kind === "sent")
    return [
      {
        code: "body_changed",
        title: "Body changed on its way",
        sentence: `This is the signature of ${body.name}, and these are not the bytes that were sent.`,
        mend: "Compare them byte for byte below. If nothing of yours touched them, refuse them: somebody else did.",
      },
    ];
  const [title, what, mend] = bodies[body.name];
  return [
    { code: body.name, title, sentence: `The signature fits the body ${what}, not the bytes that were pasted.`, mend },
  ];
};

const ofSecret = ({ secret }: Match): Finding[] => {
  if (secret.kind === "as_given") return [];
  if (secret.kind === "other")
    return [
      {
        code: "wrong_secret",
        title: "Another secret",
        sentence: `It was signed with ${secret.name}, not with the secret given here.`,
        mend: "The secret is one an integration. Look it up by the body’s integration_id.",
      },
    ];
  const [title, what, mend] = secrets[secret.name];
  return [{ code: `secret_${secret.name}`, title, sentence: `It was signed with ${what}.`, mend }];
};

const ofMethod = ({ method }: Match): Finding[] => {
  switch (method.kind) {
    case "hmac":
      return method.hash === "SHA-256"
        ? []
        : [
            {
              code: "algorithm",
              title: "Another algorithm",
              sentence: `It is HMAC-${method.hash.replace("-", "")}.`,
              mend: "The contract wants HMAC-SHA256.",
            },
          ];
    case "swapped":
      return [
        {
          code: "swapped",
          title: "Key and message swapped",
          sentence: "It is the HMAC of the secret, keyed with the body.",
          mend: "The secret is the key, the raw body the message. Look at the order of the arguments.",
        },
      ];
    case "keyless":
      return [
        {
          code: "keyless",
          title: "A hash without a key",
          sentence: `It is ${method.hash} of the body, without the secret: anybody could have made it.`,
          mend: "Use HMAC with the secret as its key.",
        },
      ];
    default:
      return [
        {
          code: "concatenated",
          title: "A hash, not an HMAC",
          sentence: "It is SHA-256 of secret and body put together.",
          mend: "Use HMAC: hashing the two together can be forged by lengthening the body.",
        },
      ];
  }
};

const unknown = (bytes: number | null, tried: number): Finding => ({
  code: "unexplained",
  title: "Not a signature of these bytes",
  sentence:
    bytes !== null && bytes !== 32
      ? `It is ${bytes} bytes; an HMAC-SHA256 has 32.`
      : `None of ${tried} ways leads to it: other forms of the body, the secrets of this world, other spellings, other hashes.`,
  mend: "Then it was made with a secret nobody here knows, or over bytes that are not these. Paste the body exactly as it arrived, best in base64, and check the secret.",
});

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
  const { match, tried } = explained;
  if (match === null) return [...findings, unknown(explained.macBytes, tried)];
  if (isRight(match)) return findings;
  return [...findings, ...ofMethod(match), ...ofSecret(match), ...ofBody(match), ...written(match)];
};
