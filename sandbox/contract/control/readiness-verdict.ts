import { plural } from "../plural.ts";
import type { Readiness } from "./readiness-operations.ts";

/** What a readiness comes to, in one sentence made from its counts. */
export const readinessVerdict = ({ record, summary: { operations }, next }: Readiness): string => {
  if (record.calls === 0) return "This integration has made no call of its own yet.";
  const left = next.length === 0 ? "nothing is left to do" : `${plural(next.length, "thing")} left to do`;
  return `This integration has made ${plural(record.calls, "call")} of its own: ${operations.met} of ${operations.of} operations of the contract called, ${left}.`;
};
