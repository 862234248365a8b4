import { plural } from "../plural.ts";
import type { Readiness } from "./readiness-operations.ts";

/** What a readiness comes to, in one sentence made from its counts. */
export const readinessVerdict = ({ record, summary: { operations }, next }: Readiness): string => {
  if (record.calls === 0) return "This integration hasn’t made a call yet.";
  const left = next.length === 0 ? "nothing left to do" : `${plural(next.length, "thing")} left to do`;
  return `${plural(record.calls, "call")} by this integration, ${operations.met} of ${operations.of} API operations called, ${left}.`;
};
