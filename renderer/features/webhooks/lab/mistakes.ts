import { bytesFromText, jsonOf } from "../../../lib/bytes.ts";
import { computeSignature, digest, fromBase64, toBase64, toHex } from "../message/signing.ts";
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

interface Mistake {
  readonly name: string;
  readonly make: (subject: Subject) => Promise<Partial<Pasted>>;
}

const shiftedFrom = (body: Uint8Array, ms: number): Partial<Pasted> => {
  const stamp = readStamp(body);
  return stamp.kind === "time" ? { at: new Date(stamp.at + ms).toISOString() } : {};
};

const MINUTE = 60_000;

/** The mistakes receivers make most often, to be made on purpose: each changes what is in the lab. */
export const mistakes = {
  printed: {
    name: "Print the body again",
    make: async ({ body }) => pastedBody(bytesFromText(JSON.stringify(jsonOf(body), null, 2))),
  },
  changed: {
    name: "Change one byte of the body",
    make: async ({ body }) => {
      const at = body.length - 4;
      return pastedBody(body.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    },
  },
  hex: {
    name: "Write the signature in hex",
    make: async ({ value }) => ({
      header: toHex(fromBase64(value) ?? new Uint8Array()),
    }),
  },
  secret: {
    name: "Sign without the secret’s prefix",
    make: async ({ body, secret }) => ({
      header: await computeSignature(body, secret.slice(SECRET_PREFIX.length)),
    }),
  },
  keyless: {
    name: "Hash without the secret",
    make: async ({ body }) => ({ header: toBase64(await digest("SHA-256", body)) }),
  },
  misnamed: {
    name: "Name the header otherwise",
    make: async ({ value }) => ({ header: `x-signature: ${value}` }),
  },
  dropped: {
    name: "Lose the header",
    make: async () => ({ header: "" }),
  },
  stale: {
    name: "Judge it six minutes later",
    make: async ({ body }) => shiftedFrom(body, 6 * MINUTE),
  },
  future: {
    name: "Judge it six minutes earlier",
    make: async ({ body }) => shiftedFrom(body, -6 * MINUTE),
  },
} as const satisfies Record<string, Mistake>;
export type MistakeName = keyof typeof mistakes;
export const mistakeNames = Object.keys(mistakes) as readonly MistakeName[];
