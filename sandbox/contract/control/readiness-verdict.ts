import { plural } from "../plural.ts";
import type { JudgedReadiness } from "./readiness-operations.ts";

/** What a readiness comes to, in one sentence made from its counts: with a plan, what that requires is left to do. */
export const readinessVerdict = ({ record, summary: { operations }, next, judged }: JudgedReadiness): string => {
  if (record.calls === 0) return "This integration hasn’t made a call yet.";
  const [count, whose] = judged.plan === null ? [next.length, ""] : [judged.unmet.length, " for its plan"];
  const left = `${count === 0 ? "nothing" : plural(count, "thing")} left to do${whose}`;
  return `${plural(record.calls, "call")} by this integration, ${operations.met} of ${operations.of} API operations called, ${left}.`;
};
