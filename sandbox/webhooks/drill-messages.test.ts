import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { type DrillName, drillNames } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import { Envelope } from "../contract/events.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import type { NotifiedEvent } from "../rules/webhooks/notification.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import {
  createDrillRequests,
  type DrillSubject,
  evaluateDrill,
  evaluateDrillResponse,
  isSentTogether,
  OFF_STAMP_MS,
  otherSecret,
} from "./drill-messages.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const SECRET = "pwh_Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA";
const eventAt = (event_timestamp: number): NotifiedEvent => ({
  event_type: "repairer.procurements",
  event_timestamp,
  payload: {
    procurement_id: "173ad91b-b3db-4066-bddd-2745cbdf1d24",
    job_id: "ab7953c2-259b-4676-8de2-dd32487df2fb",
    status: "order_confirmed",
  },
});
const subject: DrillSubject = {
  message_id: "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a",
  integration_id: "5b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f",
  secret: SECRET,
  foreignSecret: "pwh_AnotherIntegrationsSecretAnotherIntegrations",
  event: eventAt(NOW - 90_000),
};
const requestsOf = (drill: DrillName, changes: Partial<DrillSubject> = {}) => {
  let ids = 0;
  return createDrillRequests(drill, { ...subject, ...changes }, NOW, () => {
    ids += 1;
    return `fresh-${ids}`;
  });
};
type Request = ReturnType<typeof requestsOf>[number];
const headerOf = ({ headers }: Request, name: string): string | null =>
  headers.find(([one]) => one === name)?.[1] ?? null;
const envelopeOf = ({ body }: Request) => JSON.parse(body.toString("utf8")) as Envelope;
const reasonOf = (request: Request) =>
  verifyNotification({ body: request.body, header: headerOf(request, SIGNATURE_HEADER), secret: SECRET, now: NOW })
    .reason;

describe("the messages of a drill", () => {
  it.each(drillNames)("%s: cause exactly the declared result of a verification", (drill) => {
    const requests = requestsOf(drill);
    expect(requests.length).toBeGreaterThanOrEqual(drills[drill].mistake === undefined ? 1 : 2);
    expect(new Set(requests.map(({ what }) => what)).size).toBe(requests.length);
    for (const request of requests) {
      expect(reasonOf(request)).toBe(drills[drill].expects.reason);
      expect(headerOf(request, "content-length")).toBe(String(request.body.byteLength));
      expect(headerOf(request, "content-type")).toBe("application/json");
    }
  });

  it("are complete envelopes, except for a missing timestamp", () => {
    for (const drill of drillNames.filter((one) => one !== "missing_timestamp"))
      for (const request of requestsOf(drill)) expect(Check(Envelope, envelopeOf(request)), drill).toBe(true);
    const [without] = requestsOf("missing_timestamp");
    expect(without && Object.keys(envelopeOf(without))).toEqual(
      Object.keys(Envelope.properties).filter((name) => name !== "webhook_timestamp"),
    );
  });

  it("have the delivery's own message_id, like a recorded notification, if they must be refused or are a repeat", () => {
    for (const drill of drillNames) {
      const ids = requestsOf(drill).map((request) => envelopeOf(request).message_id);
      const isOwn = drill === "duplicate" || drills[drill].expects.answer === "refuse";
      expect(ids, drill).toEqual(
        ids.map((_, index) => (isOwn ? subject.message_id : `fresh-${drill === "same_moment" ? 1 : index + 1}`)),
      );
    }
  });

  it("duplicate: the same bytes twice", () => {
    const [first, second] = requestsOf("duplicate");
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers).toEqual(first?.headers);
  });

  it("same_moment: the same new bytes twice", () => {
    const [first, second] = requestsOf("same_moment");
    expect(second?.body).toEqual(first?.body);
    expect(drillNames.filter(isSentTogether)).toEqual(["same_moment", "twenty_at_once"]);
  });

  it("printed_differently: the same JSON with unusual key order, spaces and escapes", () => {
    const [usual, odd] = requestsOf("printed_differently");
    const read = (request: Request | undefined) => JSON.parse(request?.body.toString("utf8") ?? "") as Envelope;
    expect(read(odd)).toEqual({ ...read(usual), message_id: "fresh-2" });
    expect(Object.keys(read(odd))).toEqual(Object.keys(read(usual)).toReversed());
    const text = odd?.body.toString("utf8") ?? "";
    expect(text).toContain('"repairer\\u002eprocurements"');
    for (const space of [undefined, 1, 2, 4]) expect(text).not.toBe(JSON.stringify(read(odd), null, space));
  });

  it("timestamp_forms: the same time with an offset, and the same second without milliseconds", () => {
    const at = NOW + 7;
    const stamps = createDrillRequests("timestamp_forms", subject, at, () => "fresh").map(
      (request) => envelopeOf(request).webhook_timestamp,
    );
    expect(stamps).toEqual(["2026-01-15T12:00:00.007Z", "2026-01-15T17:30:00.007+05:30", "2026-01-15T12:00:00Z"]);
    expect(stamps.map((stamp) => Date.parse(stamp))).toEqual([at, at, NOW]);
  });

  it("twenty_at_once: twenty different messages", () => {
    expect(new Set(requestsOf("twenty_at_once").map((request) => envelopeOf(request).message_id)).size).toBe(20);
  });

  it("other_integration: the same bytes, signed with an unknown secret and with another integration's", () => {
    const requests = requestsOf("other_integration");
    for (const [index, secret] of [otherSecret(SECRET), subject.foreignSecret].entries()) {
      const { body = Buffer.alloc(0), headers = [] } = requests[index] ?? {};
      const header = headers.find(([name]) => name === SIGNATURE_HEADER)?.[1] ?? null;
      expect(verifyNotification({ body, header, secret, now: NOW }).reason).toBeNull();
    }
    expect(requests[0]?.body).toEqual(requests[1]?.body);
  });

  it("reordered: the newer event first, then one a second earlier", () => {
    const stamps = requestsOf("reordered").map((request) => envelopeOf(request).event_timestamp);
    expect(stamps).toEqual(["2026-01-15T11:58:30.000Z", "2026-01-15T11:58:29.000Z"]);
  });

  it("flipped_byte: differs in one bit from the signed bytes, and is still JSON of the same integration", () => {
    for (const last of "0123456789abcdef") {
      const job_id = `ab7953c2-259b-4676-8de2-dd32487df2f${last}`;
      const event = { ...subject.event, payload: { ...subject.event.payload, job_id } };
      const signed = requestsOf("duplicate", { event })[0]?.body ?? Buffer.alloc(0);
      const [flipped] = requestsOf("flipped_byte", { event });
      expect(flipped?.body.byteLength).toBe(signed.byteLength);
      const differing = [...signed].filter((byte, index) => byte !== flipped?.body[index]);
      expect(differing).toHaveLength(1);
      const envelope = JSON.parse(signed.toString("utf8")) as Envelope;
      const payload = { ...envelope.payload, job_id: expect.stringMatching(/^ab7953c2-259b-4676-8de2-dd32487df2f.$/) };
      expect(flipped && envelopeOf(flipped)).toEqual({ ...envelope, payload });
    }
  });

  it("missing_signature: has no signature header, not even an empty one", () => {
    expect(requestsOf("missing_signature")[0]?.headers.map(([name]) => name)).not.toContain(SIGNATURE_HEADER);
  });

  it("wrong_secret: is signed with another well-formed secret", () => {
    expect(otherSecret(SECRET)).toMatch(/^pwh_[A-Za-z0-9_-]{43}$/);
    expect(otherSecret(SECRET)).not.toBe(SECRET);
    const [request] = requestsOf("wrong_secret");
    const header = request ? headerOf(request, SIGNATURE_HEADER) : null;
    const secret = otherSecret(SECRET);
    expect(request && verifyNotification({ body: request.body, header, secret, now: NOW }).reason).toBeNull();
  });

  it("stale and future: six minutes off either way, and no message precedes its event", () => {
    const stampOf = (drill: DrillName) => requestsOf(drill).map(envelopeOf)[0];
    expect(Date.parse(stampOf("stale")?.webhook_timestamp ?? "")).toBe(NOW - OFF_STAMP_MS);
    expect(Date.parse(stampOf("future")?.webhook_timestamp ?? "")).toBe(NOW + OFF_STAMP_MS);
    expect(stampOf("stale")?.event_timestamp).toBe(stampOf("stale")?.webhook_timestamp);
    expect(stampOf("future")?.event_timestamp).toBe("2026-01-15T11:58:30.000Z");
  });

  it("never contain the secret", () => {
    for (const drill of drillNames)
      for (const request of requestsOf(drill))
        expect(request.body.toString("utf8") + JSON.stringify(request.headers)).not.toContain(SECRET);
  });
});

describe("the verdict on a response", () => {
  const good = drills.duplicate.expects;
  const bad = drills.stale.expects;
  const verdictOf = (expects: typeof good, status: number | null, error: string | null = null) =>
    evaluateDrillResponse(expects, { status, error });

  const broken = "the response broke off: the receiver closed the connection in the middle of it";

  it("contract, Delivery rules 3: passes a valid notification only with 200", () => {
    expect(verdictOf(good, 200).verdict).toBe("passed");
    for (const status of [201, 202, 204, 301, 400, 401, 404, 409, 500, 503])
      expect(verdictOf(good, status), String(status)).toEqual({
        verdict: "failed",
        sentence: `Returned ${status}. Only 200 acknowledges a notification.`,
      });
  });

  it("passes the refusal of an invalid one with any 4xx, whatever the body", () => {
    for (const status of [400, 401, 403, 409, 422, 499])
      for (const error of [null, broken])
        expect(verdictOf(bad, status, error)).toEqual({
          verdict: "passed",
          sentence: `Refused it with ${status}.`,
        });
  });

  it("fails accepting an invalid one, and anything that isn't a refusal", () => {
    const must = "must refuse it with 400 or another 4xx (stale_timestamp).";
    expect(verdictOf(bad, 200)).toEqual({ verdict: "failed", sentence: `Accepted it; ${must}` });
    for (const status of [202, 302, 500])
      expect(verdictOf(bad, status).sentence).toBe(`Returned ${status}, which is not a refusal; ${must}`);
    expect(verdictOf(bad, null, "no response within 10 s")).toEqual({
      verdict: "failed",
      sentence: `Didn’t respond (no response within 10 s); ${must}`,
    });
  });

  it("D72: an incomplete 200 neither acknowledges nor refuses", () => {
    for (const expects of [good, bad])
      expect(verdictOf(expects, 200, broken)).toMatchObject({
        verdict: "failed",
        sentence: expect.stringContaining(
          `Returned 200, but not the whole response (${broken}); ${expects === good ? "only 200" : "must refuse"}`,
        ),
      });
  });

  const answers = (statuses: readonly number[], bodies: readonly string[] = []) =>
    statuses.map((status, index) => ({
      what: ["the notification", "the same again", "a third"][index] ?? `number ${index + 1}`,
      ...{ status, body: bodies[index] ?? '{"ok":true}', error: null },
    }));

  it("says of a single request only what its response says, and of none that nothing was sent", () => {
    expect(evaluateDrill("missing_signature", answers([401]))).toEqual({
      verdict: "passed",
      sentence: "Refused it with 401.",
    });
    expect(evaluateDrill("duplicate", answers([500])).sentence).toMatch(/^Returned 500\./);
    expect(evaluateDrill("duplicate", [])).toEqual({ verdict: "failed", sentence: "Nothing was sent." });
  });

  it("passes a drill only if all its requests pass, else names the failed one", () => {
    expect(evaluateDrill("duplicate", answers([200, 200]))).toEqual({
      verdict: "passed",
      sentence: "Acknowledged both of them with 200; whether it deduplicates can’t be seen.",
    });
    expect(evaluateDrill("duplicate", answers([200, 409]))).toEqual({
      verdict: "failed",
      sentence: "To the same again: returned 409. Only 200 acknowledges a notification.",
    });
    expect(evaluateDrill("duplicate", answers([500, 200])).sentence).toMatch(/^To the notification: [a-z]/);
    expect(evaluateDrill("timestamp_forms", answers([200, 200, 200]))).toEqual({
      verdict: "passed",
      sentence: "Acknowledged all 3 of them with 200.",
    });
    expect(evaluateDrill("other_integration", answers([401, 401]))).toEqual({
      verdict: "passed",
      sentence: "Refused both of them with 401.",
    });
    expect(evaluateDrill("other_integration", answers([401, 403])).sentence).toBe(
      "Refused both of them with 401 and 403.",
    );
    expect(evaluateDrill("twenty_at_once", answers([200, 503, 503, 503])).sentence).toMatch(
      /^3 of 4 failed\. To the same again: returned 503\./,
    );
  });

  it("names the mistake only if the receiver passed another request of the drill", () => {
    for (const drill of drillNames) {
      const { mistake, expects } = drills[drill];
      const [right, wrong] = expects.answer === "acknowledge" ? ([200, 401] as const) : ([401, 200] as const);
      if (mistake === undefined) continue;
      expect(evaluateDrill(drill, answers([right, wrong])).sentence, drill).toContain(mistake);
      expect(evaluateDrill(drill, answers([wrong, wrong])).sentence, drill).not.toContain(mistake);
    }
  });

  it("says that a receiver deduplicates if its responses show it", () => {
    const said = (first: unknown, second: unknown) =>
      evaluateDrill(
        "same_moment",
        answers(
          [200, 200],
          [first, second].map((deduped) => JSON.stringify({ deduped })),
        ),
      );
    for (const [first, second] of [
      [false, true],
      [true, false],
      [true, true],
    ])
      expect(said(first, second)).toEqual({
        verdict: "passed",
        deduplicates: true,
        sentence: "Acknowledged both of them with 200; its responses say that it deduplicates.",
      });
    expect(said(false, false)).toMatchObject({ verdict: "failed", deduplicates: false });
    for (const second of [undefined, null, "true", 1]) {
      const { deduplicates, sentence } = said(false, second);
      expect(deduplicates).toBeUndefined();
      expect(sentence).toMatch(/whether it deduplicates can’t be seen\.$/);
    }
    expect(evaluateDrill("duplicate", answers([200, 200], ["[]", "no json"])).deduplicates).toBeUndefined();
    expect(evaluateDrill("reordered", answers([200, 200], ['{"deduped":false}', '{"deduped":false}'])).verdict).toBe(
      "passed",
    );
  });
});
