import type { Verdict } from "../../../../sandbox/contract/control/rows.ts";
import {
  REPLAY_WINDOW_MS,
  SIGNATURE_HEADER,
  type VerificationStep,
  verificationSteps,
} from "../../../../sandbox/contract/signature.ts";
import { parseJsonBytes } from "../../../lib/bytes.ts";
import { fieldIn } from "../../../lib/field-in.ts";
import { formatSpan } from "../../../lib/formatting.ts";
import { type Explained, followsContract } from "./explain-signature.ts";

/** The signature in a pasted header: the value alone, one line, or all headers of a request. */
export type PastedHeader =
  | { readonly kind: "none" }
  /** Under the contract's name, or without a name. */
  | { readonly kind: "found"; readonly value: string }
  /** Under another name, which a correct receiver would not find. */
  | { readonly kind: "misnamed"; readonly name: string; readonly value: string };

/** An HTTP header line. */
const LINE = /^\s*([A-Za-z0-9!#$%&*+.^_`|~-]+)\s*:\s*(.*?)\s*$/;

export const readHeader = (pasted: string): PastedHeader => {
  const text = pasted.trim();
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = LINE.exec(line) ?? [];
    return name === undefined || !value ? [] : [{ name, value }];
  });
  const right = lines.find(({ name }) => name.toLowerCase() === SIGNATURE_HEADER);
  if (right) return { kind: "found", value: right.value };
  const other = lines.find(({ name }) => /hmac|signature/i.test(name));
  if (other) return { kind: "misnamed", ...other };
  return text === "" || text.includes(":") ? { kind: "none" } : { kind: "found", value: text };
};

export type Stamp =
  | { readonly kind: "time"; readonly at: number }
  | { readonly kind: "missing" }
  | { readonly kind: "no_time"; readonly text: string };

/** Contract, "Signature": a string that parses as a time, with date, time of day and zone. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;

export const parseStamp = (value: unknown): number | null => {
  if (typeof value !== "string" || !ISO_TIME.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
};

export const readStamp = (body: Uint8Array): Stamp => {
  const value = fieldIn(parseJsonBytes(body), "webhook_timestamp");
  if (value === undefined) return { kind: "missing" };
  const at = parseStamp(value);
  return at === null ? { kind: "no_time", text: String(value) } : { kind: "time", at };
};

/** Contract, "Delivery rules" 4. */
export const isWithinWindow = (at: number, now: number): boolean => Math.abs(now - at) <= REPLAY_WINDOW_MS;

/** True if a step passes, with details; null: undecidable. */
type StepResult = readonly [ok: boolean | null, detail: string];

const differenceText = (ms: number): string => {
  const apart = Math.abs(ms);
  if (apart < 1_000) return `${Math.round(apart)} ms difference`;
  return `${apart < 60_000 ? `${(apart / 1_000).toFixed(1)} s` : formatSpan(apart)} ${ms > 0 ? "old" : "ahead"}`;
};

/**
 * Evaluates the four steps in the contract's verification order ("Signature"). Like in any receiver, a failed step ends
 * the verification.
 * @param explained null when it cannot be computed: no signature, no secret, or an insecure page
 * @param now the time of verification, in milliseconds since 1970
 */
export const evaluateSteps = (
  header: PastedHeader,
  explained: Explained | null,
  stamp: Stamp,
  now: number,
): Verdict[] => {
  const steps: Record<VerificationStep, StepResult> = {
    header_present:
      header.kind === "found"
        ? [true, "present"]
        : [false, header.kind === "misnamed" ? `not under ${SIGNATURE_HEADER}` : "the header is missing"],
    signature_matches:
      explained === null
        ? [null, "nothing to compare with"]
        : explained.match !== null && followsContract(explained.match)
          ? [true, "equal, 32 bytes"]
          : [false, "differs from the HMAC of these bytes"],
    timestamp_parses:
      stamp.kind === "time" ? [true, "valid"] : [false, stamp.kind === "missing" ? "missing" : "not a time"],
    within_window:
      stamp.kind === "time"
        ? [isWithinWindow(stamp.at, now), differenceText(now - stamp.at)]
        : [false, "no time to compare"],
  };
  let reached = true;
  return verificationSteps.map((step) => {
    const [ok, detail] = steps[step];
    if (!reached) return { step, verdict: "skipped", detail: "not reached" };
    reached = ok === true;
    return { step, verdict: ok === null ? "skipped" : ok ? "passed" : "failed", detail };
  });
};
