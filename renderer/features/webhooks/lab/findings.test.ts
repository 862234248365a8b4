import { describe, expect, it } from "vitest";
import { bytesFromText, jsonOf } from "../../../lib/bytes.ts";
import { computeSignature, digest, fromBase64, toBase64, toHex } from "../message/notification.ts";
import { explainSignature, SECRET_PREFIX } from "./explain-signature.ts";
import { findingsText, signatureFindings, stampFinding } from "./findings.ts";
import { judge, readHeader, readStamp } from "./judge.ts";
import { BODY, ENVELOPE, SECRET, STAMPED_AT, signed } from "./lab-fixture.ts";
import { bytesOfBody, type Pasted, pastedBody } from "./lab-store.ts";

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

/** The mistakes receivers make most often: by its name what each changes in the lab. */
const mistakes: Readonly<Record<string, (subject: Subject) => Partial<Pasted> | Promise<Partial<Pasted>>>> = {
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

const mistakeNames = Object.keys(mistakes);

/** What the lab finds after a mistake was made in it. */
const foundAfter = async (name: string): Promise<{ codes: string[]; passed: number }> => {
  const value = await signed();
  const right: Pick<Pasted, "body" | "coding" | "header" | "at"> = {
    body: new TextDecoder().decode(BODY),
    coding: "text",
    header: value,
    at: new Date(STAMPED_AT).toISOString(),
  };
  const pasted = { ...right, ...(await mistakes[name]?.({ body: BODY, value, secret: SECRET })) };
  const body = bytesOfBody(pasted) ?? new Uint8Array();
  const header = readHeader(pasted.header);
  const read = header.kind === "found" || header.kind === "misnamed" ? header.value : null;
  const explained =
    read === null
      ? null
      : await explainSignature({
          body,
          value: read,
          secret: SECRET,
          others: [],
          sent: [{ name: "attempt 1", bytes: BODY }],
        });
  const stamp = readStamp(body);
  const now = Date.parse(pasted.at);
  const ofStamp = stampFinding(stamp, now);
  return {
    codes: [...signatureFindings(header, explained), ...(ofStamp ? [ofStamp] : [])].map(({ code }) => code),
    passed: judge(header, explained, stamp, now).filter(({ verdict }) => verdict === "passed").length,
  };
};

describe("mistakes that are made on purpose", () => {
  it("are each found for what they are", async () => {
    const found = Object.fromEntries(
      await Promise.all(mistakeNames.map(async (name) => [name, (await foundAfter(name)).codes] as const)),
    );
    expect(found).toEqual({
      "Print the body again": ["compact"],
      "Change one byte of the body": ["body_changed"],
      "Write the signature in hex": ["hex"],
      "Sign without the secret’s prefix": ["secret_without_prefix"],
      "Hash without the secret": ["keyless"],
      "Name the header otherwise": ["wrong_header"],
      "Lose the header": ["no_header"],
      "Judge it six minutes later": ["stale"],
      "Judge it six minutes earlier": ["future"],
    });
  });

  it("each fail one of the four steps", async () => {
    for (const name of mistakeNames) expect((await foundAfter(name)).passed, name).toBeLessThan(4);
  });
});

describe("what the lab found, copied for the partner", () => {
  it("says what was looked at, each finding with what to do, and no secret", async () => {
    const body = bytesFromText(JSON.stringify(ENVELOPE, null, 2));
    const explained = await explainSignature({ body, value: await signed(), secret: SECRET, others: [], sent: [] });
    const findings = signatureFindings({ kind: "found", value: await signed() }, explained);
    const text = findingsText({ from: "attempt 1 of J-20418", at: "2026-03-11T22:05:07.204Z" }, findings, findings);
    expect(text.split("\n")).toEqual([
      "The signature lab checked attempt 1 of J-20418. Verification time: 2026-03-11T22:05:07.204Z.",
      "Received:",
      expect.stringMatching(/^- Body re-serialised: The signature matches the body as JSON without spaces.* raw bytes/),
      "The signature your receiver computed:",
      expect.stringMatching(/^- Body re-serialised: /),
    ]);
    expect(text).not.toContain(SECRET);
  });
});
