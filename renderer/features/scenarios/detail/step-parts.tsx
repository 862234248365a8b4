import { Text } from "@mantine/core";
import type { Step } from "../../../../sandbox/contract/scenario.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Side } from "../../../components/side.tsx";
import { checkedWords, statusWanted } from "../../../domain/scenario/step-words.ts";

/** Whose key the call of a step is made with; nothing where the step makes none. */
export const StepCaller = ({ step: { call } }: { step: Step }) => {
  if (!call) return null;
  if (call.as === "repairer" || call.as === "supplier") return <Side side={call.as} />;
  return (
    <Text variant="aside" textWrap="nowrap" title={call.credentials && "Uses the credentials set in the step"}>
      {call.credentials ? "own key" : "no key"}
    </Text>
  );
};

/** What must come of a step. */
export const StepWanted = ({ step }: { step: Step }) => {
  const status = statusWanted(step);
  return (
    <>
      {status !== null && <HttpStatus status={status} />}
      <Text variant="note" truncate>
        {checkedWords(step)}
      </Text>
    </>
  );
};
