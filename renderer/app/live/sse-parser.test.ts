import { describe, expect, it } from "vitest";
import { createSseParser, type SseMessage } from "./sse-parser.ts";

const parse = (...chunks: string[]): SseMessage[] => {
  const take = createSseParser();
  return chunks.flatMap((chunk) => take(chunk));
};
const stream =
  'event: ready\ndata: {"a":1}\n\nid: 7\nevent: state\ndata: one\ndata: two\n\n: heartbeat\n\nid: 8\ndata:x\n\n';
const messages: SseMessage[] = [
  { id: null, event: "ready", data: '{"a":1}' },
  { id: "7", event: "state", data: "one\ntwo" },
  { id: "8", event: "message", data: "x" },
];

describe("server-sent events", () => {
  it("reads messages, joins data lines, skips comments", () => expect(parse(stream)).toEqual(messages));

  it("does not care where the stream is cut", () => {
    for (let cut = 1; cut < stream.length; cut++)
      expect(parse(stream.slice(0, cut), stream.slice(cut))).toEqual(messages);
    expect(parse(...stream)).toEqual(messages);
  });

  it.each([
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("takes %s as the end of a line, also when it is cut", (_name, end) => {
    const other = stream.replaceAll("\n", end);
    expect(parse(...other)).toEqual(messages);
    expect(parse(other)).toEqual(messages);
  });

  it("keeps the id until another one comes", () =>
    expect(parse("id: 1\ndata: a\n\ndata: b\n\n").map((message) => message.id)).toEqual(["1", "1"]));
  it("holds back a message that is not ended", () => expect(parse("data: a\n")).toEqual([]));
  it("drops a byte order mark in front", () => expect(parse("\uFEFFdata: a\n\n")).toHaveLength(1));
  it("takes one space after the colon, not two", () => expect(parse("data:  a\n\n")[0]?.data).toBe(" a"));
  it("ignores a message without data", () => expect(parse("event: reset\n\n")).toEqual([]));
});
