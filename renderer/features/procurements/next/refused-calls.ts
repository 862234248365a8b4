import type { Policies } from "../../../../sandbox/contract/control/policies.ts";
import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import { type ErrorCode, errorCodes } from "../../../../sandbox/contract/errors.ts";
import type { Origin } from "../../../../sandbox/contract/operation.ts";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import type { MoveOperation } from "../mutations.ts";

/** A call that will not move the procurement, which can be sent all the same to see what the service says. */
export interface RefusedCall {
  readonly id:
    | "again"
    | "again_rejected"
    | "cancelled"
    | "cancel_confirmed"
    | "cancel_again"
    | "cancel_stranger"
    | "buyer_key"
    | "other_supplier"
    | "no_key";
  readonly operation: MoveOperation;
  readonly title: string;
  /** Whose key it is sent with; null without any. */
  readonly side: Side | null;
  /** What the service should answer; code null for a success. */
  readonly expected: { readonly status: number; readonly code: ErrorCode | null };
  readonly because: string;
  readonly origin: { readonly of: Origin; readonly id?: string; readonly switchable?: boolean };
  /** With whose key; `none` sends no credentials, null when the sandbox holds none that would do. */
  readonly key: KeyedCredential | "none" | null;
  /** What is missing while `key` is null. */
  readonly missing?: string;
}

export interface CallContext {
  readonly status: ProcurementStatus;
  readonly supplierName: string;
  readonly buyerName: string;
  readonly supplierOrganizationId: string;
  readonly buyerOrganizationId: string;
  /** The keys of the procurement's own two sides. */
  readonly own: Readonly<Record<Side, KeyedCredential | null>>;
  readonly repairerKeys: readonly KeyedCredential[];
  readonly supplierKeys: readonly KeyedCredential[];
  readonly policies: Pick<Policies, "confirm_when_confirmed" | "confirm_when_cancelled">;
}

const refused = (code: ErrorCode) => ({ status: errorCodes[code].status, code });

type Keyed = Pick<RefusedCall, "key" | "missing">;
const keyOr = (key: KeyedCredential | null, missing: string): Keyed => (key ? { key } : { key: null, missing });
const notHere = (name: string) => `Needs a key of ${name}, which is not here.`;

const confirming = { operation: "supplier.procurements.confirm", side: "supplier" } as const;

const again = ({ policies, own, supplierName }: CallContext): RefusedCall => {
  const ok = policies.confirm_when_confirmed === "ok";
  const id = ok ? "again" : "again_rejected";
  return {
    ...confirming,
    id,
    title: `Confirm again as ${supplierName}`,
    ...keyOr(own.supplier, notHere(supplierName)),
    expected: ok ? { status: 200, code: null } : refused("unprocessable"),
    because: ok ? "the same state, no events" : "it is confirmed already",
    origin: { of: "assumption", id: "D50", switchable: true },
  };
};

const cancelled = ({ policies, own, supplierName }: CallContext): RefusedCall => {
  const rejects = policies.confirm_when_cancelled === "reject";
  return {
    ...confirming,
    id: "cancelled",
    title: "Confirm it although cancelled",
    ...keyOr(own.supplier, notHere(supplierName)),
    expected: refused(rejects ? "unprocessable" : "not_found"),
    because: rejects ? "cancelled stays cancelled" : "as if it were not there",
    origin: { of: "assumption", id: "D51", switchable: true },
  };
};

const buyerKey = ({ repairerKeys, buyerOrganizationId }: CallContext): RefusedCall => {
  const own = repairerKeys.find((key) => key.organization_id === buyerOrganizationId);
  const key = own ?? repairerKeys[0] ?? null;
  return {
    ...confirming,
    side: "repairer",
    id: "buyer_key",
    title: own || !key ? "Confirm with the buyer’s key" : `Confirm with ${key.organization_name}’s key`,
    expected: refused("forbidden"),
    because: "wrong scope",
    origin: { of: "contract" },
    ...keyOr(key, "Needs a key of scope repairer, which is not here."),
  };
};

const otherSupplier = ({ supplierKeys, supplierOrganizationId }: CallContext): RefusedCall => {
  const key = supplierKeys.find((other) => other.organization_id !== supplierOrganizationId) ?? null;
  return {
    ...confirming,
    id: "other_supplier",
    title: key ? `Confirm as ${key.organization_name}` : "Confirm as another supplier",
    expected: refused("not_found"),
    because: "not theirs",
    origin: { of: "assumption", id: "D25" },
    ...keyOr(key, "Needs a key of a second supplier; Install makes one."),
  };
};

const noKey: RefusedCall = {
  ...confirming,
  side: null,
  id: "no_key",
  title: "Confirm without a key",
  expected: refused("unauthorized"),
  because: "no credential headers",
  origin: { of: "contract" },
  key: "none",
};

/** Cancelling where it leads nowhere: as either side that has a key here, the buyer first. */
const cancelling = ({ status, own, buyerName, supplierName }: CallContext): RefusedCall => {
  const side: Side = own.repairer || !own.supplier ? "repairer" : "supplier";
  const id = status === "cancelled" ? "cancel_again" : "cancel_confirmed";
  const name = side === "repairer" ? buyerName : supplierName;
  return {
    operation: "procurements.cancel",
    side,
    id,
    title: `${status === "cancelled" ? "Cancel again" : "Cancel it although confirmed"} as ${name}`,
    ...keyOr(own[side], `Needs a key of ${buyerName} or ${supplierName}; neither is here.`),
    expected: refused("unprocessable"),
    because: status === "cancelled" ? "it is cancelled already" : "only from order_requested",
    origin: { of: "extension" },
  };
};

const cancelAsStranger = ({ repairerKeys, supplierKeys, ...context }: CallContext): RefusedCall[] => {
  const parties = [context.buyerOrganizationId, context.supplierOrganizationId];
  const key = [...supplierKeys, ...repairerKeys].find((other) => !parties.includes(other.organization_id));
  if (!key) return [];
  return [
    {
      operation: "procurements.cancel",
      side: key.scope,
      id: "cancel_stranger",
      title: `Cancel as ${key.organization_name}`,
      expected: refused("not_found"),
      because: "neither of its sides",
      origin: { of: "assumption", id: "D25" },
      key,
    },
  ];
};

/** Every call that does not move a procurement in this state, the most telling first. */
export const refusedCalls = (context: CallContext): RefusedCall[] => [
  ...(context.status === "order_confirmed" ? [again(context)] : []),
  ...(context.status === "cancelled" ? [cancelled(context)] : []),
  ...(context.status === "order_requested" ? [] : [cancelling(context)]),
  buyerKey(context),
  otherSupplier(context),
  ...cancelAsStranger(context),
  noKey,
];

/** Whether an answer is what was expected of the step. */
export const asExpected = ({ expected }: RefusedCall, status: number, code: string | null): boolean =>
  status === expected.status && code === expected.code;
