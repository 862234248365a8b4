import { createHash } from "node:crypto";
import type { DrillExpected, DrillRow } from "../contract/control/receiver-operations.ts";
import type { DrillName } from "../contract/drill-names.ts";
import { drills, unseenBy } from "../contract/drills.ts";
import type { Envelope } from "../contract/events.ts";
import { keyPrefixes } from "./keys.ts";
import { envelopeOf, type NotifiedEvent, notificationHeaders } from "./notification.ts";
import { signBody } from "./webhook-signature.ts";

/** How far off a drill's stamp is: a minute beyond the replay window, so that a slow answer changes no verdict. */
export const OFF_STAMP_MS = 6 * 60_000;

/** What a drill is made from: a delivery's notification. */
export interface DrillSubject {
  readonly message_id: string;
  readonly integration_id: string;
  readonly secret: string;
  readonly event: NotifiedEvent;
}

/** One request of a drill, as it goes over the wire. */
export interface DrillRequest {
  /** Which of a drill's requests it is, in a few words. */
  readonly what: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const bytes = (envelope: Partial<Envelope> | Record<string, unknown>): Buffer =>
  Buffer.from(JSON.stringify(envelope), "utf8");

const signed = (what: string, body: Buffer, secret: string): DrillRequest => ({
  what,
  headers: notificationHeaders(body, signBody(body, secret)),
  body,
});

/** A well-formed secret that is certainly not this one. */
export const otherSecret = (secret: string): string =>
  keyPrefixes.webhookSecret + createHash("sha256").update(`not ${secret}`).digest("base64url");

/**
 * The body with the last character of its job's id changed by one bit: still JSON, still of the same integration, so
 * that nothing but the signature can tell.
 */
const flip = (body: Buffer, jobId: string): Buffer => {
  const flipped = Buffer.from(body);
  const at = flipped.lastIndexOf(jobId) + Buffer.byteLength(jobId) - 1;
  flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
  return flipped;
};

type Make = (subject: DrillSubject, now: number, newId: () => string) => readonly DrillRequest[];

const make: Record<DrillName, Make> = {
  duplicate: (subject, now) => {
    const body = bytes(envelopeOf(subject.event, subject, now));
    return [signed("the notification", body, subject.secret), signed("the same again", body, subject.secret)];
  },
  // With ids of their own: repeats of what was seen before would be acknowledged without a look at their order.
  reordered: (subject, now, newId) => {
    const one = (what: string, event: NotifiedEvent) =>
      signed(what, bytes(envelopeOf(event, { ...subject, message_id: newId() }, now)), subject.secret);
    const older = { ...subject.event, event_timestamp: subject.event.event_timestamp - 1_000 };
    return [one("the newer event", subject.event), one("the older event, after it", older)];
  },
  missing_signature: (subject, now) => {
    const body = bytes(envelopeOf(subject.event, subject, now));
    return [{ what: "without a signature", headers: notificationHeaders(body, null), body }];
  },
  flipped_byte: (subject, now) => {
    const body = bytes(envelopeOf(subject.event, subject, now));
    const signature = signBody(body, subject.secret);
    return [
      {
        what: "one byte flipped",
        headers: notificationHeaders(body, signature),
        body: flip(body, subject.event.payload.job_id),
      },
    ];
  },
  wrong_secret: (subject, now) => [
    signed("another secret", bytes(envelopeOf(subject.event, subject, now)), otherSecret(subject.secret)),
  ],
  missing_timestamp: (subject, now) => {
    const { webhook_timestamp: _left, ...rest } = envelopeOf(subject.event, subject, now);
    return [signed("without a stamp", bytes(rest), subject.secret)];
  },
  malformed_timestamp: (subject, now) => [
    signed(
      "a stamp that is no time",
      bytes({ ...envelopeOf(subject.event, subject, now), webhook_timestamp: "not a time" }),
      subject.secret,
    ),
  ],
  stale: (subject, now) => {
    const stampedAt = now - OFF_STAMP_MS;
    // Nothing is sent before it happens: a recorded notification would not look like that either.
    const event = { ...subject.event, event_timestamp: Math.min(subject.event.event_timestamp, stampedAt) };
    return [signed("six minutes old", bytes(envelopeOf(event, subject, stampedAt)), subject.secret)];
  },
  future: (subject, now) => [
    signed("six minutes ahead", bytes(envelopeOf(subject.event, subject, now + OFF_STAMP_MS)), subject.secret),
  ],
};

/**
 * The requests of a drill, in the order they are sent. All but those of `reordered` carry the delivery's own
 * `message_id`, as a recorded notification would: a receiver that looks for repeats before it verifies lets them pass.
 *
 * @param now real time, milliseconds since 1970 (D84)
 * @param newId makes a fresh message id
 */
export const drillRequests = (
  drill: DrillName,
  subject: DrillSubject,
  now: number,
  newId: () => string,
): readonly DrillRequest[] => make[drill](subject, now, newId);

/** What a receiver answered to one request; `error` says in words why it did not, or not to the end. */
export interface DrillAnswer {
  readonly status: number | null;
  readonly error: string | null;
}

type DrillVerdict = Pick<DrillRow, "verdict" | "sentence">;

const must = (expects: DrillExpected): string =>
  expects.answer === "acknowledge"
    ? "must acknowledge it with 200"
    : `must refuse it with ${expects.status} or another 4xx (${expects.reason})`;

const passed = (sentence: string): DrillVerdict => ({ verdict: "passed", sentence });
const failed = (sentence: string): DrillVerdict => ({ verdict: "failed", sentence });

/**
 * What one answer is worth. A 200 that did not come whole acknowledges nothing (D72), and is no refusal either; a refusal
 * is one by its status, whatever it says.
 */
export const judgeAnswer = (expects: DrillExpected, { status, error }: DrillAnswer): DrillVerdict => {
  const mustDo = must(expects);
  if (status === null) return failed(`Did not answer (${error ?? "no reason known"}); ${mustDo}.`);
  if (status === 200 && error !== null) return failed(`Answered 200, but not to the end (${error}); ${mustDo}.`);
  if (expects.answer === "acknowledge")
    return status === 200
      ? passed("Acknowledged it with 200, as it must.")
      : failed(`Answered ${status}; ${mustDo} and nothing else.`);
  if (status >= 400 && status < 500) return passed(`Refused it with ${status}, as it must.`);
  return failed(`${status === 200 ? "Accepted it" : `Answered ${status}, which is no refusal`}; ${mustDo}.`);
};

/** A drill is passed when every one of its requests is; otherwise the first that is not says why. */
export const judgeDrill = (
  drill: DrillName,
  answers: readonly (DrillAnswer & { readonly what: string })[],
): DrillVerdict => {
  const judged = answers.map((answer) => ({ what: answer.what, ...judgeAnswer(drills[drill].expects, answer) }));
  const wrong = judged.find(({ verdict }) => verdict === "failed");
  const [only, second] = judged;
  if (!only) return failed("Nothing was sent.");
  if (!second) return { verdict: only.verdict, sentence: only.sentence };
  if (wrong) return failed(`To ${wrong.what}: ${wrong.sentence.charAt(0).toLowerCase()}${wrong.sentence.slice(1)}`);
  const unseen = unseenBy(drill);
  return passed(`Acknowledged both of them with 200, as it must${unseen === null ? "." : `; ${unseen}.`}`);
};
