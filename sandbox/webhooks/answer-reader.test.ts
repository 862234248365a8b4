import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answer, AnswerReader, KEPT_ANSWER_BYTES, NotHttpError } from "./answer-reader.ts";

const bytes = (text: string): Buffer => Buffer.from(text.replaceAll("\n", "\r\n"), "latin1");

/** Everything a reader makes of bytes that come in these pieces, the end of the connection included. */
const readAll = (...pieces: readonly Buffer[]): Answer[] => {
  const reader = new AnswerReader();
  const answers: Answer[] = [];
  for (const piece of pieces) reader.read(piece, (answer) => answers.push(answer));
  const last = reader.end();
  return last ? [...answers, last] : answers;
};
const only = (text: string): Answer => {
  const [answer, ...others] = readAll(bytes(text));
  if (!answer || others.length > 0) throw new Error("one answer was expected");
  return answer;
};

describe("an answer", () => {
  it("is its status, its headers in their order and its body", () => {
    const answer = only("HTTP/1.1 200 OK\nContent-Length: 5\nSet-Cookie: a\nSet-Cookie:  b \nX: \n\nhello");
    expect(answer).toEqual({
      status: 200,
      headers: [
        ["content-length", "5"],
        ["set-cookie", "a"],
        ["set-cookie", "b"],
        ["x", ""],
      ],
      body: Buffer.from("hello"),
      truncated: false,
      keepAlive: true,
    });
  });

  it("may have no reason, lines without a carriage return, and headers on several lines", () => {
    const answer = readAll(Buffer.from("HTTP/1.1 204\nX: a\n b\n\n"))[0];
    expect([answer?.status, answer?.headers]).toEqual([204, [["x", "a b"]]]);
  });

  it("comes after interim ones", () => {
    expect(
      only("HTTP/1.1 100 Continue\n\nHTTP/1.1 103 Early Hints\nLink: x\n\nHTTP/1.1 200 OK\nContent-Length: 0\n\n"),
    ).toMatchObject({ status: 200, headers: [["content-length", "0"]] });
  });

  it("follows another on the same connection", () => {
    const one = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok";
    const none = "HTTP/1.1 304 Not Modified\nContent-Length: 9\n\n";
    const chunked = "HTTP/1.1 500 Oh\nTransfer-Encoding: chunked\n\n2\nno\n0\nTrailer: x\n\n";
    const answers = readAll(bytes(one + none + chunked + one));
    expect(answers.map(({ status, body }) => [status, body.toString()])).toEqual([
      [200, "ok"],
      [304, ""],
      [500, "no"],
      [200, "ok"],
    ]);
  });

  it("without a length goes on until the connection ends, which is then used up", () => {
    expect(only("HTTP/1.1 200 OK\n\nall of it")).toMatchObject({ body: Buffer.from("all of it"), keepAlive: false });
  });

  it.each([
    ["HTTP/1.1 200 OK\nConnection: close\nContent-Length: 0\n\n", false],
    ["HTTP/1.1 200 OK\nConnection: Upgrade, Close\nContent-Length: 0\n\n", false],
    ["HTTP/1.0 200 OK\nContent-Length: 0\n\n", false],
    ["HTTP/1.0 200 OK\nConnection: keep-alive\nContent-Length: 0\n\n", true],
    ["HTTP/1.1 101 Switching Protocols\n\n", false],
    ["HTTP/1.1 200 OK\nContent-Length: 0\n\n", true],
  ])("%j says whether another may follow: %s", (text, keepAlive) => {
    expect(only(text).keepAlive).toBe(keepAlive);
  });

  it("keeps a packed body as the bytes that came", () => {
    const packed = gzipSync("x".repeat(1_000));
    const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`);
    expect(readAll(Buffer.concat([head, packed]))[0]?.body).toEqual(packed);
  });

  it("is cut after 64 KiB, with or without a length or chunks, and ends its connection", () => {
    const long = "x".repeat(KEPT_ANSWER_BYTES + 1);
    for (const head of [
      `HTTP/1.1 200 OK\nContent-Length: ${long.length}\n\n${long}`,
      `HTTP/1.1 200 OK\n\n${long}`,
      `HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n${long.length.toString(16)}\n${long}\n0\n\n`,
    ]) {
      const answer = readAll(bytes(head))[0];
      expect([answer?.status, answer?.body.length, answer?.truncated, answer?.keepAlive]).toEqual([
        200,
        KEPT_ANSWER_BYTES,
        true,
        false,
      ]);
    }
    const exact = "x".repeat(KEPT_ANSWER_BYTES);
    expect(only(`HTTP/1.1 200 OK\nContent-Length: ${exact.length}\n\n${exact}`)).toMatchObject({ truncated: false });
  });

  it("can be cut short by whoever no longer waits for the rest of it", () => {
    const reader = new AnswerReader();
    reader.read(bytes("HTTP/1.1 200 OK\nContent-Length: 9\n\nhalf"), () => expect.unreachable());
    expect([reader.begun, reader.cut()]).toMatchObject([
      true,
      { status: 200, body: Buffer.from("half"), truncated: true, keepAlive: false },
    ]);
    const early = new AnswerReader();
    early.read(bytes("HTTP/1.1 200 OK\nContent"), () => expect.unreachable());
    expect([early.begun, early.cut(), early.end()]).toEqual([true, null, null]);
  });
});

describe("what is no answer", () => {
  it.each([
    ["SSH-2.0-OpenSSH_9.6\n", /begins with "SSH-2.0/],
    ["<html>", /begins with "<html>"/],
    ["HTTP/2 200\n\n", /begins with "HTTP\/2 200/],
    ["HTTP/1.1 OK\n\n", /begins with "HTTP\/1.1 OK"/],
    ["HTTP/1.1 200 OK\nno header\n\n", /"no header"/],
    ["HTTP/1.1 200 OK\nContent-Length: 5, 6\n\n", /content-length/],
    ["HTTP/1.1 200 OK\nContent-Length: -1\n\n", /content-length/],
    ["HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\n", /"zz" is no length/],
    ["HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nabc\n", /longer than it said/],
    [`HTTP/1.1 200 OK\nX: ${"x".repeat(70_000)}`, /does not end/],
    [`HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n${"1".repeat(2_000)}`, /does not end/],
  ])("%.60j is refused, and the reason said", (text, reason) => {
    expect(() => readAll(bytes(text))).toThrow(NotHttpError);
    expect(() => readAll(bytes(text))).toThrow(reason);
  });

  it("is known by its first bytes", () => {
    const reader = new AnswerReader();
    reader.read(Buffer.from("HTTP"), () => expect.unreachable());
    expect(() => reader.read(Buffer.from("S"), () => undefined)).toThrow(NotHttpError);
  });
});

it("does not depend on how the bytes are cut into pieces", () => {
  const stream = bytes(
    'HTTP/1.1 103 Early\n\nHTTP/1.1 200 OK\nContent-Length: 11\n\n{"ok":true}HTTP/1.1 503 Later\nTransfer-Encoding: chunked\n\n' +
      "3;x=y\nabc\n0010\n0123456789abcdef\n0\nA: b\nC: d\n\nHTTP/1.1 204 None\n\nHTTP/1.1 200 OK\nX: y\n\nuntil the end",
  );
  const whole = readAll(stream);
  expect(whole.map(({ status }) => status)).toEqual([200, 503, 204, 200]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: stream.length - 1 }), { maxLength: 40 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), stream.length];
      const pieces = at.slice(1).map((end, index) => Buffer.from(stream.subarray(at[index], end)));
      expect(readAll(...pieces)).toEqual(whole);
    }),
    { numRuns: 300 },
  );
  expect(readAll(...[...stream].map((byte) => Buffer.of(byte)))).toEqual(whole);
});
