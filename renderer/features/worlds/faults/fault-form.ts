import type { faultsSet } from "../../../../sandbox/contract/control/fault-operations.ts";
import type { Fault, FaultKind, FaultTarget, FaultTiming } from "../../../../sandbox/contract/control/fault-rows.ts";
import type { EventType } from "../../../../sandbox/contract/event-types.ts";
import type { RequestOf } from "../../../../sandbox/contract/operation.ts";
import { parseSpan } from "../../../lib/spans.ts";

/** A fault as it is asked for, of the window's world. */
export type AskedFault = Omit<RequestOf<typeof faultsSet>, "world">;
type Calls = NonNullable<AskedFault["calls"]>;

export type Which = "all" | "nth" | "first" | "every" | "lot";

/** What the form holds. A number that is not there yet is null. */
export interface FaultForm {
  readonly about: FaultTarget;
  readonly operation: string | null;
  readonly event_type: EventType | null;
  readonly integration_id: string | null;
  readonly which: Which;
  readonly number: number | null;
  readonly percent: number | null;
  readonly seed: number | null;
  readonly kind: FaultKind;
  readonly when: FaultTiming;
  /** A code of the contract; null: a status alone. */
  readonly code: string | null;
  readonly status: number | null;
  readonly seconds: number | null;
  readonly bytes: number | null;
  readonly limit: number | null;
  readonly window: number | null;
  readonly uses: number | null;
  /** As a person writes a span; empty: no end. */
  readonly lasts: string;
  readonly name: string;
}

export const newFault: FaultForm = {
  ...{ about: "calls", operation: null, event_type: null, integration_id: null },
  ...{ which: "all", number: 1, percent: 20, seed: 1 },
  ...{ kind: "error", when: "before", code: "internal_error", status: 503 },
  ...{ seconds: 5, bytes: null, limit: 10, window: 60, uses: 1, lasts: "", name: "" },
};

/** What attempts can meet, and calls. */
export const kindsFor: Readonly<Record<FaultTarget, readonly FaultKind[]>> = {
  calls: ["error", "delay", "drop", "hang", "truncate", "rate_limit"],
  attempts: ["error", "delay", "drop"],
};

/** Whether it can come after the work as well as before it. */
export const hasTiming = ({ about, kind }: FaultForm): boolean =>
  kind === "error" || kind === "drop" || (about === "calls" && (kind === "delay" || kind === "hang"));

/** Calls and attempts do not meet the same. */
export const aboutOther = (form: FaultForm, about: FaultTarget): FaultForm => ({
  ...form,
  about,
  kind: kindsFor[about].includes(form.kind) ? form.kind : "error",
});

const callsOf = ({ which, number, percent, seed }: FaultForm): Calls | undefined | null => {
  if (which === "all") return undefined;
  if (which === "lot")
    return percent === null ? null : { probability: percent / 100, ...(seed === null ? {} : { seed }) };
  if (number === null) return null;
  if (which === "nth") return { nth: number };
  return which === "first" ? { first: number } : { every: number };
};

const effectOf = (form: FaultForm): AskedFault["effect"] | null => {
  const { kind, code, status, seconds, bytes, limit, window } = form;
  const when = hasTiming(form) && form.when === "after" ? { when: form.when } : {};
  switch (kind) {
    case "error":
      if (form.about === "calls" && code !== null) return { error: { code, ...when } };
      return status === null ? null : { error: { status, ...when } };
    case "delay":
      return seconds === null ? null : { delay: { ms: Math.round(seconds * 1_000), ...when } };
    case "drop":
      return { drop: when };
    case "hang":
      return { hang: when };
    case "truncate":
      return { truncate: bytes === null ? {} : { bytes } };
    case "rate_limit":
      return limit === null || window === null ? null : { rate_limit: { limit, window_seconds: window } };
  }
};

/** The fault the form asks for; null while something is missing that only the person knows. */
export const askedIn = (form: FaultForm): AskedFault | null => {
  const effect = effectOf(form);
  const calls = form.kind === "rate_limit" ? undefined : callsOf(form);
  const lasts = form.lasts.trim() === "" ? undefined : parseSpan(form.lasts);
  if (effect === null || calls === null || lasts === null) return null;
  const target =
    form.about === "attempts"
      ? { about: form.about, ...(form.event_type === null ? {} : { event_type: form.event_type }) }
      : form.operation === null
        ? {}
        : { operation: form.operation };
  return {
    ...target,
    ...(form.name.trim() === "" ? {} : { name: form.name.trim() }),
    ...(form.integration_id === null ? {} : { integration_id: form.integration_id }),
    ...(calls === undefined ? {} : { calls }),
    effect,
    ...(form.uses === null ? {} : { uses: form.uses }),
    ...(lasts === undefined ? {} : { for_seconds: lasts }),
  };
};

/** A fault that is over, asked for again as it was. */
export const askedAgain = (fault: Fault): AskedFault => {
  const { id, name, about, operation, event_type, integration_id, calls, effect, uses, armed_at, expires_at } = fault;
  return {
    ...{ id, about, effect },
    ...(about === "calls" ? { operation } : {}),
    ...(event_type === null ? {} : { event_type }),
    ...(name === null ? {} : { name }),
    ...(integration_id === null ? {} : { integration_id }),
    ...(calls === null ? {} : { calls }),
    ...(uses === null ? {} : { uses }),
    ...(expires_at === null
      ? {}
      : { for_seconds: Math.max(1, Math.round((Date.parse(expires_at) - Date.parse(armed_at)) / 1_000)) }),
  };
};
