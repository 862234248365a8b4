import { createHash } from "node:crypto";
import type { DrillExpected, DrillRow } from "../contract/control/receiver-operations.ts";
import type { DrillName } from "../contract/drill-names.ts";
import { drills, sendsRepeat, unverifiablePart } from "../contract/drills.ts";
import type { Envelope } from "../contract/events.ts";
import { readField, tryParseJson } from "../rules/json/untyped.ts";
import { createEnvelope, type NotifiedEvent, notificationHeaders } from "../rules/webhooks/notification.ts";
import { keyPrefixes } from "../secrets/keys.ts";
import { signBody } from "../secrets/webhook-signature.ts";

/**
 * Offset of a drill's stale timestamp: a minute beyond the replay window, so that slow responses don't change the
 * result.
 */
export const OFF_STAMP_MS = 6 * 60_000;
/** Simultaneous notifications: more than a receiver that takes a second for each can acknowledge in time. */
const BURST_COUNT = 20;
/** Includes half an hour, to detect receivers that read only the hours. */
const OFFSET_MS = 5.5 * 60 * 60_000;

/** Source of a drill: a delivery's notification. */
export interface DrillSubject {
  readonly message_id: string;
  readonly integration_id: string;
  readonly secret: string;
  /** Secret of another integration, which this receiver may also know. */
  readonly foreignSecret: string;
  readonly event: NotifiedEvent;
}

/** One request of a drill. */
export interface DrillRequest {
  /** Short description of the request within its drill. */
  readonly what: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const bytes = (envelope: Partial<Envelope> | Record<string, unknown>): Buffer =>
  Buffer.from(JSON.stringify(envelope), "utf8");

const signRequest = (what: string, body: Buffer, secret: string): DrillRequest => ({
  what,
  headers: notificationHeaders(body, signBody(body, secret)),
  body,
});

/** A well-formed secret that differs from this one. */
export const otherSecret = (secret: string): string =>
  keyPrefixes.webhookSecret + createHash("sha256").update(`not ${secret}`).digest("base64url");

/**
 * Flips one bit in the last character of the job's ID. The body stays valid JSON of the same integration, so only the
 * signature reveals it.
 */
const flip = (body: Buffer, jobId: string): Buffer => {
  const flipped = Buffer.from(body);
  const at = flipped.lastIndexOf(jobId) + Buffer.byteLength(jobId) - 1;
  flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
  return flipped;
};

/** Serializes the same JSON differently: reversed keys, indentation and an unneeded escape. */
const reserialise = (envelope: Envelope): Buffer => {
  const text = JSON.stringify(Object.fromEntries(Object.entries(envelope).toReversed()), null, 2);
  return Buffer.from(text.replace(envelope.event_type, envelope.event_type.replace(".", "\\u002e")), "utf8");
};

const withOffset = (at: number): string => `${new Date(at + OFFSET_MS).toISOString().slice(0, -1)}+05:30`;
const withoutMilliseconds = (at: number): string => new Date(at).toISOString().replace(/\.\d+/, "");

/** Drills whose requests are simultaneous; others are sequential. */
const together: readonly DrillName[] = ["same_moment", "twenty_at_once"];
export const isSentTogether = (drill: DrillName): boolean => together.includes(drill);

type Make = (subject: DrillSubject, now: number, newId: () => string) => readonly DrillRequest[];

/** Uses a new message ID, because receivers acknowledge known ones without further checks. */
const createFreshEnvelope = (subject: DrillSubject, now: number, newId: () => string): Envelope =>
  createEnvelope(subject.event, { ...subject, message_id: newId() }, now);

const make: Record<DrillName, Make> = {
  duplicate: (subject, now) => {
    const body = bytes(createEnvelope(subject.event, subject, now));
    return [signRequest("the notification", body, subject.secret), signRequest("the same again", body, subject.secret)];
  },
  // New to the receiver, so that it must store one of the two.
  same_moment: (subject, now, newId) => {
    const body = bytes(createFreshEnvelope(subject, now, newId));
    return [signRequest("the notification", body, subject.secret), signRequest("its copy", body, subject.secret)];
  },
  reordered: (subject, now, newId) => {
    const one = (what: string, event: NotifiedEvent) =>
      signRequest(what, bytes(createFreshEnvelope({ ...subject, event }, now, newId)), subject.secret);
    const older = { ...subject.event, event_timestamp: subject.event.event_timestamp - 1_000 };
    return [one("the newer event", subject.event), one("the older event, after it", older)];
  },
  printed_differently: (subject, now, newId) => [
    signRequest(
      "the notification as it is usually printed",
      bytes(createFreshEnvelope(subject, now, newId)),
      subject.secret,
    ),
    signRequest("one printed differently", reserialise(createFreshEnvelope(subject, now, newId)), subject.secret),
  ],
  timestamp_forms: (subject, now, newId) => {
    const one = (what: string, webhook_timestamp: string) =>
      signRequest(what, bytes({ ...createFreshEnvelope(subject, now, newId), webhook_timestamp }), subject.secret);
    return [
      one("the notification with the usual timestamp", new Date(now).toISOString()),
      one("a timestamp with an offset", withOffset(now)),
      one("a timestamp without milliseconds", withoutMilliseconds(now)),
    ];
  },
  twenty_at_once: (subject, now, newId) =>
    Array.from({ length: BURST_COUNT }, (_, index) =>
      signRequest(`notification ${index + 1}`, bytes(createFreshEnvelope(subject, now, newId)), subject.secret),
    ),
  missing_signature: (subject, now) => {
    const body = bytes(createEnvelope(subject.event, subject, now));
    return [{ what: "without a signature", headers: notificationHeaders(body, null), body }];
  },
  flipped_byte: (subject, now) => {
    const body = bytes(createEnvelope(subject.event, subject, now));
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
    signRequest("another secret", bytes(createEnvelope(subject.event, subject, now)), otherSecret(subject.secret)),
  ],
  other_integration: (subject, now) => {
    const body = bytes(createEnvelope(subject.event, subject, now));
    return [
      signRequest("an unknown secret", body, otherSecret(subject.secret)),
      signRequest("the secret of another integration", body, subject.foreignSecret),
    ];
  },
  missing_timestamp: (subject, now) => {
    const { webhook_timestamp: _left, ...rest } = createEnvelope(subject.event, subject, now);
    return [signRequest("without a timestamp", bytes(rest), subject.secret)];
  },
  malformed_timestamp: (subject, now) => [
    signRequest(
      "a timestamp that isn’t a time",
      bytes({ ...createEnvelope(subject.event, subject, now), webhook_timestamp: "not a time" }),
      subject.secret,
    ),
  ],
  stale: (subject, now) => {
    const stampedAt = now - OFF_STAMP_MS;
    // Not sent before the event itself, as in a recorded notification.
    const event = { ...subject.event, event_timestamp: Math.min(subject.event.event_timestamp, stampedAt) };
    return [signRequest("six minutes old", bytes(createEnvelope(event, subject, stampedAt)), subject.secret)];
  },
  future: (subject, now) => [
    signRequest("six minutes ahead", bytes(createEnvelope(subject.event, subject, now + OFF_STAMP_MS)), subject.secret),
  ],
};

/**
 * Requests of a drill, in order. The duplicate and the invalid ones keep the delivery's `message_id`, like a recorded
 * notification: a receiver that checks for repeats before it verifies accepts them.
 *
 * @param now real time, milliseconds since 1970 (D84)
 * @param newId creates a message ID
 */
export const createDrillRequests = (
  drill: DrillName,
  subject: DrillSubject,
  now: number,
  newId: () => string,
): readonly DrillRequest[] => make[drill](subject, now, newId);

/** A receiver's response; `error` explains a missing or incomplete one. */
interface DrillAnswer {
  readonly status: number | null;
  readonly error: string | null;
}

/** A response with its request, and its body if it acknowledged. */
interface NamedResponse extends DrillAnswer {
  readonly what: string;
  readonly body: string;
}

type DrillVerdict = Pick<DrillRow, "verdict" | "sentence" | "deduplicates">;

const must = (expects: DrillExpected): string =>
  expects.answer === "acknowledge"
    ? "only 200 acknowledges a notification"
    : `must refuse it with ${expects.status} or another 4xx (${expects.reason})`;

const passed = (sentence: string): DrillVerdict => ({ verdict: "passed", sentence });
const failed = (sentence: string): DrillVerdict => ({ verdict: "failed", sentence });

/**
 * Evaluates one response. An incomplete 200 neither acknowledges nor refuses (D72). Only the status makes a refusal.
 */
export const evaluateDrillResponse = (expects: DrillExpected, { status, error }: DrillAnswer): DrillVerdict => {
  const mustDo = must(expects);
  if (status === null) return failed(`Didn’t respond (${error ?? "no reason known"}); ${mustDo}.`);
  if (status === 200 && error !== null)
    return failed(`Returned 200, but not the whole response (${error}); ${mustDo}.`);
  if (expects.answer === "acknowledge")
    return status === 200
      ? passed("Acknowledged it with 200.")
      : failed(`Returned ${status}. Only 200 acknowledges a notification.`);
  if (status >= 400 && status < 500) return passed(`Refused it with ${status}.`);
  return failed(`${status === 200 ? "Accepted it" : `Returned ${status}, which is not a refusal`}; ${mustDo}.`);
};

/**
 * Checks whether the responses to a repeated message report deduplication, as the sandbox's receivers do with
 * `deduped`. Absent if one doesn't say.
 */
const readDeduplication = (responses: readonly NamedResponse[]): Pick<DrillRow, "deduplicates"> => {
  const reported = responses.map(({ body }) => readField(tryParseJson(body), "deduped"));
  return reported.every((one) => typeof one === "boolean") ? { deduplicates: reported.includes(true) } : {};
};

const allOf = (count: number): string => (count === 2 ? "both" : `all ${count}`);

const allPassed = (drill: DrillName, responses: readonly NamedResponse[]): DrillVerdict => {
  const all = allOf(responses.length);
  if (drills[drill].expects.answer === "refuse") {
    const statuses = [...new Set(responses.map(({ status }) => status))].join(" and ");
    return passed(`Refused ${all} of them with ${statuses}.`);
  }
  const acknowledged = `Acknowledged ${all} of them with 200`;
  if (!sendsRepeat(drill)) return passed(`${acknowledged}.`);
  const found = readDeduplication(responses);
  if (found.deduplicates === false)
    return {
      ...failed(`${acknowledged}, but its responses say deduped: false. It must not process a repeat again.`),
      ...found,
    };
  const unseen = unverifiablePart({ drill, verdict: "passed", ...found });
  return { ...passed(`${acknowledged}; ${unseen ?? "its responses say that it deduplicates"}.`), ...found };
};

/**
 * Evaluates a drill: passed if every request passed, else the first failure is reported. Names the mistake if another
 * response of the same drill rules out other causes.
 */
export const evaluateDrill = (drill: DrillName, responses: readonly NamedResponse[]): DrillVerdict => {
  const { expects, mistake } = drills[drill];
  const verdicts = responses.map((response) => ({ what: response.what, ...evaluateDrillResponse(expects, response) }));
  const wrong = verdicts.filter(({ verdict }) => verdict === "failed");
  const [only, second] = verdicts;
  const [first] = wrong;
  if (!only) return failed("Nothing was sent.");
  if (!second) return { verdict: only.verdict, sentence: only.sentence };
  if (!first) return allPassed(drill, responses);
  const some = wrong.length > 2 ? `${wrong.length} of ${verdicts.length} failed. ` : "";
  const named = mistake !== undefined && wrong.length < verdicts.length ? ` ${mistake}` : "";
  return failed(`${some}To ${first.what}: ${first.sentence.charAt(0).toLowerCase()}${first.sentence.slice(1)}${named}`);
};
