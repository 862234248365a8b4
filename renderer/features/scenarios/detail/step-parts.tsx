import { Text } from "@mantine/core";
import type { Step } from "../../../../sandbox/contract/scenario.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Side } from "../../../components/side.tsx";
import { expectedStatus } from "../../../domain/scenario/step-words.ts";

const keys = (value: unknown): string => {
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
};

/** A step's checks besides its status on one line; empty for none. */
export const checksText = (step: Step): string => {
  if (step.receiver) return "subscribed";
  if (step.deliveries) {
    const counts = new Map<string, number>();
    for (const { event_type, count = 1 } of step.deliveries.expect)
      counts.set(event_type, (counts.get(event_type) ?? 0) + count);
    return [...counts].map(([type, count]) => (count === 0 ? `no ${type}` : `${count} × ${type}`)).join(", ");
  }
  const { body, exact, headers, no_answer, within_seconds } = step.expect ?? {};
  return [
    ...(no_answer ? ["connection closed"] : []),
    ...(exact === undefined ? [] : ["exact body"]),
    ...(body === undefined ? [] : [`with ${keys(body) || "the body"}`]),
    ...(headers === undefined ? [] : [`with the headers ${keys(headers)}`]),
    ...(within_seconds === undefined ? [] : [`within ${within_seconds} s`]),
  ].join("; ");
};

/** The caller of a step; empty for a step without a call. */
export const StepCaller = ({ step: { call } }: { step: Step }) => {
  if (!call) return null;
  if (call.as === "repairer" || call.as === "supplier") return <Side side={call.as} />;
  return (
    <Text variant="aside" textWrap="nowrap" title={call.credentials && "Uses the credentials set in the step"}>
      {call.credentials ? "own key" : "no key"}
    </Text>
  );
};

export const ExpectedResult = ({ step }: { step: Step }) => {
  const status = expectedStatus(step);
  return (
    <>
      {status !== null && <HttpStatus status={status} />}
      <Text variant="note" truncate>
        {checksText(step)}
      </Text>
    </>
  );
};
