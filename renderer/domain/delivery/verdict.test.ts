import { describe, expect, it } from "vitest";
import { NOT_SENT_AFTER_RESTORE } from "../../../sandbox/contract/control/failure-words.ts";
import type { Attempt, Delivery } from "../../../sandbox/contract/control/rows.ts";
import { type Answer, deliveryReport, deliveryVerdict } from "./verdict.ts";

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

  it("says what is recognised in the receiver's answer instead of what may be the cause", () => {
    const recognised = "It is the signature of the body pretty-printed over several lines. Take the raw bytes.";
    expect(deliveryVerdict({ status: "failed" }, answer(401), false, recognised)?.remedy).toBe(
      `${recognised} Then resend it.`,
    );
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

describe("a delivery as the partner is told of it", () => {
  const SECRET = "pwh_2d4f6a8c0e1b3d5f7a9c1e3b5d7f9a1c";
  const attempt = (number: number, of: Answer): Attempt => ({
    number,
    started_at: `2026-03-12T10:00:0${number}.000Z`,
    request_headers: [],
    request_body_base64: btoa("{}"),
    response_headers: [],
    response_truncated: false,
    ...of,
  });
  const report = (
    attempts: Attempt[],
    drilled: readonly string[] = [],
    ending: Pick<Delivery, "status" | "last_error"> = { status: "pending", last_error: null },
  ) => {
    const [shown = attempt(1, answer(200))] = attempts.slice(-1);
    const of = {
      event_type: "repairer.jobs" as const,
      label: "J-1",
      url: "http://127.0.0.1:8787/hooks?key=theirs",
      id: "d-1",
      message_id: "m-1",
      attempts,
      ...ending,
    };
    return deliveryReport(of, shown, verdict(shown), drilled);
  };

  it("has the cause, what it is known by, the check of what was sent, every attempt and the drills", () => {
    const attempts = [
      attempt(1, answer(null, "", { error: "connection refused" })),
      attempt(2, answer(401, '{"reason":"bad_signature"}')),
      attempt(3, answer(204)),
    ];
    expect(report(attempts, ["Drills: 1 of 9 passed, 8 not run.", "- Duplicate: Acknowledged both of them."])).toBe(
      [
        "Attempt 3 of repairer.jobs J-1 to http://127.0.0.1:8787/hooks?… at 2026-03-12T10:00:03.000Z was not acknowledged.",
        "Cause: The receiver answered 204. The cause is on the receiver’s side: the contract requires 200. Retrying after any other response is an assumption.",
        "What to do: Respond with 200.",
        "Signature and timestamp when sent: correct (present; equal, 32 bytes).",
        "Delivery ID: d-1",
        "message_id: m-1",
        "",
        "Attempts:",
        "1. 2026-03-12T10:00:01.000Z: Connection refused.",
        "2. 2026-03-12T10:00:02.000Z: The receiver answered 401: “bad_signature”.",
        "3. 2026-03-12T10:00:03.000Z: The receiver answered 204.",
        "",
        "Drills: 1 of 9 passed, 8 not run.",
        "- Duplicate: Acknowledged both of them.",
      ].join("\n"),
    );
  });

  it("says of one that was acknowledged when that was", () => {
    const said = report([attempt(1, answer(503)), attempt(2, answer(200))]);
    expect(said).toContain("was answered 200.\nThe delivery is acknowledged.\n");
    expect(said).toContain("2. 2026-03-12T10:00:02.000Z: The receiver acknowledged it with 200.");
  });

  it("says that the restore of a world ended it, where no attempt did", () => {
    // sandbox/tests/restored-worlds.test.ts holds the service to these words.
    const last_error = NOT_SENT_AFTER_RESTORE;
    const refused = attempt(1, answer(503));
    expect(report([refused], [], { status: "failed", last_error })).toContain("world was restored from a snapshot");
    expect(report([refused], [], { status: "failed", last_error: null })).not.toContain("restored");
  });

  it("says what was wrong as it was sent", () => {
    const wrong = { step: "within_window", verdict: "failed", detail: "7 min old" } as const;
    expect(report([attempt(1, answer(400, "", { verification: [...passed, wrong] }))])).toContain(
      "Signature and timestamp when sent: the timestamp is more than 5 minutes off.",
    );
  });

  it("has no secret in it, also where the receiver repeats one", () => {
    const said = report([attempt(1, answer(401, JSON.stringify({ error: `not made with ${SECRET}` })))]);
    expect(said).toContain("“not made with pwh_…”");
    expect(said).not.toContain(SECRET);
  });
});
