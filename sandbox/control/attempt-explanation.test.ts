import { describe, expect, it } from "vitest";
import { findFaultByCode } from "../rules/webhooks/transport-faults.ts";
import { explainAttempt } from "./attempt-explanation.ts";

type AttemptResponse = Parameters<typeof explainAttempt>[0];

const passed: AttemptResponse["verification"] = [
  { step: "header_present", verdict: "passed", detail: "present" },
  { step: "signature_matches", verdict: "passed", detail: "equal, 32 bytes" },
];
const answer = (
  response_status: number | null,
  body = "",
  changes: Partial<AttemptResponse> = {},
): AttemptResponse => ({
  response_status,
  error: null,
  ...{ response_headers: [], response_body_base64: btoa(body) },
  duration_ms: 4,
  verification: passed,
  ...changes,
});
const verdict = (of: AttemptResponse, left: Parameters<typeof explainAttempt>[1] = null) => explainAttempt(of, left);

describe("the explanation of an attempt", () => {
  it("is null for an acknowledged one", () => expect(verdict(answer(200))).toBeNull());

  it("quotes the receiver's reason, and says that the notification was correct", () => {
    expect(verdict(answer(401, '{"ok":false,"reason":"bad_signature"}'))).toMatchObject({
      sentence: "The receiver returned 401: “bad_signature”.",
      whose: expect.stringContaining("the cause is on the receiver’s side"),
      decision: null,
      what_to_do: expect.stringContaining("raw bytes"),
    });
    for (const error of ["Bad signature", "invalid signature", "Signature mismatch", "HMAC verification failed"])
      expect(verdict(answer(401, JSON.stringify({ error })))?.what_to_do, error).toContain("raw bytes");
    expect(verdict(answer(422, "cannot parse\nat line 3"))?.sentence).toBe(
      "The receiver returned 422: “cannot parse”.",
    );
    expect(verdict(answer(500, "[]"))?.sentence).toBe("The receiver returned 500: “[]”.");
    expect(verdict(answer(503))?.sentence).toBe("The receiver returned 503.");
  });

  it("quotes neither pages nor binary data, and shortens a long reason", () => {
    expect(verdict(answer(404, "<!doctype html>\n<title>Not found</title>"))?.sentence).toBe(
      "The receiver returned 404.",
    );
    expect(verdict(answer(503, "\xff\xfe\0\x01"))?.sentence).toBe("The receiver returned 503.");
    const long = "x".repeat(300);
    for (const body of [long, JSON.stringify({ error: long })])
      expect(verdict(answer(422, body))?.sentence).toBe(`The receiver returned 422: “${"x".repeat(200)}…”.`);
  });

  it("says that a compressed response can’t be read, unless it was", () => {
    const gzip: Partial<AttemptResponse> = { response_headers: [["content-encoding", "gzip"]] };
    expect(verdict(answer(401, "\x1f\x8b\x08\xff", gzip))?.sentence).toBe(
      "The receiver returned 401. Its reason can’t be read, because the response is compressed (gzip) without being asked to.",
    );
    expect(verdict(answer(401, '{"error":"no"}', gzip))?.sentence).toBe("The receiver returned 401: “no”.");
  });

  it.each([
    ["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL", /^The receiver speaks HTTP\/2 only/, /accept HTTP\/1\.1/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", /certificate is self-signed/, /certificate of a public CA/],
    ["CERT_HAS_EXPIRED", /has expired\.$/, /^Renew/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", /doesn’t speak TLS/, /with http:\/\//],
  ])("%s: names in one sentence the receiver's problem and the remedy", (code, says, remedy) => {
    const error = findFaultByCode(code)?.says ?? "";
    expect(verdict(answer(null, "", { error }))).toEqual({
      ...{ sentence: expect.stringMatching(says), whose: "The cause is on the receiver’s side.", decision: null },
      what_to_do: expect.stringMatching(remedy),
    });
  });

  it("takes the blame if a verification step fails on the sent bytes", () => {
    const wrong = { step: "signature_matches", verdict: "failed", detail: "differs" } as const;
    expect(verdict(answer(401, "", { verification: [wrong] }))).toMatchObject({
      whose: "The cause is on the sandbox’s side: the signature doesn’t match.",
      what_to_do: "Send it again. It gets a new signature and timestamp.",
    });
  });

  it("blames no one if a built-in receiver fails as configured", () =>
    expect(verdict(answer(503, '{"ok":false,"reason":"configured_to_fail"}'))).toMatchObject({
      sentence: "The built-in receiver returned 503, as configured.",
      whose: "Nothing is wrong with the notification.",
    }));

  it("gives a remedy for each kind of response", () => {
    const remedy = (of: AttemptResponse) => verdict(of)?.what_to_do;
    expect(remedy(answer(204))).toContain("Respond with 200");
    expect(remedy(answer(302, "", { error: "redirects are not followed; this one leads to /in" }))).toContain(
      "Return 200 at this address",
    );
    expect(remedy(answer(404))).toContain("path");
    expect(remedy(answer(503))).toContain("receiver’s log");
    expect(remedy(answer(null, "", { error: "connection refused" }))).toContain("receiver is running");
    expect(remedy(answer(null, "", { error: "no response within 10 s", duration_ms: 10_003 }))).toContain(
      "before it starts processing",
    );
    expect(remedy(answer(200, "", { error: "the response broke off" }))).toContain("whole response");
  });

  it("names an assumption only if it applies, and describes it first", () => {
    const assumed = [
      [answer(204), "the contract requires 200"],
      [answer(302), "redirects are not followed"],
      [
        answer(null, "", { error: "no response within 10 s", duration_ms: 10_003 }),
        "an attempt times out after 10 seconds",
      ],
      [answer(200, "", { error: "the response broke off" }), "an incomplete 200 response"],
    ] as const;
    for (const [of, says] of assumed)
      expect(verdict(of)).toMatchObject({ whose: expect.stringContaining(says), decision: "D72" });
    for (const one of [answer(401), answer(404), answer(503), answer(null, "", { error: "connection refused" })])
      expect(verdict(one)?.decision).toBeNull();
  });

  it("says what to do after the delivery failed or its subscription ended", () => {
    expect(verdict(answer(503), "resend")?.what_to_do).toMatch(/Then send it again\.$/);
    expect(verdict(answer(503), "subscribe")?.what_to_do).toMatch(/Then subscribe the URL again\.$/);
  });
});
