import { REPLAY_WINDOW_MS } from "../../../../sandbox/contract/signature.ts";
import { jsonOf } from "../message/notification.ts";

/** What a stamp turned out to be. */
export type Stamp =
  | { readonly kind: "time"; readonly at: number; readonly text: string }
  | { readonly kind: "missing"; readonly near: string | null }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "without_zone"; readonly text: string }
  | { readonly kind: "no_time"; readonly text: string };

/** Contract, "Signature": a string that parses as a time; with its date, its time of day and its zone. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/;

export const parseStamp = (value: unknown): number | null => {
  if (typeof value !== "string" || !ISO_TIME.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
};

/** A field that is named almost like it. */
const nearName = (envelope: object): string | null =>
  Object.keys(envelope).find((name) => /^webhook[-_ ]?(time|timestamp|date)$/i.test(name)) ?? null;

/** Reads `webhook_timestamp`, and where it is no time says what it is instead. */
export const readStamp = (body: Uint8Array): Stamp => {
  const parsed = jsonOf(body);
  if (typeof parsed !== "object" || parsed === null) return { kind: "missing", near: null };
  const value: unknown = Object.hasOwn(parsed, "webhook_timestamp")
    ? Reflect.get(parsed, "webhook_timestamp")
    : undefined;
  if (value === undefined) return { kind: "missing", near: nearName(parsed) };
  if (typeof value === "number") return { kind: "number", value };
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const at = parseStamp(value);
  if (at !== null) return { kind: "time", at, text };
  return { kind: WITHOUT_ZONE.test(text) ? "without_zone" : "no_time", text };
};

/** Contract, "Delivery rules" 4. */
export const isWithinWindow = (at: number, now: number): boolean => Math.abs(now - at) <= REPLAY_WINDOW_MS;

/**
 * By how many half hours a stamp is off when it is off by little else: the mark of a zone that was lost or taken for
 * another. Null when it is not so, or by less than one.
 */
export const halfHoursOff = (at: number, now: number): number | null => {
  const half = 30 * 60_000;
  const count = Math.round((now - at) / half);
  const rest = Math.abs(now - at - count * half);
  return count !== 0 && Math.abs(count) <= 28 && rest <= REPLAY_WINDOW_MS ? count : null;
};
