import type { Judged, Readiness, RequiredCheck } from "../contract/control/readiness-operations.ts";
import { pathOf } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";

type Next = Readiness["next"][number];

const keyOf = ({ kind, name }: RequiredCheck): string => `${kind} ${name}`;

/** What to do about an operation that was never called. */
export const operationStep = (id: string): Next => {
  const operation = partnerOperations.find((one) => one.id === id);
  const what = operation ? `Send POST ${pathOf(operation)} from the partner’s program. ${operation.summary}` : "";
  return { kind: "operation", name: id, do: what };
};

type Looked = Pick<Readiness, "operations" | "error_codes" | "events" | "receiver">;

const operationsOf = ({ operations }: Looked, origin: "contract" | "extension"): RequiredCheck[] =>
  operations.filter((one) => one.origin === origin).map(({ operation }) => ({ kind: "operation", name: operation }));

/** Everything a readiness report looks at, met or not; of operations those of the contract. */
export const checksOf = (readiness: Looked): RequiredCheck[] => [
  { kind: "subscription", name: "webhooks.subscribe" },
  ...operationsOf(readiness, "contract"),
  ...readiness.error_codes.map(({ code }) => ({ kind: "error_code" as const, name: code })),
  ...readiness.events.map(({ event_type }) => ({ kind: "event" as const, name: event_type })),
  { kind: "retry", name: "retry" },
  ...readiness.receiver.drills.map(({ drill }) => ({ kind: "drill" as const, name: drill })),
];

/**
 * What of a plan an integration has met. A check that its side cannot meet, such as an operation of the other side, is
 * not required of it. Where nothing is required, nothing is ready.
 *
 * @param plan null: everything but error codes, which a program need not provoke, and operations beside the contract
 */
export const judgeReadiness = (
  readiness: Readiness,
  plan: { readonly name: string; readonly requires: readonly RequiredCheck[] } | null,
): Judged => {
  const asked = plan && new Set(plan.requires.map(keyOf));
  const required = asked
    ? [...checksOf(readiness), ...operationsOf(readiness, "extension")].filter((check) => asked.has(keyOf(check)))
    : checksOf(readiness).filter(({ kind }) => kind !== "error_code");
  const left = new Map(readiness.next.map((step) => [keyOf(step), step]));
  // The report says what to do next within the contract only.
  for (const { origin, operation, calls } of readiness.operations) {
    const step = operationStep(operation);
    if (origin === "extension" && calls === 0) left.set(keyOf(step), step);
  }
  const unmet = required.flatMap((check) => left.get(keyOf(check)) ?? []);
  return {
    plan: plan?.name ?? null,
    required: required.length,
    met: required.length - unmet.length,
    unmet,
    ready: readiness.record.calls > 0 && required.length > 0 && unmet.length === 0,
  };
};
