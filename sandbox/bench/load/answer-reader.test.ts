import { describe, expect, it } from "vitest";
import { AnswerReader } from "./answer-reader.ts";

const answer = (status: number, body: string): Buffer =>
  Buffer.from(`HTTP/1.1 ${status} Said\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX: y\r\n\r\n${body}`);

describe("reading answers", () => {
  it("tells the status of an answer that comes in one piece, again and again", () => {
    const reader = new AnswerReader();
    expect(reader.read(answer(200, '{"id":"1"}'))).toBe(200);
    expect(reader.read(answer(204, ""))).toBe(204);
    expect(reader.read(answer(200, '{"id":"2"}'))).toBe(200);
  });

  it("waits for the rest of an answer, wherever it was cut, though the buffer is used again", () => {
    const whole = answer(200, '{"plate":"KV42 ÄÖÜ"}');
    for (let cut = 1; cut < whole.length; cut += 1) {
      const reader = new AnswerReader();
      const buffer = Buffer.from(whole.subarray(0, cut));
      expect(reader.read(buffer)).toBeNull();
      buffer.fill(0);
      expect(reader.read(whole.subarray(cut))).toBe(200);
    }
  });

  it("keeps what a refusal said", () => {
    const reader = new AnswerReader();
    expect(reader.read(answer(422, '{"type":"unprocessable"}'))).toBe(422);
    expect(reader.body).toBe('{"type":"unprocessable"}');
  });

  it("reads a chunked answer to its last chunk", () => {
    const reader = new AnswerReader();
    expect(reader.read(Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"))).toBeNull();
    expect(reader.read(Buffer.from("0\r\n\r\n"))).toBe(200);
  });

  it("does not guess where an answer of no known length ends", () => {
    expect(() => new AnswerReader().read(Buffer.from("HTTP/1.1 200 OK\r\nX: y\r\n\r\n{}"))).toThrow("no known length");
  });

  it("does not take a second answer for a part of the first", () => {
    const both = Buffer.concat([answer(200, "{}"), answer(200, "{}")]);
    expect(() => new AnswerReader().read(both)).toThrow("More came than the answer");
  });
});
