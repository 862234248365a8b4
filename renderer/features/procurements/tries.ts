import type { Policies } from "../../../sandbox/contract/control/policies.ts";
import { type ErrorCode, errorCodes } from "../../../sandbox/contract/errors.ts";
import type { Origin } from "../../../sandbox/contract/operation.ts";
import type { ProcurementStatus } from "../../../sandbox/contract/resources/procurement.ts";
import type { KeyedCredential } from "../../app/acting.ts";

/** A confirm that will not move the procurement, which can be sent all the same to see what the service says. */
export interface TryStep {
  readonly id: "again" | "cancelled" | "buyer_key" | "other_supplier" | "no_key";
  readonly title: string;
  /** What the service should answer; code null for a success. */
  readonly expected: { readonly status: number; readonly code: ErrorCode | null };
  readonly because: string;
  readonly origin: { readonly of: Origin; readonly id?: string; readonly switchable?: boolean };
  /** With whose key; `none` sends no credentials, null when the sandbox holds none that would do. */
  readonly key: KeyedCredential | "none" | null;
  /** What is missing while `key` is null. */
  readonly missing?: string;
}

export interface TryContext {
  readonly status: ProcurementStatus;
  readonly supplierName: string;
  readonly supplierOrganizationId: string;
  readonly buyerOrganizationId: string;
  /** The key of the procurement's own supplier. */
  readonly own: KeyedCredential | null;
  readonly repairerKeys: readonly KeyedCredential[];
  readonly supplierKeys: readonly KeyedCredential[];
  readonly policies: Pick<Policies, "confirm_when_confirmed" | "confirm_when_cancelled">;
}

const refused = (code: ErrorCode) => ({ status: errorCodes[code].status, code });

const ownKey = ({ own, supplierName }: TryContext) =>
  own ? { key: own } : { key: null, missing: `Needs a key of ${supplierName}, which is not here.` };

const again = (context: TryContext): TryStep => {
  const ok = context.policies.confirm_when_confirmed === "ok";
  return {
    id: "again",
    title: `Confirm again as ${context.supplierName}`,
    ...ownKey(context),
    expected: ok ? { status: 200, code: null } : refused("unprocessable"),
    because: ok ? "the same state, no events" : "it is confirmed already",
    origin: { of: "assumption", id: "D50", switchable: true },
  };
};

const cancelled = (context: TryContext): TryStep => {
  const rejects = context.policies.confirm_when_cancelled === "reject";
  return {
    id: "cancelled",
    title: `Confirm it although cancelled`,
    ...ownKey(context),
    expected: refused(rejects ? "unprocessable" : "not_found"),
    because: rejects ? "cancelled stays cancelled" : "as if it were not there",
    origin: { of: "assumption", id: "D51", switchable: true },
  };
};

const buyerKey = ({ repairerKeys, buyerOrganizationId }: TryContext): TryStep => {
  const own = repairerKeys.find((key) => key.organization_id === buyerOrganizationId);
  const key = own ?? repairerKeys[0] ?? null;
  return {
    id: "buyer_key",
    title: own || !key ? "Confirm with the buyer’s key" : `Confirm with ${key.organization_name}’s key`,
    expected: refused("forbidden"),
    because: "wrong scope",
    origin: { of: "contract" },
    ...(key ? { key } : { key: null, missing: "Needs a key of scope repairer, which is not here." }),
  };
};

const otherSupplier = ({ supplierKeys, supplierOrganizationId }: TryContext): TryStep => {
  const key = supplierKeys.find((other) => other.organization_id !== supplierOrganizationId) ?? null;
  return {
    id: "other_supplier",
    title: key ? `Confirm as ${key.organization_name}` : "Confirm as another supplier",
    expected: refused("not_found"),
    because: "not theirs",
    origin: { of: "assumption", id: "D25" },
    ...(key ? { key } : { key: null, missing: "Needs a key of a second supplier; Install makes one." }),
  };
};

const noKey: TryStep = {
  id: "no_key",
  title: "Confirm without a key",
  expected: refused("unauthorized"),
  because: "no credential headers",
  origin: { of: "contract" },
  key: "none",
};

/** Every confirm that does not move a procurement in this state, the most telling first. */
export const triesFor = (context: TryContext): TryStep[] => [
  ...(context.status === "order_confirmed" ? [again(context)] : []),
  ...(context.status === "cancelled" ? [cancelled(context)] : []),
  buyerKey(context),
  otherSupplier(context),
  noKey,
];

/** Whether an answer is what was expected of the step. */
export const asExpected = ({ expected }: TryStep, status: number, code: string | null): boolean =>
  status === expected.status && code === expected.code;
