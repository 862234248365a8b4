import { bytesFromText, jsonOf } from "../../../lib/bytes.ts";
import { computeSignature, digest, fromBase64, toBase64, toHex } from "../message/notification.ts";
import { SECRET_PREFIX } from "./explain-signature.ts";
import { readStamp } from "./judge.ts";
import { type Pasted, pastedBody } from "./lab-store.ts";

/** What is in the lab, as far as a mistake can be made with it. */
interface Subject {
  readonly body: Uint8Array;
  /** The signature's value. */
  readonly value: string;
  readonly secret: string;
}

const shiftedFrom = (body: Uint8Array, ms: number): Partial<Pasted> => {
  const stamp = readStamp(body);
  return stamp.kind === "time" ? { at: new Date(stamp.at + ms).toISOString() } : {};
};

const MINUTE = 60_000;

/** The mistakes receivers make most often, to be made on purpose: by its name what each changes in the lab. */
export const mistakes: Readonly<Record<string, (subject: Subject) => Partial<Pasted> | Promise<Partial<Pasted>>>> = {
  "Print the body again": ({ body }) => pastedBody(bytesFromText(JSON.stringify(jsonOf(body), null, 2))),
  "Change one byte of the body": ({ body }) => {
    const at = Math.max(0, body.length - 4);
    return pastedBody(body.with(at, (body[at] ?? 0) ^ 1));
  },
  "Write the signature in hex": ({ value }) => ({ header: toHex(fromBase64(value) ?? new Uint8Array()) }),
  "Sign without the secret’s prefix": async ({ body, secret }) => ({
    header: await computeSignature(body, secret.slice(SECRET_PREFIX.length)),
  }),
  "Hash without the secret": async ({ body }) => ({ header: toBase64(await digest("SHA-256", body)) }),
  "Name the header otherwise": ({ value }) => ({ header: `x-signature: ${value}` }),
  "Lose the header": () => ({ header: "" }),
  "Judge it six minutes later": ({ body }) => shiftedFrom(body, 6 * MINUTE),
  "Judge it six minutes earlier": ({ body }) => shiftedFrom(body, -6 * MINUTE),
};
