import type { Verdict } from "../../../../sandbox/contract/control/rows.ts";
import {
  REPLAY_WINDOW_MS,
  SIGNATURE_HEADER,
  type VerificationStep,
  verificationSteps,
} from "../../../../sandbox/contract/signature.ts";
import { jsonOf } from "../../../lib/bytes.ts";
import { fieldIn } from "../../../lib/field-in.ts";
import { formatSpan } from "../../../lib/formatting.ts";
import { type Explained, isRight } from "./explain-signature.ts";

/** The signature in what was pasted as a header: the value alone, one line, or all headers of a request. */
export type PastedHeader =
  | { readonly kind: "none" }
  /** Under the contract's name, or a value without a name. */
  | { readonly kind: "found"; readonly value: string }
  /** Under another name: a receiver that looks for the right one does not see it. */
  | { readonly kind: "misnamed"; readonly name: string; readonly value: string }
  /** Headers, and none of them looks like a signature. */
  | { readonly kind: "others"; readonly names: readonly string[] };

/** A header as HTTP writes it, also within `-H '…'` of a cURL command or as a field of JSON. */
const LINE = /^\s*(?:-H\s+)?["']?([A-Za-z0-9!#$%&*+.^_`|~-]+)["']?\s*:\s*(.*?)\s*\\?\s*$/;

const unquoted = (value: string): string => value.replace(/^["'](.*?)["']?,?$/, "$1").replace(/["'],?$/, "");

/** Whether it may be a signature by its look: long, and nothing but the characters of hex or base64. */
const looksSigned = (value: string): boolean => /^(\w+=)?[A-Za-z0-9+/_-]{32,}={0,2}$/.test(value);

const isSignatureName = (name: string): boolean => /hmac|signature|sign\b|digest/i.test(name);

export const readHeader = (pasted: string): PastedHeader => {
  const text = pasted.trim();
  if (text === "") return { kind: "none" };
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const match = LINE.exec(line);
    return match ? [{ name: match[1] ?? "", value: unquoted(match[2] ?? "") }] : [];
  });
  if (lines.length === 0) return { kind: "found", value: text };
  const right = lines.find(({ name }) => name.toLowerCase() === SIGNATURE_HEADER);
  if (right) return right.value === "" ? { kind: "none" } : { kind: "found", value: right.value };
  const other =
    lines.find(({ name, value }) => isSignatureName(name) && value !== "") ??
    lines.find(({ name, value }) => name.toLowerCase() !== "authorization" && looksSigned(value));
  return other
    ? { kind: "misnamed", name: other.name, value: other.value }
    : { kind: "others", names: lines.map(({ name }) => name.toLowerCase()) };
};

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
const nearName = (envelope: unknown): string | null =>
  Object.keys(envelope ?? {}).find((name) => /^webhook[-_ ]?(time|timestamp|date)$/i.test(name)) ?? null;

/** Reads `webhook_timestamp`, and where it is no time says what it is instead. */
export const readStamp = (body: Uint8Array): Stamp => {
  const parsed = jsonOf(body);
  const value = fieldIn(parsed, "webhook_timestamp");
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

/** Whether a step passes, and what it finds; null: it cannot be told. */
type Judged = readonly [ok: boolean | null, detail: string];

const apartWords = (ms: number): string => {
  const apart = Math.abs(ms);
  if (apart < 1_000) return `${Math.round(apart)} ms difference`;
  return `${apart < 60_000 ? `${(apart / 1_000).toFixed(1)} s` : formatSpan(apart)} ${ms > 0 ? "old" : "ahead"}`;
};

const stampWords: Readonly<Record<Exclude<Stamp["kind"], "time">, string>> = {
  missing: "missing",
  number: "a number, not a time",
  without_zone: "has no zone",
  no_time: "not a time",
};

/**
 * The four steps of the contract's verification order ("Signature"), one verdict each. A step behind one that failed is
 * not reached, as for any receiver; what it would find is said all the same.
 *
 * @param explained null where there is nothing to check with: no signature, no secret, or a page that may not compute
 * @param now the moment it is judged at, milliseconds since 1970
 */
export const judge = (header: PastedHeader, explained: Explained | null, stamp: Stamp, now: number): Verdict[] => {
  const steps: Record<VerificationStep, Judged> = {
    header_present:
      header.kind === "found"
        ? [true, "present"]
        : [false, header.kind === "misnamed" ? `not under ${SIGNATURE_HEADER}` : "the header is missing"],
    signature_matches:
      explained === null
        ? [null, "nothing to compare with"]
        : explained.match !== null && isRight(explained.match)
          ? [true, "equal, 32 bytes"]
          : [false, "differs from the HMAC of these bytes"],
    timestamp_parses: stamp.kind === "time" ? [true, "valid"] : [false, stampWords[stamp.kind]],
    within_window:
      stamp.kind === "time"
        ? [isWithinWindow(stamp.at, now), apartWords(now - stamp.at)]
        : [false, "no time to compare"],
  };
  let reached = true;
  return verificationSteps.map((step) => {
    const [ok, detail] = steps[step];
    if (!reached) {
      const would = ok === null ? detail : `${ok ? "would pass" : "would fail"}: ${detail}`;
      return { step, verdict: "skipped", detail: `not reached; ${would}` };
    }
    reached = ok === true;
    return { step, verdict: ok === null ? "skipped" : ok ? "passed" : "failed", detail };
  });
};
