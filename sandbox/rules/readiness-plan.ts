import type { Judged, RequiredCheck } from "../contract/control/evidence-operations.ts";
import type { Readiness } from "../contract/control/readiness-operations.ts";

const keyOf = ({ kind, name }: RequiredCheck): string => `${kind} ${name}`;

/** Everything a readiness report looks at, met or not. */
export const checksOf = ({
  operations,
  error_codes,
  events,
  receiver,
}: Pick<Readiness, "operations" | "error_codes" | "events" | "receiver">): RequiredCheck[] => [
  { kind: "subscription", name: "webhooks.subscribe" },
  ...operations.flatMap(({ origin, operation }) =>
    origin === "contract" ? [{ kind: "operation" as const, name: operation }] : [],
  ),
  ...error_codes.map(({ code }) => ({ kind: "error_code" as const, name: code })),
  ...events.map(({ event_type }) => ({ kind: "event" as const, name: event_type })),
  { kind: "retry", name: "retry" },
  ...receiver.drills.map(({ drill }) => ({ kind: "drill" as const, name: drill })),
];

/**
 * What of a plan an integration has met. A check that its side cannot meet, such as an operation of the other side, is
 * not required of it.
 *
 * @param plan null: everything but error codes, which a program need not provoke
 */
export const judgeReadiness = (
  readiness: Readiness,
  plan: { readonly name: string; readonly requires: readonly RequiredCheck[] } | null,
): Judged => {
  const asked = plan && new Set(plan.requires.map(keyOf));
  const required = checksOf(readiness).filter((check) =>
    asked ? asked.has(keyOf(check)) : check.kind !== "error_code",
  );
  const isRequired = new Set(required.map(keyOf));
  const unmet = readiness.next.filter((step) => isRequired.has(keyOf(step)));
  return {
    plan: plan?.name ?? null,
    required: required.length,
    met: required.length - unmet.length,
    unmet,
    ready: readiness.record.calls > 0 && unmet.length === 0,
  };
};
