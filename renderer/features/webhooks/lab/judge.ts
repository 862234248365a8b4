import { SIGNATURE_HEADER, type VerificationStep, verificationSteps } from "../../../../sandbox/contract/signature.ts";
import { formatSpan } from "../../../lib/formatting.ts";
import type { Explained } from "./explain-signature.ts";
import { isRight } from "./explain-signature.ts";
import type { PastedHeader } from "./pasted-header.ts";
import { isWithinWindow, type Stamp } from "./stamp.ts";

export interface StepVerdict {
  readonly step: VerificationStep;
  readonly verdict: "passed" | "failed" | "skipped";
  readonly detail: string;
}

interface Judged {
  /** Null: it cannot be told. */
  readonly ok: boolean | null;
  readonly detail: string;
}

const apartWords = (ms: number): string => {
  const apart = Math.abs(ms);
  if (apart < 1_000) return `${Math.round(apart)} ms apart`;
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
 * not reached, as for any consumer; what it would find is said all the same.
 *
 * @param explained null where there is nothing to check with: no signature, no secret, or a page that may not compute
 * @param now the moment it is judged at, milliseconds since 1970
 */
export const judge = (
  header: PastedHeader,
  explained: Explained | null,
  stamp: Stamp,
  now: number,
): readonly StepVerdict[] => {
  const steps: Record<VerificationStep, Judged> = {
    header_present:
      header.kind === "found"
        ? { ok: true, detail: "present" }
        : { ok: false, detail: header.kind === "misnamed" ? `not under ${SIGNATURE_HEADER}` : "the header is missing" },
    signature_matches:
      explained === null
        ? { ok: null, detail: "nothing to compare with" }
        : explained.match !== null && isRight(explained.match)
          ? { ok: true, detail: "equal, 32 bytes" }
          : { ok: false, detail: "differs from the HMAC of these bytes" },
    timestamp_parses:
      stamp.kind === "time" ? { ok: true, detail: "is a time" } : { ok: false, detail: stampWords[stamp.kind] },
    within_window:
      stamp.kind === "time"
        ? { ok: isWithinWindow(stamp.at, now), detail: apartWords(now - stamp.at) }
        : { ok: false, detail: "no time to compare" },
  };
  let reached = true;
  return verificationSteps.map((step): StepVerdict => {
    const { ok, detail } = steps[step];
    if (!reached) {
      const would = ok === null ? detail : `${ok ? "would pass" : "would fail"}: ${detail}`;
      return { step, verdict: "skipped", detail: `not reached; ${would}` };
    }
    reached = ok === true;
    return { step, verdict: ok === null ? "skipped" : ok ? "passed" : "failed", detail };
  });
};
