import type {
  Fault,
  FaultKind,
  FaultTiming,
  faultsSet,
} from "../../../../sandbox/contract/control/fault-operations.ts";
import type { RequestOf } from "../../../../sandbox/contract/operation.ts";
import { parseSpan } from "../clock/spans.ts";

export type FaultRequest = Omit<RequestOf<typeof faultsSet>, "world">;

/** The form's values. Missing numbers are null. */
export interface FaultForm {
  readonly operation: string | null;
  readonly integration_id: string | null;
  /** Null: every call. */
  readonly nth: number | null;
  readonly kind: FaultKind;
  readonly when: FaultTiming;
  /** A code of the contract; null: only a status. */
  readonly code: string | null;
  readonly status: number | null;
  readonly seconds: number | null;
  readonly limit: number | null;
  readonly window: number | null;
  readonly uses: number | null;
  /** A typed span; empty: no end. */
  readonly lasts: string;
  readonly name: string;
}

export const newFault: FaultForm = {
  ...{ operation: null, integration_id: null, nth: null },
  ...{ kind: "error", when: "before", code: "internal_error", status: 503 },
  ...{ seconds: 5, limit: 10, window: 60, uses: 1, lasts: "", name: "" },
};

const faultEffect = (form: FaultForm): FaultRequest["effect"] | null => {
  const { kind, code, status, seconds, limit, window } = form;
  const when = form.when === "after" ? { when: form.when } : {};
  switch (kind) {
    case "error":
      if (code !== null) return { error: { code, ...when } };
      return status === null ? null : { error: { status, ...when } };
    case "delay":
      return seconds === null ? null : { delay: { ms: Math.round(seconds * 1_000), ...when } };
    case "drop":
      return { drop: when };
    case "hang":
      return { hang: when };
    case "rate_limit":
      return limit === null || window === null ? null : { rate_limit: { limit, window_seconds: window } };
  }
};

/** Converts the form to a request; null while a required value is missing. */
export const toFaultRequest = (form: FaultForm): FaultRequest | null => {
  const effect = faultEffect(form);
  const { kind, nth, operation, integration_id, uses } = form;
  const lasts = form.lasts.trim() === "" ? undefined : parseSpan(form.lasts);
  if (effect === null || lasts === null) return null;
  return {
    ...(operation === null ? {} : { operation }),
    ...(form.name.trim() === "" ? {} : { name: form.name.trim() }),
    ...(integration_id === null ? {} : { integration_id }),
    ...(nth === null || kind === "rate_limit" ? {} : { calls: { nth } }),
    effect,
    ...(uses === null ? {} : { uses }),
    ...(lasts === undefined ? {} : { for_seconds: lasts }),
  };
};

/** Converts a past fault to a request. */
export const repeatFault = (fault: Fault): FaultRequest => {
  const { name, operation, integration_id, calls, effect, uses, armed_at, expires_at } = fault;
  return {
    ...{ operation, effect },
    ...(name === null ? {} : { name }),
    ...(integration_id === null ? {} : { integration_id }),
    ...(calls === null ? {} : { calls }),
    ...(uses === null ? {} : { uses }),
    ...(expires_at === null
      ? {}
      : { for_seconds: Math.max(1, Math.round((Date.parse(expires_at) - Date.parse(armed_at)) / 1_000)) }),
  };
};
