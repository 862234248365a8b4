import { createHmac, timingSafeEqual } from "node:crypto";
import type { Verdict } from "../contract/control/rows.ts";
import {
  REPLAY_WINDOW_MS,
  type RejectReason,
  type VerificationStep,
  verificationSteps,
} from "../contract/signature.ts";
import { readField, tryParseJson } from "../rules/json/untyped.ts";
import { describeComputation, describeForm } from "./signature-mistakes.ts";

/** Contract, "Signature": base64 of HMAC-SHA256 over the exact body bytes, keyed with the webhook secret. */
export const signBody = (body: Uint8Array, secret: string | Buffer): string =>
  createHmac("sha256", secret).update(body).digest("base64");

interface Verification {
  /** Null when all four steps passed. */
  readonly reason: RejectReason | null;
  readonly steps: readonly Verdict[];
}

const reasonByStep: Record<VerificationStep, RejectReason> = {
  header_present: "missing_signature",
  signature_matches: "bad_signature",
  timestamp_parses: "missing_timestamp",
  within_window: "stale_timestamp",
};

interface StepResult {
  readonly ok: boolean;
  readonly detail: string;
}

/** The local time, and its offset. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Parses an ISO 8601 date-time to milliseconds since 1970; null if invalid. Defaults to UTC. Accepts lower-case
 * letters, as RFC 3339 does.
 */
export const parseStamp = (value: unknown): number | null => {
  const found = typeof value === "string" ? ISO_TIME.exec(value) : null;
  if (found === null) return null;
  const [, local = "", offset = "Z"] = found;
  const time = Date.parse(local + offset);
  return Number.isNaN(time) ? null : time;
};

const HMAC_BYTES = 32;

const checkSignature = (header: string, body: Uint8Array, secret: string | null): StepResult => {
  const form = describeForm(header);
  if (form) return { ok: false, detail: form };
  const received = Buffer.from(header, "base64");
  if (received.toString("base64") !== header) return { ok: false, detail: "the header is not base64" };
  if (received.length !== HMAC_BYTES) return { ok: false, detail: `${received.length} bytes, not ${HMAC_BYTES}` };
  if (secret === null)
    return { ok: false, detail: "the integration_id in the body is unknown, so there is no secret to check with" };
  if (timingSafeEqual(received, Buffer.from(signBody(body, secret), "base64")))
    return { ok: true, detail: `equal, ${HMAC_BYTES} bytes` };
  return {
    ok: false,
    detail:
      describeComputation(header, body, secret, signBody) ??
      "differs from the HMAC of these bytes with this integration’s secret",
  };
};

const readTimestamp = (body: Uint8Array): unknown =>
  readField(tryParseJson(Buffer.from(body).toString("utf8")), "webhook_timestamp");

/** Describes a timestamp that doesn't parse. */
const describeStamp = (stamp: unknown): string => {
  if (stamp === undefined) return "missing";
  return typeof stamp === "string" ? "not an ISO 8601 time" : "not a text";
};

const HOUR_MS = 3_600_000;
/** Time zones differ from UTC by quarters of an hour, up to 14 hours. @param apart more than the window of a valid time */
const describeZone = (apart: number): string => {
  const nearest = (Math.round((apart * 4) / HOUR_MS) * HOUR_MS) / 4;
  const isZone = nearest <= 14 * HOUR_MS && Math.abs(apart - nearest) < 60_000;
  return isZone ? `, about ${nearest / HOUR_MS} h: a local time may have been sent as UTC` : "";
};

const describeDifference = (ms: number): string => {
  const apart = Math.abs(ms);
  if (apart < 1_000) return `${Math.round(apart)} ms difference`;
  return `${(apart / 1_000).toFixed(1)} s ${ms > 0 ? "old" : "ahead"}`;
};

/**
 * Verifies a notification in the contract's order ("Signature"): header present, signature over the raw bytes (constant
 * time), `webhook_timestamp` parses, 5-minute window either side of `now`.
 *
 * @param secret of the body's integration; null if unknown, which fails as `bad_signature`
 */
export const verifyNotification = (input: {
  readonly body: Uint8Array;
  readonly header: string | null;
  readonly secret: string | null;
  readonly now: number;
}): Verification => {
  const { body, header, secret, now } = input;
  const checkSteps: Record<VerificationStep, () => StepResult> = {
    header_present: () => ({ ok: Boolean(header), detail: header ? "present" : "the header is missing" }),
    signature_matches: () => checkSignature(header ?? "", body, secret),
    timestamp_parses: () => {
      const stamp = readTimestamp(body);
      const ok = parseStamp(stamp) !== null;
      return { ok, detail: ok ? "valid" : describeStamp(stamp) };
    },
    within_window: () => {
      const stamp = readTimestamp(body);
      const apart = now - (parseStamp(stamp) ?? 0);
      const ok = Math.abs(apart) <= REPLAY_WINDOW_MS;
      const hasOffset = Boolean(ISO_TIME.exec(String(stamp))?.[2]);
      const readAs = hasOffset ? describeZone(Math.abs(apart)) : ", read as UTC because it has no offset";
      return { ok, detail: describeDifference(apart) + (ok ? "" : readAs) };
    },
  };
  let reason: RejectReason | null = null;
  const steps = verificationSteps.map((step): Verdict => {
    if (reason) return { step, verdict: "skipped", detail: "not reached" };
    const { ok, detail } = checkSteps[step]();
    if (!ok) reason = reasonByStep[step];
    return { step, verdict: ok ? "passed" : "failed", detail };
  });
  return { reason, steps };
};
