import { describe, expect, it } from "vitest";
import { NotHttpError } from "./answer-reader.ts";
import { describeFailure, describeTimeout, type Stage } from "./failure-words.ts";

const failure = (code: string, message = "what the system says"): Error => Object.assign(new Error(message), { code });

describe("why a try had no answer", () => {
  it.each<[Stage, Error | null, string]>([
    ["connecting", failure("ECONNREFUSED"), "connection refused: nothing listens at this address"],
    ["connecting", failure("ENOTFOUND"), "the host name was not found"],
    ["connecting", failure("EAI_AGAIN"), "the host name could not be looked up"],
    ["connecting", failure("ETIMEDOUT"), "no connection: the address does not answer"],
    ["connecting", failure("EHOSTUNREACH"), "no connection: there is no way to this host"],
    [
      "connecting",
      new AggregateError([failure("ECONNREFUSED"), failure("ETIMEDOUT")], "every address failed"),
      "connection refused: nothing listens at this address",
    ],
    ["connecting", failure("E_NEVER_HEARD_OF"), "no connection: what the system says"],
    ["securing", failure("CERT_HAS_EXPIRED"), "TLS failed: the certificate has expired"],
    [
      "securing",
      failure("EPROTO", "ssl3_get_record:wrong version number"),
      "TLS failed: the receiver does not speak TLS at this port",
    ],
    [
      "securing",
      failure("EPROTO", "ssl3_read_bytes:tlsv1 alert protocol version"),
      "TLS failed: the receiver refused the handshake, or has no version or cipher in common with us",
    ],
    ["securing", failure("E_NEVER_HEARD_OF"), "TLS failed: what the system says"],
    ["securing", null, "TLS failed: the receiver closed the connection in the middle of the handshake"],
    ["waiting", null, "the receiver closed the connection without an answer"],
    ["waiting", failure("ECONNRESET"), "the receiver reset the connection without an answer"],
    ["waiting", failure("E_NEVER_HEARD_OF"), "the connection failed: what the system says"],
    ["answering", null, "the answer broke off: the receiver closed the connection in the middle of it"],
    [
      "answering",
      failure("ECONNRESET"),
      "the answer broke off: the receiver closed the connection in the middle of it",
    ],
    ["waiting", new NotHttpError('it begins with "SSH"'), 'the answer is not HTTP/1.1: it begins with "SSH"'],
  ])("while %s: %s", (stage, error, words) => {
    expect(describeFailure(error, stage)).toBe(words);
  });

  it("says how far it had come when its time was up", () => {
    const stages: Stage[] = ["connecting", "securing", "waiting", "answering"];
    expect(stages.map((stage) => describeTimeout(stage, 10_000))).toEqual([
      "no connection within 10 s",
      "TLS failed: no end of the handshake within 10 s",
      "no answer within 10 s",
      "the answer stopped in its head: no more of it came within 10 s",
    ]);
  });
});
