import type { Policies } from "../../../../sandbox/contract/control/policies.ts";
import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import { type ErrorCode, errorCodes } from "../../../../sandbox/contract/errors.ts";
import type { Origin } from "../../../../sandbox/contract/operation.ts";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import type { MoveOperation } from "../mutations.ts";
import type { SideView } from "../two-sides.tsx";

/** A call that will be refused or change nothing, which can be sent to see the response. */
export interface RefusedCall {
  readonly operation: MoveOperation;
  /** Unique title. */
  readonly title: string;
  /** The side whose key is sent; null for none. */
  readonly side: Side | null;
  /** The expected error code; null for a success. */
  readonly expected: ErrorCode | null;
  readonly because: string;
  readonly origin: { readonly of: Origin; readonly id?: string; readonly switchable?: boolean };
  /** The key; null sends no credentials. Or the missing organization, without a suitable key. */
  readonly key: KeyedCredential | null | Missing;
}
interface Missing {
  readonly missing: string;
}

type Party = Pick<SideView, "name" | "organization" | "organizationId" | "credential">;

export interface CallContext {
  readonly status: ProcurementStatus;
  readonly buyer: Party;
  readonly supplier: Party;
  /** All available keys. */
  readonly keys: Readonly<Record<Side, readonly KeyedCredential[]>>;
  readonly policies: Pick<Policies, "confirm_when_confirmed" | "confirm_when_cancelled">;
}

export const refusalStatus = ({ expected }: RefusedCall): number =>
  expected === null ? 200 : errorCodes[expected].status;

const notHere = (name: string): Missing => ({ missing: `Needs a key for ${name}. Install one first.` });

const confirming = { operation: "supplier.procurements.confirm", side: "supplier" } as const;

const again = ({ policies, supplier }: CallContext): RefusedCall => {
  const ok = policies.confirm_when_confirmed === "ok";
  return {
    ...confirming,
    title: `Confirm again as ${supplier.name}`,
    key: supplier.credential ?? notHere(supplier.name),
    expected: ok ? null : "unprocessable",
    because: ok ? "same state, no events" : "already confirmed",
    origin: { of: "assumption", id: "D50", switchable: true },
  };
};

const cancelled = ({ policies, supplier }: CallContext): RefusedCall => {
  const rejects = policies.confirm_when_cancelled === "reject";
  return {
    ...confirming,
    title: "Confirm the cancelled order",
    key: supplier.credential ?? notHere(supplier.name),
    expected: rejects ? "unprocessable" : "not_found",
    because: rejects ? "cancelled orders are final" : "treated as not found",
    origin: { of: "assumption", id: "D51", switchable: true },
  };
};

const withBuyersKey = ({ keys, buyer }: CallContext): RefusedCall => {
  const own = keys.repairer.find((key) => key.organization_id === buyer.organizationId);
  const key = own ?? keys.repairer[0] ?? null;
  return {
    ...confirming,
    side: "repairer",
    title: own || !key ? "Confirm with the buyer’s key" : `Confirm with ${key.organization_name}’s key`,
    expected: "forbidden",
    because: "wrong scope",
    origin: { of: "contract" },
    key: key ?? notHere("scope repairer"),
  };
};

const asOtherSupplier = ({ keys, supplier }: CallContext): RefusedCall => {
  const key = keys.supplier.find((other) => other.organization_id !== supplier.organizationId) ?? null;
  return {
    ...confirming,
    title: key ? `Confirm as ${key.organization_name}` : "Confirm as another supplier",
    expected: "not_found",
    because: "belongs to another supplier",
    origin: { of: "assumption", id: "D25" },
    key: key ?? { missing: "Needs a key for another supplier. Install one first." },
  };
};

const withoutKey: RefusedCall = {
  ...confirming,
  side: null,
  title: "Confirm without a key",
  expected: "unauthorized",
  because: "no credential headers",
  origin: { of: "contract" },
  key: null,
};

/** A cancellation that is no longer possible: by either side with a key, the buyer first. */
const cancelling = ({ status, buyer, supplier }: CallContext): RefusedCall => {
  const asBuyer = buyer.credential !== null || supplier.credential === null;
  const name = asBuyer ? buyer.organization : supplier.name;
  return {
    operation: "procurements.cancel",
    side: asBuyer ? "repairer" : "supplier",
    title: `${status === "cancelled" ? "Cancel again" : "Cancel anyway"} as ${name}`,
    key: buyer.credential ?? supplier.credential ?? notHere(`${buyer.organization} or ${supplier.name}`),
    expected: "unprocessable",
    because: status === "cancelled" ? "already cancelled" : "only from order_requested",
    origin: { of: "extension" },
  };
};

/** Every call that doesn't change an order in this state, the most instructive first. */
export const refusedCalls = (context: CallContext): RefusedCall[] => [
  ...(context.status === "order_confirmed" ? [again(context)] : []),
  ...(context.status === "cancelled" ? [cancelled(context)] : []),
  ...(context.status === "order_requested" ? [] : [cancelling(context)]),
  withBuyersKey(context),
  asOtherSupplier(context),
  withoutKey,
];
