import { describe, expect, it } from "vitest";
import { type Answer, deliveryVerdict } from "./verdict.ts";

const passed: Answer["verification"] = [
  { step: "header_present", verdict: "passed", detail: "present" },
  { step: "signature_matches", verdict: "passed", detail: "equal, 32 bytes" },
];
const answer = (response_status: number | null, body = "", changes: Partial<Answer> = {}): Answer => ({
  response_status,
  error: null,
  response_body_base64: btoa(body),
  duration_ms: 4,
  verification: passed,
  ...changes,
});
const verdict = (of: Answer, status: "pending" | "failed" | "delivered" = "pending", ended = false) =>
  deliveryVerdict({ status }, of, ended);

describe("the verdict on an attempt of a delivery", () => {
  it("is none for one that was acknowledged", () => expect(verdict(answer(200), "delivered")).toBeNull());

  it("gives the receiver's own reason, and that nothing was wrong as it was sent", () => {
    expect(verdict(answer(401, '{"ok":false,"reason":"bad_signature"}'))).toMatchObject({
      cause: "The receiver answered 401: “bad_signature”.",
      whose: expect.stringContaining("the cause is on the receiver’s side"),
      assumption: null,
      remedy: expect.stringContaining("raw bytes"),
    });
    expect(verdict(answer(401, '{"error":"Bad signature"}'))?.remedy).toContain("raw bytes");
    expect(verdict(answer(422, "cannot parse\nat line 3"))?.cause).toBe("The receiver answered 422: “cannot parse”.");
    expect(verdict(answer(500, "[]"))?.cause).toBe("The receiver answered 500: “[]”.");
    expect(verdict(answer(503))?.cause).toBe("The receiver answered 503.");
  });

  it("quotes as a reason no page and no bytes that are no text, and says where a reason goes on", () => {
    expect(verdict(answer(404, "<!doctype html>\n<title>Not found</title>"))?.cause).toBe("The receiver answered 404.");
    expect(verdict(answer(503, "\xff\xfe\0\x01"))?.cause).toBe("The receiver answered 503.");
    const long = "x".repeat(300);
    for (const body of [long, JSON.stringify({ error: long })])
      expect(verdict(answer(422, body))?.cause).toBe(`The receiver answered 422: “${"x".repeat(200)}…”.`);
  });

  it("takes the blame where a step fails over the bytes that were sent", () => {
    const wrong = { step: "signature_matches", verdict: "failed", detail: "differs" } as const;
    expect(verdict(answer(401, "", { verification: [wrong] }))).toMatchObject({
      whose: "The cause is on the sandbox’s side: the signature doesn’t match.",
      remedy: "Resend it. It gets a new signature and timestamp.",
    });
  });

  it("blames nobody where a built-in receiver does what it was told", () =>
    expect(verdict(answer(503, '{"ok":false,"reason":"as_this_receiver_was_told"}'))).toMatchObject({
      cause: "The built-in receiver answered 503, as configured.",
      whose: "Nothing is wrong with the notification.",
    }));

  it("says what to do for each kind of answer", () => {
    const remedy = (of: Answer) => verdict(of)?.remedy;
    expect(remedy(answer(204))).toContain("Respond with 200");
    expect(remedy(answer(302, "", { error: "redirects are not followed; this one leads to /in" }))).toContain(
      "Answer 200 at this address",
    );
    expect(remedy(answer(404))).toContain("path");
    expect(remedy(answer(503))).toContain("receiver’s log");
    expect(remedy(answer(null, "", { error: "connection refused" }))).toContain("receiver is running");
    expect(remedy(answer(null, "", { error: "no answer within 10 s", duration_ms: 10_003 }))).toContain(
      "before it starts processing",
    );
    expect(remedy(answer(200, "", { error: "the answer broke off" }))).toContain("whole response");
  });

  it("names the assumption only beside what is assumed, which it says first", () => {
    const assumed = [
      [answer(204), "the contract requires 200"],
      [answer(302), "redirects are not followed"],
      [
        answer(null, "", { error: "no answer within 10 s", duration_ms: 10_003 }),
        "an attempt times out after 10 seconds",
      ],
      [answer(200, "", { error: "the answer broke off" }), "an incomplete 200 response"],
    ] as const;
    for (const [of, says] of assumed)
      expect(verdict(of)).toMatchObject({ whose: expect.stringContaining(says), assumption: "D72" });
    for (const one of [answer(401), answer(404), answer(503), answer(null, "", { error: "connection refused" })])
      expect(verdict(one)?.assumption).toBeNull();
  });

  it("says what is left to do once it was given up, or its subscription has ended", () => {
    expect(verdict(answer(503), "failed")?.remedy).toMatch(/Then resend it\.$/);
    expect(verdict(answer(503), "failed", true)?.remedy).toMatch(/Then subscribe the URL again\.$/);
  });
});
