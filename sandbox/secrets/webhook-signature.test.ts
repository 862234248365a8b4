import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REPLAY_WINDOW_MS } from "../contract/signature.ts";
import { parseStamp, signBody, verifyNotification } from "./webhook-signature.ts";

/** Any Unicode character; fast-check's own `binary` unit takes most of a second to prepare. */
const character = fc
  .nat({ max: 0x10_ff_ff - 0x8_00 })
  .map((code) => String.fromCodePoint(code < 0xd8_00 ? code : code + 0x8_00));

const SECRET = "pwh_Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA";
const NOW = Date.UTC(2026, 0, 15, 12, 0, 0, 500);

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
const stamped = (webhook_timestamp: unknown, more: object = {}): Buffer =>
  bytes(JSON.stringify({ ...more, webhook_timestamp }));
const fresh = (more: object = {}): Buffer => stamped(new Date(NOW).toISOString(), more);

interface Asked {
  readonly header?: string | null;
  readonly secret?: string | null;
  readonly now?: number;
}

const verify = (body: Uint8Array, { header = signBody(body, SECRET), secret = SECRET, now = NOW }: Asked = {}) =>
  verifyNotification({ body, header, secret, now });

const reasonFor = (body: Uint8Array, asked?: Asked) => verify(body, asked).reason;

/** A notification whose signature has both characters in which base64 and base64url differ. */
const bothSpellings = (): Buffer => {
  for (let count = 0; ; count += 1) {
    const body = fresh({ count });
    if (/\+.*\/|\/.*\+/.test(signBody(body, SECRET))) return body;
  }
};

describe("signing a body", () => {
  it("gives the base64 of HMAC-SHA256, as in RFC 4231", () => {
    const expected = Buffer.from("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843", "hex").toString(
      "base64",
    );
    expect(signBody(bytes("what do ya want for nothing?"), "Jefe")).toBe(expected);
  });

  it("covers the exact bytes, so that reformatted JSON has another signature", () => {
    const signature = signBody(bytes('{"name":"Müller"}'), SECRET);
    for (const text of [
      '{ "name":"Müller"}',
      '{"name":"M\\u00fcller"}',
      '{"name":"Müller"}\n',
      '{"name":"Mu\u0308ller"}',
    ]) {
      expect(signBody(bytes(text), SECRET), text).not.toBe(signature);
    }
  });
});

describe("describing a wrong signature", () => {
  const body = bytes('{"b": 1, "webhook_timestamp": "2026-01-15T12:00:00Z", "payload": {"job_id": "ü"}}');
  const describeFailed = (header: string) =>
    verify(body, { header }).steps.find(({ verdict }) => verdict === "failed")?.detail;
  const right = signBody(body, SECRET);

  it.each([
    ["hex", Buffer.from(right, "base64").toString("hex"), /is hex, not base64/],
    ["a prefix", `sha256=${right}`, /begins with sha256=/],
    ["base64url", right.replace(/=+$/, ""), /base64url or without padding/],
    ["padding where none is due", `${right}=`, /^the header is not base64$/],
    ["an equals sign within", right.replace(/(?<=^.{20})/, "="), /^the header is not base64$/],
    ["another scheme", `v1,sha256=${right}`, /^the header is not base64$/],
    ["too few bytes", "AAAA", /3 bytes, not 32/],
    ["hex of another length", "0a".repeat(64), /96 bytes, not 32/],
    ["the secret without its prefix", signBody(body, SECRET.slice(4)), /without pwh_/],
    ["re-serialised JSON", signBody(bytes(JSON.stringify(JSON.parse(body.toString()))), SECRET), /re-serialised JSON/],
    ["indented JSON", signBody(bytes(JSON.stringify(JSON.parse(body.toString()), null, 2)), SECRET), /re-serialised/],
    ["a line break more", signBody(bytes(`${body}\n`), SECRET), /and a line break/],
    [
      "the timestamp before the body",
      signBody(bytes(`2026-01-15T12:00:00Z.${body}`), SECRET),
      /timestamp and the body/,
    ],
    ["no secret", createHash("sha256").update(body).digest("base64"), /SHA-256 without the secret/],
    ["the decoded secret", signBody(body, Buffer.from(SECRET.slice(4), "base64url")), /with the decoded secret/],
    ["the payload", signBody(bytes(JSON.stringify(JSON.parse(body.toString()).payload)), SECRET), /over the payload/],
    [
      "a plain hash",
      createHash("sha256").update(`${SECRET}${body}`).digest("base64"),
      /SHA-256 over the secret and the body/,
    ],
    [
      "another secret",
      signBody(body, "pwh_another"),
      /^differs from the HMAC of these bytes with this integration’s secret$/,
    ],
  ])("names %s", (_what, header, expected) => {
    expect(describeFailed(header)).toMatch(expected);
  });

  it("names a body that was trimmed before it was signed", () => {
    const { steps } = verify(bytes(`${body}\n`), { header: right });
    expect(steps[1]?.detail).toBe("it was made over the body without the space around it");
  });

  it.each([
    [undefined, "missing"],
    [NOW, "not a text"],
    ["15.01.2026", "not an ISO 8601 time"],
    ["2026-01-15T14:00:00.500", "7200.0 s ahead, read as UTC because it has no offset"],
    ["2026-01-15T14:00:00.500Z", "7200.0 s ahead, about 2 h: a local time may have been sent as UTC"],
  ])("says what is wrong with the timestamp %j", (stamp, detail) => {
    expect(verify(stamped(stamp)).steps.find(({ verdict }) => verdict === "failed")?.detail).toBe(detail);
  });

  it.each([
    [0, "0 ms difference"],
    [-999, "999 ms difference"],
    [1_000, "1.0 s old"],
    [-300_000, "300.0 s ahead"],
  ])("says how far away a valid time is: %i ms", (apart, detail) => {
    expect(verify(fresh(), { now: NOW + apart }).steps[3]).toMatchObject({ verdict: "passed", detail });
  });

  const [minute, hour] = [60_000, 3_600_000];
  const zone = (hours: string) => `, about ${hours} h: a local time may have been sent as UTC`;
  it.each([
    [6 * minute, ""],
    [5.5 * hour, zone("5.5")],
    [2 * hour - minute + 1, zone("2")],
    [2 * hour + minute, ""],
    [14 * hour, zone("14")],
    [14.25 * hour, ""],
  ])("takes an invalid time for a local one if it is off by a time zone: %i ms", (apart, guess) => {
    const off = (sign: number) => verify(fresh(), { now: NOW + sign * apart }).steps[3]?.detail;
    const seconds = (apart / 1_000).toFixed(1);
    expect([off(1), off(-1)]).toEqual([`${seconds} s old${guess}`, `${seconds} s ahead${guess}`]);
  });

  it("names the form even if the integration is unknown", () => {
    const { steps } = verify(body, { header: `sha256=${right}`, secret: null });
    expect(steps[1]?.detail).toMatch(/begins with sha256=/);
  });
});

describe("verifying a notification", () => {
  it("passes all four steps, in the contract's order", () => {
    const { reason, steps } = verify(fresh());
    expect(reason).toBeNull();
    expect(steps.map(({ step, verdict }) => `${step} ${verdict}`)).toEqual([
      "header_present passed",
      "signature_matches passed",
      "timestamp_parses passed",
      "within_window passed",
    ]);
  });

  it("stops at the first failed step", () => {
    const stale = stamped(new Date(NOW - REPLAY_WINDOW_MS - 1).toISOString());
    const cases = [
      {
        body: bytes("no json, no stamp"),
        header: null,
        reason: "missing_signature",
        verdicts: ["failed", "skipped", "skipped", "skipped"],
      },
      {
        body: bytes("no json, no stamp"),
        header: "AAAA",
        reason: "bad_signature",
        verdicts: ["passed", "failed", "skipped", "skipped"],
      },
      { body: stale, header: "AAAA", reason: "bad_signature", verdicts: ["passed", "failed", "skipped", "skipped"] },
      {
        body: bytes("no json, no stamp"),
        reason: "missing_timestamp",
        verdicts: ["passed", "passed", "failed", "skipped"],
      },
      { body: stale, reason: "stale_timestamp", verdicts: ["passed", "passed", "passed", "failed"] },
    ];
    for (const { body, reason, verdicts, ...asked } of cases) {
      const verification = verify(body, asked);
      expect([verification.reason, verification.steps.map((step) => step.verdict)]).toEqual([reason, verdicts]);
    }
  });

  it("treats an empty header as missing", () => {
    expect(reasonFor(fresh(), { header: "" })).toBe("missing_signature");
  });

  it("refuses a header other than the exact base64 of the signature", () => {
    const body = bothSpellings();
    const signature = signBody(body, SECRET);
    const raw = Buffer.from(signature, "base64");
    const spellings = {
      "without padding": signature.replace("=", ""),
      base64url: raw.toString("base64url"),
      "base64url with padding": signature.replaceAll("+", "-").replaceAll("/", "_"),
      hex: raw.toString("hex"),
      "a space before it": ` ${signature}`,
      "a line end after it": `${signature}\n`,
      "a scheme before it": `sha256=${signature}`,
      twice: `${signature}, ${signature}`,
      "a byte fewer": raw.subarray(0, 31).toString("base64"),
      "a byte more": Buffer.concat([raw, Buffer.of(0)]).toString("base64"),
      "nothing but padding": "====",
      "not base64 at all": "ünïcödé",
    };
    for (const [name, header] of Object.entries(spellings))
      expect(reasonFor(body, { header }), name).toBe("bad_signature");
    expect(reasonFor(body, { header: signature })).toBeNull();
  });

  it("says why the signature is wrong", () => {
    const why = (header: string, secret: string | null = SECRET) =>
      verify(fresh(), { header, secret }).steps[1]?.detail;
    const other = signBody(bytes("other"), SECRET);
    expect([why("?!"), why("AAAA"), why(other), why(other, null)]).toEqual([
      "the header is not base64",
      "3 bytes, not 32",
      "differs from the HMAC of these bytes with this integration’s secret",
      "the integration_id in the body is unknown, so there is no secret to check with",
    ]);
  });

  it("refuses base64 with stray bits, even if it decodes to the signature", () => {
    const signature = signBody(fresh(), SECRET);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const last = alphabet.indexOf(signature.charAt(42));
    const stray = `${signature.slice(0, 42)}${alphabet.charAt(last + 1)}=`;
    expect(Buffer.from(stray, "base64")).toEqual(Buffer.from(signature, "base64"));
    expect(reasonFor(fresh(), { header: stray })).toBe("bad_signature");
  });

  it("refuses another secret or algorithm, and any unknown integration", () => {
    const body = fresh();
    expect(reasonFor(body, { header: signBody(body, `${SECRET} `) })).toBe("bad_signature");
    expect(
      reasonFor(body, {
        header: createHmac("sha512", SECRET).update(body).digest().subarray(0, 32).toString("base64"),
      }),
    ).toBe("bad_signature");
    expect(reasonFor(body, { secret: null })).toBe("bad_signature");
  });

  it("takes the time only from webhook_timestamp, and only from a valid string", () => {
    const iso = new Date(NOW).toISOString();
    const bodies = [
      bytes(JSON.stringify({ event_timestamp: iso })),
      bytes("[]"),
      bytes("null"),
      bytes('"text"'),
      bytes(""),
      Buffer.of(0xff, 0xfe),
      ...[
        null,
        NOW,
        true,
        [iso],
        { at: iso },
        "",
        "now",
        "yesterday",
        "12:00",
        "2026-01-15",
        "2026-13-45T12:00:00Z",
        `${iso} `,
      ].map((value) => stamped(value)),
    ];
    for (const body of bodies) expect(reasonFor(body), body.toString()).toBe("missing_timestamp");
  });

  it("reads times in any zone and precision", () => {
    for (const text of [
      "2026-01-15T12:00:00Z",
      "2026-01-15T12:00:00.5Z",
      "2026-01-15T14:00:00+02:00",
      "2026-01-15T06:30:00.123456-05:30",
      "2026-01-15T12:00Z",
      "2026-01-15t12:00:00z",
      "2026-01-15t14:00:00.5+02:00",
      // Without a zone it is UTC, wherever the service runs.
      "2026-01-15T12:00:00",
    ]) {
      expect(reasonFor(stamped(text)), text).toBeNull();
    }
    expect(parseStamp("2026-01-15T12:00:00.250")).toBe(Date.UTC(2026, 0, 15, 12, 0, 0, 250));
    expect(parseStamp("2026-01-15T14:00:00.250+02:00")).toBe(Date.UTC(2026, 0, 15, 12, 0, 0, 250));
  });

  it("accepts five minutes either way to the millisecond", () => {
    expect(REPLAY_WINDOW_MS).toBe(300_000);
    const body = fresh();
    for (const sign of [-1, 1]) {
      expect(reasonFor(body, { now: NOW + sign * 300_000 })).toBeNull();
      expect(reasonFor(body, { now: NOW + sign * 300_001 })).toBe("stale_timestamp");
    }
  });

  it("never reveals the secret or the expected signature", () => {
    const body = fresh();
    for (const asked of [
      {},
      { header: "AAAA" },
      { header: null },
      { header: signBody(bytes("other"), SECRET) },
      { now: NOW + 1e9 },
    ]) {
      const said = JSON.stringify(verify(body, asked));
      expect(said).not.toContain(SECRET);
      expect(said).not.toContain(signBody(body, SECRET));
    }
  });

  it("passes every correct signature, and fails for any flipped bit of body or signature", () => {
    const payload = fc.dictionary(fc.string({ unit: character }), fc.string({ unit: character }), { maxKeys: 4 });
    const secrets = fc.string({ unit: character, minLength: 1 });
    fc.assert(
      fc.property(payload, secrets, fc.nat(), fc.nat(7), (more, secret, place, bit) => {
        const body = fresh({ more });
        const header = signBody(body, secret);
        expect(reasonFor(body, { header, secret })).toBeNull();

        const flipped = Buffer.from(body);
        flipped.writeUInt8(flipped.readUInt8(place % flipped.length) ^ (1 << bit), place % flipped.length);
        expect(reasonFor(flipped, { header, secret })).toBe("bad_signature");

        const signature = Buffer.from(header, "base64");
        signature.writeUInt8(signature.readUInt8(place % 32) ^ (1 << bit), place % 32);
        expect(reasonFor(body, { header: signature.toString("base64"), secret })).toBe("bad_signature");
      }),
    );
  });

  it("accepts exactly times at most five minutes away", () => {
    fc.assert(
      fc.property(fc.integer({ min: -600_000, max: 600_000 }), (apart) => {
        expect(reasonFor(fresh(), { now: NOW + apart })).toBe(Math.abs(apart) <= 300_000 ? null : "stale_timestamp");
      }),
    );
  });
});
