import { describe, expect, it } from "vitest";
import { bytesFromText, byteToHex } from "../../../lib/bytes.ts";
import { fromBase64 } from "../message/notification.ts";
import { evaluateSteps, parseStamp, readHeader, readStamp } from "./evaluate-steps.ts";
import { explainSignature, followsContract, type KnownSecret } from "./explain-signature.ts";
import { signatureFindings, stampFinding } from "./findings.ts";
import { decodePasted, pastedBody } from "./lab-store.ts";
import { BODY, ENVELOPE, OTHER_SECRET, SECRET, STAMPED_AT, signed } from "./signed.ts";

interface Asked {
  readonly body?: Uint8Array;
  /** The pasted header. */
  readonly header?: string;
  readonly secret?: string;
  readonly others?: readonly KnownSecret[];
  readonly now?: number;
}

const MINUTE = 60_000;
const [P, F, S] = ["passed", "failed", "skipped"];

/** The lab's result: codes of the problems, and verdicts of the four steps. */
const judged = async ({ body = BODY, secret = SECRET, others = [], now = STAMPED_AT + 6, ...asked }: Asked) => {
  const header = readHeader(asked.header ?? (await signed(body)));
  const explained =
    header.kind === "none" ? null : await explainSignature({ body, value: header.value, secret, others });
  const stamp = readStamp(body);
  const steps = evaluateSteps(header, explained, stamp, now);
  const ofStamp = stampFinding(stamp, now);
  return {
    explained,
    steps,
    verdicts: steps.map(({ verdict }) => verdict),
    findings: [...signatureFindings(header, explained), ...(ofStamp ? [ofStamp] : [])],
  };
};
const found = async (asked: Asked) => (await judged(asked)).findings.map(({ code }) => code);

const TEXT = JSON.stringify(ENVELOPE);
const inHex = (base64: string) => [...(fromBase64(base64) ?? [])].map(byteToHex).join("");
const stamped = (value: unknown) => bytesFromText(JSON.stringify({ ...ENVELOPE, webhook_timestamp: value }));

describe("a notification as the service sends it", () => {
  it("passes the four steps without findings", async () => {
    const { explained, steps, findings } = await judged({});
    // Computed by openssl dgst -sha256 -hmac.
    expect(explained?.computed).toBe("9CeWkGj3nhqQV6+U9OgVpz/1z/g88EYZhGJHyKOKEsg=");
    expect(explained?.match && followsContract(explained.match)).toBe(true);
    expect(findings).toEqual([]);
    expect(steps.map(({ detail }) => detail)).toEqual(["present", "equal, 32 bytes", "valid", "6 ms difference"]);
  });

  it("may be binary, and up to five minutes old to the millisecond", async () => {
    const body = Uint8Array.of(0xff, 0x00, 0xfe);
    expect((await judged({ body })).verdicts).toEqual([P, P, F, S]);
    for (const apart of [-5 * MINUTE, 5 * MINUTE])
      expect((await judged({ now: STAMPED_AT + apart })).verdicts).toEqual([P, P, P, P]);
    expect((await judged({ now: STAMPED_AT + 5 * MINUTE + 1 })).verdicts).toEqual([P, P, P, F]);
  });
});

describe("a problem of a notification", () => {
  it("may be a re-serialised body, in any format", async () => {
    const header = await signed();
    for (const text of [JSON.stringify(ENVELOPE, null, 2), TEXT.replaceAll('":', '": ')])
      expect(await found({ header, body: bytesFromText(text) })).toEqual(["reserialised"]);
    for (const space of [2, 4])
      expect(await found({ header: await signed(JSON.stringify(ENVELOPE, null, space)) })).toEqual(["reserialised"]);
    const python = `{"message_id": "m", "webhook_timestamp": "${ENVELOPE.webhook_timestamp}", "items": [1, 2]}`;
    const body = bytesFromText(JSON.stringify(JSON.parse(python)));
    expect(await found({ header: await signed(python), body })).toEqual(["reserialised"]);
  });

  it("may be an additional or missing line break", async () => {
    expect(await found({ header: await signed(), body: bytesFromText(`${TEXT}\n`) })).toEqual(["line_break"]);
    expect(await found({ header: await signed(`${TEXT}\n`) })).toEqual(["line_break"]);
  });

  it("may be another secret, named if this world has it, or white space around it", async () => {
    const header = await signed(BODY, OTHER_SECRET);
    expect(await found({ header })).toEqual(["unexplained"]);
    const others = [{ name: "the secret of Buyer: Tarn & Rowe", secret: OTHER_SECRET }];
    const { findings, verdicts } = await judged({ header, others });
    expect(findings).toMatchObject([{ code: "wrong_secret", sentence: expect.stringContaining("Tarn & Rowe") }]);
    expect(verdicts).toEqual([P, F, S, S]);
    expect(await found({ header: await signed(BODY, `${SECRET}\n`) })).toEqual(["secret_whitespace"]);
    expect(await found({ secret: ` ${SECRET}`, header: await signed() })).toEqual(["secret_whitespace"]);
  });

  it("may be a signature that isn't base64", async () => {
    const right = await signed();
    expect(await found({ header: inHex(right) })).toEqual(["hex"]);
    expect(await found({ header: right.replace(/=$/, "") })).toEqual(["url_safe"]);
    expect(await found({ header: right.replaceAll("+", "-").replaceAll("/", "_") })).toEqual(["url_safe"]);
    expect(await found({ header: `sha256=${inHex(right)}` })).toEqual(["prefixed"]);
    expect(await found({ header: "not a signature" })).toEqual(["unexplained"]);
  });

  it("may be several at once, each listed", async () => {
    const header = inHex(await signed(JSON.stringify(ENVELOPE, null, 2)));
    expect(await found({ header, now: STAMPED_AT + 6 * MINUTE })).toEqual(["reserialised", "hex", "stale"]);
  });

  it("may be a missing or misnamed header", async () => {
    expect(await found({ header: "host: x" })).toEqual(["no_header"]);
    const { findings, verdicts } = await judged({ header: `host: x\nX-Signature: ${await signed()}` });
    expect(findings).toMatchObject([{ code: "wrong_header", sentence: "The signature is in X-Signature." }]);
    expect(verdicts).toEqual([F, S, S, S]);
  });

  it("may be an old, future, missing or invalid timestamp", async () => {
    const { findings, verdicts } = await judged({ now: STAMPED_AT + 6 * MINUTE });
    expect(verdicts).toEqual([P, P, P, F]);
    expect(findings[0]?.sentence).toBe("The timestamp is 6 min before the verification time. 5 minutes are allowed.");
    expect(await found({ now: STAMPED_AT - 6 * MINUTE })).toEqual(["future"]);
    expect(await found({ body: stamped(undefined) })).toEqual(["no_stamp"]);
    for (const value of [STAMPED_AT, "2026-03-11T22:05:07.204", "yesterday", "2026-13-45T12:00:00Z", null])
      expect(await found({ body: stamped(value) }), String(value)).toEqual(["stamp_unreadable"]);
    for (const text of ["2026-01-15T14:00:00+02:00", "2026-01-15T06:30:00.0000-0530", "2026-01-15T12:00Z"])
      expect(parseStamp(text), text).toBe(Date.UTC(2026, 0, 15, 12));
  });
});

describe("a pasted notification", () => {
  it("contains only the signature, or all headers", async () => {
    const value = await signed();
    for (const pasted of [
      value,
      ` ${value}\n`,
      `Service-Hmac-SHA256:${value}`,
      `host: x\r\nservice-hmac-sha256: ${value}`,
    ])
      expect(readHeader(pasted), pasted).toEqual({ kind: "found", value });
    for (const pasted of ["", " \n", "service-hmac-sha256:", "authorization: sbx_7d41f0b9c2e84a5396d8b7135fae0c21"])
      expect(readHeader(pasted), pasted).toEqual({ kind: "none" });
  });

  it("keeps every byte of a loaded file", () => {
    for (const bytes of [BODY, bytesFromText("a\r\nb"), Uint8Array.of(0xff, 0x00)])
      expect(decodePasted(pastedBody(bytes))).toEqual(bytes);
    expect(decodePasted({ body: "no base64!", coding: "base64" })).toBeNull();
  });

  it("has no verdict without a secret", () => {
    const steps = evaluateSteps({ kind: "found", value: "AAAA" }, null, readStamp(BODY), STAMPED_AT);
    expect(steps.map(({ verdict, detail }) => [verdict, detail])).toEqual([
      [P, "present"],
      [S, "nothing to compare with"],
      [S, "not reached"],
      [S, "not reached"],
    ]);
  });
});
