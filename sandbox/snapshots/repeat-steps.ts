import type { worldsBranch } from "../contract/control/world-operations.ts";
import type { ResponseOf } from "../contract/operation.ts";
import type { Scenario } from "../contract/scenario.ts";
import { readText, tryParseJson } from "../rules/json/untyped.ts";
import type { StepResult } from "../scenario/report.ts";
import { ScenarioRun } from "../scenario/run-scenario.ts";
import type { ScenarioClient } from "../scenario/scenario-client.ts";

/** Result of repeating steps in a world. */
export type RepetitionResult = Pick<ResponseOf<typeof worldsBranch>, "replayed" | "differing" | "first_difference">;

/** Returns a refusal's message; null when there is none. */
const refusalMessage = (responseBody = ""): string | null => {
  const refusal = tryParseJson(responseBody);
  return readText(refusal, "message") ?? readText(refusal, "reason") ?? readText(refusal, "type") ?? null;
};

const describeDifference = ({ step, verdict }: StepResult): RepetitionResult["first_difference"] => ({
  request_id: step.came?.trace_id ?? null,
  step: verdict.detail || (step.name ?? "a step"),
  path: verdict.difference?.path ?? "",
  expected: verdict.difference?.expected ?? null,
  got: verdict.difference?.got ?? null,
  cause: refusalMessage(verdict.answer),
});

/**
 * Runs every step in an existing world, and continues after a different result.
 *
 * @param onStep receives the number of completed steps
 * @throws the signal's reason when aborted
 */
export const repeatSteps = async (
  client: ScenarioClient,
  world: string,
  scenario: Scenario,
  signal: AbortSignal,
  onStep: (completed: number) => void,
): Promise<RepetitionResult> => {
  const run = new ScenarioRun(client, scenario, { signal, world });
  await run.prepare();
  const differing: StepResult[] = [];
  for (const index of scenario.steps.keys()) {
    const result = await run.make(index);
    if (result.verdict.outcome !== "held") differing.push(result);
    onStep(index + 1);
  }
  const [first] = differing;
  return {
    replayed: scenario.steps.filter(({ came }) => came !== undefined).length,
    differing: differing.length,
    first_difference: first ? describeDifference(first) : null,
  };
};
