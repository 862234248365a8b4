import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readings } from "../testing/readings.ts";
import { redactedBytes, redactor } from "./redaction.ts";

it("masks given secrets wherever they stand, and whatever looks like one of the service", () => {
  const redact = redactor(["hunter-22 (own)", "hunter-22", "x"]);
  expect(redact('{"a":"hunter-22 (own)","b":"hunter-22.","c":"x"}')).toBe(
    '{"a":"••••••••wn)","b":"••••••••.","c":"x"}'.replace("••••••••wn)", "••••••••own)"),
  );
  expect(redact("Bearer sbx_7d41f0b9c2e84a5396d8b7135fae0c21 and sbx_short")).toBe(
    "Bearer sbx_••••••••0c21 and sbx_short",
  );
  expect(redactor([])("nothing to see")).toBe("nothing to see");
});

const escapedInJson = (text: string): string =>
  text.replace(/[^ ]/gu, (one) =>
    one
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
const percentEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** How a secret may be written beside what stands around it. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  json: (text) => JSON.stringify(text),
  "json in json": (text) => JSON.stringify({ inner: JSON.stringify({ text }) }),
  "json, every character": escapedInJson,
  "json, in capitals": (text) => escapedInJson(text).replace(/(?<=u)[0-9a-f]{4}/g, (digits) => digits.toUpperCase()),
  "json with slashes": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  address: encodeURIComponent,
  "address, every byte": percentEncoded,
  "address in an address": (text) => encodeURIComponent(percentEncoded(text)),
  "address in json": (text) => JSON.stringify({ url: `https://x/?a=${encodeURIComponent(`/"${text}"`)}` }),
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "base64 in an address": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
};

const secrets = fc.oneof(
  fc.stringMatching(/^(?:isk|sbx|pwh|ac|cs)_[A-Za-z0-9_-]{22,43}$/),
  // What a deployment is given.
  fc.stringMatching(/^[a-z0-9][!-~]{10,40}[A-Za-z0-9]$/),
);
const around = fc.string({ unit: "grapheme", maxLength: 20 });
const writing = fc.constantFrom(...Object.keys(writings));

describe("a given secret", () => {
  it("leaves no trace, whatever stands around it and however it is written", () => {
    fc.assert(
      fc.property(secrets, around, around, writing, (secret, before, behind, name) => {
        const text = (writings[name] ?? String)(`${before}${secret}${behind}`);
        expect(readings(text).some((reading) => reading.includes(secret))).toBe(true);
        const masked = redactor([secret, "another-secret"])(text);
        expect(readings(masked).filter((reading) => reading.includes(secret))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("leaves none in the middle of base64 either, and what stands beside it stays", () => {
    const secret = "a-key/of+somebody";
    for (const before of ["", "a", "ab", "abc"]) {
      const text = `see ${Buffer.from(`${before}${secret}, and more of it`).toString("base64")} there`;
      const masked = redactor([secret])(text);
      expect(masked).toMatch(/^see [A-Za-z0-9]*•{8}[A-Za-z0-9]+=* there$/);
    }
  });

  it("leaves none in bytes that are packed, even in a part of them", () => {
    const redact = redactor(["a-secret-of-theirs"]);
    const text = Buffer.from(`${"z".repeat(50)} a-secret-of-theirs ${"0123456789".repeat(500)}`);
    for (const pack of [gzipSync, deflateSync, brotliCompressSync]) {
      const packed = pack(text);
      const sentence = `(${packed.length} packed bytes, left out because they hold a secret)`;
      expect(redactedBytes(packed, redact).toString()).toBe(sentence);
      expect(redactedBytes(pack(Buffer.from("nothing to hide")), redact)).toEqual(pack(Buffer.from("nothing to hide")));
    }
    const cut = gzipSync(text).subarray(0, -9);
    expect(redactedBytes(cut, redact).toString()).toContain("left out");
    const latin = Buffer.from("\xff a-secret-of-theirs \xff", "latin1");
    expect(redactedBytes(latin, redact).toString("latin1")).toBe("\xff ********heirs \xff".replace("heirs", "eirs"));
  });
});

describe("what is not a secret", () => {
  it("stays to the last character, in every writing", () => {
    const redact = redactor(["isk_0123456789abcdef0123456789abcdef", "a key of theirs/+=", "control-token"]);
    fc.assert(
      fc.property(around, fc.json(), fc.webUrl({ withQueryParameters: true }), writing, (text, json, url, name) => {
        const written = (writings[name] ?? String)(`${text} ${json} ${url}`);
        expect(redact(written)).toBe(written);
      }),
      { numRuns: 300 },
    );
  });

  it("stays where bytes are no text", () => {
    const redact = redactor(["isk_0123456789abcdef0123456789abcdef"]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(redactedBytes(Buffer.from(bytes), redact)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it("is left as it is in text that is all escapes", () => {
    const redact = redactor(["\\starts-with-one", "%starts-with-one", "sbx_7d41f0b9c2e84a5396d8b7135fae0c21"]);
    for (const unit of ["\\", "%25", "\\u005c", "%"]) {
      const text = `${unit.repeat(200_000)}sbx`;
      expect(redact(text)).toBe(text);
    }
  });
});

it("masks the signature of an upload's address, also in one that is part of another", () => {
  const redact = redactor([]);
  const signature = "Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA";
  const url = `http://127.0.0.1:1/__uploads/1?expires=1&signature=${signature}`;
  const texts = [url, encodeURIComponent(url), url.replaceAll("=", "\\u003d")];
  for (const text of [...texts, encodeURIComponent(encodeURIComponent(url)), url.replaceAll("&", "\\u0026")])
    expect(redact(text)).not.toContain(signature);
  for (const before of ["", "a", "ab"])
    expect(readings(redact(Buffer.from(before + url).toString("base64"))).join()).not.toContain(signature.slice(2));
});
