import { describe, expect, it } from "vitest";
import { bytesFromText } from "../../../lib/bytes.ts";
import { digest, fromBase64, hmac, toBase64, toHex } from "../message/notification.ts";
import { explainSignature, isRight, type Question } from "./explain-signature.ts";
import { receiverFindings, signatureFindings } from "./findings.ts";
import { BODY, ENVELOPE, OTHER_SECRET, SECRET, signed } from "./lab-fixture.ts";

const explain = (question: Partial<Question> & Pick<Question, "value">) =>
  explainSignature({ body: BODY, secret: SECRET, others: [], sent: [], ...question });

/** The codes of what is found, in their order. */
const found = async (question: Partial<Question> & Pick<Question, "value">): Promise<string[]> =>
  signatureFindings({ kind: "found", value: question.value }, await explain(question)).map(({ code }) => code);

const TEXT = JSON.stringify(ENVELOPE);
const LINES = JSON.stringify(ENVELOPE, null, 2);

const macOf = async (body: Uint8Array | string = BODY, secret = SECRET): Promise<Uint8Array> =>
  fromBase64(await signed(body, secret)) ?? new Uint8Array();

describe("a signature that is right", () => {
  it("is computed as the contract says, and nothing is found", async () => {
    const explained = await explain({ value: await signed() });
    // Made with openssl dgst -sha256 -hmac.
    expect(explained.computed).toBe("9CeWkGj3nhqQV6+U9OgVpz/1z/g88EYZhGJHyKOKEsg=");
    expect(explained.match && isRight(explained.match)).toBe(true);
    expect(await found({ value: await signed() })).toEqual([]);
  });

  it("is right over any bytes, also those that are no text or none at all", async () => {
    for (const body of [new Uint8Array(), Uint8Array.of(0xff, 0x00, 0xfe)])
      expect(await found({ body, value: await signed(body) })).toEqual([]);
  });
});

describe("a signature that was damaged on its way", () => {
  const damaged = async (count: number) =>
    [...(await signed())].map((one, index) => (index < count ? (one === "A" ? "B" : "A") : one)).join("");

  it("is told from one of another secret by how little it differs", async () => {
    for (const count of [1, 2, 3]) expect(await found({ value: await damaged(count) })).toEqual(["damaged"]);
    expect(await found({ value: `${(await signed()).slice(0, 20)}!${(await signed()).slice(21)}` })).toEqual([
      "damaged",
    ]);
    expect(await found({ value: await damaged(4) })).toEqual(["unexplained"]);
    const finding = signatureFindings(
      { kind: "found", value: await damaged(1) },
      await explain({ value: await damaged(1) }),
    );
    expect(finding[0]?.sentence).toContain("in 1 character of 44");
  });
});

describe("a body that is not the one that was signed", () => {
  it("was printed again", async () => {
    const value = await signed();
    expect(await found({ value, body: bytesFromText(JSON.stringify(ENVELOPE, null, 2)) })).toEqual(["compact"]);
    expect(await found({ value, body: bytesFromText(TEXT.replaceAll(":", ": ").replaceAll(",", ", ")) })).toHaveLength(
      1,
    );
  });

  it("is compact, and the signature is over a printed one", async () => {
    expect(await found({ value: await signed(JSON.stringify(ENVELOPE, null, 2)) })).toEqual(["pretty"]);
    expect(await found({ value: await signed(JSON.stringify(ENVELOPE, null, "\t")) })).toEqual(["pretty"]);
    const python = `{"message_id": "${ENVELOPE.message_id}", "payload": {"items": [1, 2]}}`;
    const compact = bytesFromText(JSON.stringify(JSON.parse(python)));
    expect(await found({ value: await signed(python), body: compact })).toEqual(["spaced"]);
  });

  it("had its fields put in another order", async () => {
    const reversed = Object.fromEntries(Object.entries(ENVELOPE).reverse());
    expect(await found({ value: await signed(), body: bytesFromText(JSON.stringify(reversed)) })).toEqual([
      "envelope_order",
    ]);
    const payload = Object.fromEntries(Object.entries(ENVELOPE.payload).reverse());
    expect(
      await found({ value: await signed(), body: bytesFromText(JSON.stringify({ ...ENVELOPE, payload }, null, 2)) }),
    ).toEqual(["envelope_order"]);
  });

  it("got or lost a line break or a byte order mark", async () => {
    const value = await signed();
    expect(await found({ value, body: bytesFromText(`${TEXT}\n`) })).toEqual(["newline_removed"]);
    expect(await found({ value, body: bytesFromText(`${TEXT}\r\n`) })).toEqual(["newline_removed"]);
    expect(await found({ value, body: bytesFromText(`\ufeff${TEXT}`) })).toEqual(["bom_removed"]);
    expect(await found({ value: await signed(`${TEXT}\n`) })).toEqual(["newline_added"]);
    expect(await found({ value: await signed(LINES.replaceAll("\n", "\r\n")), body: bytesFromText(LINES) })).toEqual([
      "crlf",
    ]);
  });

  it("is still wrapped: in a string, or in base64", async () => {
    expect(await found({ value: await signed(), body: bytesFromText(JSON.stringify(TEXT)) })).toEqual(["unquoted"]);
    expect(await found({ value: await signed(), body: bytesFromText(toBase64(BODY)) })).toEqual(["base64_decoded"]);
  });

  it("was changed on its way, when the service still has what it sent", async () => {
    const flipped = bytesFromText(TEXT.replace("2745cbdf1d24", "2745cbdf1d25"));
    const value = await signed();
    expect(await found({ value, body: flipped })).toEqual(["unexplained"]);
    const sent = [{ name: "attempt 1", bytes: BODY }];
    expect(await found({ value, body: flipped, sent })).toEqual(["body_changed"]);
  });
});

describe("a secret that is not the right one", () => {
  it("is another integration's", async () => {
    const others = [{ name: "the secret of Supplier: Meridian", secret: OTHER_SECRET }];
    const value = await signed(BODY, OTHER_SECRET);
    expect(await found({ value, others })).toEqual(["wrong_secret"]);
    expect(await found({ value })).toEqual(["unexplained"]);
    const [finding] = signatureFindings({ kind: "found", value }, await explain({ value, others }));
    expect(finding?.sentence).toContain("Supplier: Meridian");
  });

  it("lost its prefix, got a line break, or was decoded first", async () => {
    const bare = SECRET.slice(4);
    expect(await found({ value: await signed(BODY, bare) })).toEqual(["secret_without_prefix"]);
    expect(await found({ value: await signed(), secret: bare })).toEqual(["secret_with_prefix"]);
    expect(await found({ value: await signed(), secret: `${SECRET}\n` })).toEqual(["secret_trimmed"]);
    expect(await found({ value: await signed(BODY, `${SECRET}\n`) })).toEqual(["secret_with_newline"]);
    const key = Uint8Array.from({ length: 16 }, (_, at) => Number.parseInt(bare.slice(at * 2, at * 2 + 2), 16));
    expect(await found({ value: toBase64(await hmac("SHA-256", key, BODY)) })).toEqual(["secret_decoded"]);
  });
});

describe("a signature that is written in another way", () => {
  it("is hex, in either case and with colons", async () => {
    const hex = toHex(await macOf());
    expect(await found({ value: hex })).toEqual(["hex"]);
    expect(await found({ value: hex.toUpperCase() })).toEqual(["hex"]);
    expect(await found({ value: hex.replace(/(..)(?=.)/g, "$1:") })).toEqual(["hex"]);
    expect(await found({ value: toBase64(bytesFromText(hex)) })).toEqual(["hex_in_base64"]);
  });

  it("is another base64, or base64 that suffered on its way", async () => {
    const value = await signed();
    expect(await found({ value: value.replaceAll("+", "-").replaceAll("/", "_") })).toEqual(["base64url"]);
    expect(await found({ value: value.replace(/=+$/, "") })).toEqual(["unpadded"]);
    expect(await found({ value: encodeURIComponent(value) })).toEqual(["percent"]);
    const plus = await signed("with a plus 3");
    expect(plus).toContain("+");
    expect(await found({ value: plus.replaceAll("+", " "), body: bytesFromText("with a plus 3") })).toEqual(["spaces"]);
  });

  it("has something around it", async () => {
    const value = await signed();
    expect(await found({ value: `sha256=${value}` })).toEqual(["prefix"]);
    expect(await found({ value: `"${value}"` })).toEqual(["quotes"]);
    expect(await found({ value: `${value}, ${value}` })).toEqual(["several"]);
    expect(await found({ value: `sha256=${toHex(await macOf())}` })).toEqual(["hex", "prefix"]);
  });
});

describe("a signature that is computed in another way", () => {
  const key = bytesFromText(SECRET);
  it("is of another algorithm", async () => {
    for (const hash of ["SHA-1", "SHA-384", "SHA-512"] as const)
      expect(await found({ value: toBase64(await hmac(hash, key, BODY)) }), hash).toEqual(["algorithm"]);
  });

  it("swaps key and message, or has no key", async () => {
    expect(await found({ value: toBase64(await hmac("SHA-256", BODY, key)) })).toEqual(["swapped"]);
    expect(await found({ value: toHex(await digest("SHA-256", BODY)) })).toEqual(["keyless", "hex"]);
    expect(await found({ value: toBase64(await digest("SHA-256", Uint8Array.of(...key, ...BODY))) })).toEqual([
      "concatenated",
    ]);
  });
});

describe("several mistakes at once", () => {
  it("are all found", async () => {
    const others = [{ name: "the secret of another", secret: OTHER_SECRET }];
    const hex = toHex(await macOf(BODY, OTHER_SECRET));
    const body = bytesFromText(JSON.stringify(ENVELOPE, null, 2));
    expect(await found({ value: `sha256=${hex}`, body, others })).toEqual(["wrong_secret", "compact", "hex", "prefix"]);
  });
});

describe("what a receiver computed instead", () => {
  const ofReceiver = async (value: string, question: Partial<Question> = {}) =>
    receiverFindings(await explain({ value, ...question }), null);

  it("is nothing wrong where it is the signature there should be", async () =>
    expect(await ofReceiver(await signed())).toEqual([]));

  it("is traced to the mistake that makes it", async () => {
    const others = [{ name: "the secret of Supplier: Meridian", secret: OTHER_SECRET }];
    const [wrongSecret] = await ofReceiver(await signed(BODY, OTHER_SECRET), { others });
    expect(wrongSecret).toMatchObject({
      code: "wrong_secret",
      sentence: expect.stringContaining("Supplier: Meridian"),
    });
    const [printed] = await ofReceiver(await signed(JSON.stringify(ENVELOPE, null, 2)));
    expect(printed?.code).toBe("pretty");
  });

  it("is told as what the receiver did to the body, where what arrived is right", async () => {
    for (const [bytes, body, title, mend] of [
      [`${TEXT}\n`, TEXT, "Your receiver added a line break", "Add nothing to the body"],
      [TEXT, `${TEXT}\n`, "Your receiver removed whitespace or a line break", "Keep every byte"],
      [LINES.replaceAll("\n", "\r\n"), LINES, "Your receiver changed the line breaks", "as bytes"],
      [LINES, LINES.replaceAll("\n", "\r\n"), "Your receiver changed the line breaks", "as bytes"],
      [`\ufeff${TEXT}`, TEXT, "Your receiver added a byte order mark", "as bytes"],
      [TEXT, `\ufeff${TEXT}`, "Your receiver removed the byte order mark", "as bytes"],
      [LINES, TEXT, "Body re-serialised", "raw bytes"],
    ] as const) {
      const arrived = await explain({ value: await signed(body), body: bytesFromText(body) });
      const computed = await explain({ value: await signed(bytes), body: bytesFromText(body) });
      const [finding, ...others] = receiverFindings(computed, arrived);
      expect(others).toEqual([]);
      expect(finding).toMatchObject({ title, mend: expect.stringContaining(mend) });
      expect(finding?.sentence).toMatch(/^The signature matches the body .*, not the received bytes/);
    }
  });

  it("is told as what was pasted wrong, where what arrived covers the same bytes", async () => {
    const explained = await explain({ value: await signed(), body: bytesFromText(`${TEXT}\n`) });
    expect(receiverFindings(explained, explained)).toMatchObject([{ title: "Whitespace around the body" }]);
  });

  it("is said to be of another secret or other bytes where nothing leads to it, and how to tell which", async () => {
    const [unknown] = await ofReceiver(await signed(BODY, "pwh_of_nobody_here"));
    expect(unknown).toMatchObject({
      code: "not_this_secret",
      title: "Different secret or bytes",
      sentence: expect.stringContaining("used another secret or other bytes"),
      mend: expect.stringContaining("“Another secret”"),
    });
    // As the mend says: what it computed is right with the secret it uses, and what arrived was made with another.
    const used = { secret: "pwh_of_nobody_here", others: [{ name: "the secret of Buyer: Northgate", secret: SECRET }] };
    expect(await ofReceiver(await signed(BODY, used.secret), used)).toEqual([]);
    expect(await found({ value: await signed(), ...used })).toEqual(["wrong_secret"]);
  });

  it("is no signature where it is not written as one, or has another length", async () => {
    for (const [value, says] of [
      ["ünïcödé", "neither base64 nor hex"],
      [toBase64(new Uint8Array(20)), "20 bytes"],
    ] as const)
      expect((await ofReceiver(value))[0]?.sentence).toContain(says);
  });
});

describe("what nothing explains", () => {
  it("is said, with how long it is when that tells something", async () => {
    const value = toBase64(new Uint8Array(20));
    expect(await found({ value })).toEqual(["unexplained"]);
    const [finding] = signatureFindings({ kind: "found", value }, await explain({ value }));
    expect(finding?.sentence).toContain("20 bytes");
    expect(await found({ value: "ünïcödé" })).toEqual(["unexplained"]);
  });

  it("is no longer tried once there is no header, or it stands under another name", async () => {
    expect(signatureFindings({ kind: "none" }, null).map(({ code }) => code)).toEqual(["no_header"]);
    const value = await signed();
    const misnamed = signatureFindings({ kind: "misnamed", name: "x-signature", value }, await explain({ value }));
    expect(misnamed.map(({ code }) => code)).toEqual(["wrong_header"]);
    const both = signatureFindings(
      { kind: "misnamed", name: "x-signature", value: "00" },
      await explain({ value: "00" }),
    );
    expect(both.map(({ code }) => code)).toEqual(["wrong_header", "unexplained"]);
  });
});

describe("a body of 1 MiB", () => {
  const body = bytesFromText(JSON.stringify({ ...ENVELOPE, filler: "é".repeat(512 * 1024) }));
  it("is judged, also when nothing explains its signature", async () => {
    expect(await found({ body, value: `${"A".repeat(43)}=` })).toEqual(["unexplained"]);
    const value = toBase64(await digest("SHA-256", new Uint8Array([...body, ...bytesFromText(SECRET)])));
    expect(await found({ body, value })).toEqual(["concatenated"]);
  });
});
