import type { Scenario } from "../contract/scenario.ts";
import { checkScenario } from "../scenario/read-scenario.ts";
import { stepLines } from "../scenario/report.ts";
import { ScenarioRun } from "../scenario/run-scenario.ts";
import { ScenarioClient } from "../scenario/scenario-client.ts";
import type { TestService } from "./harness.ts";

/** Runs a recording like a file. @returns the differences as printed */
export const runRecording = async (service: TestService, scenario: Scenario): Promise<string[]> => {
  const checked = checkScenario(JSON.parse(JSON.stringify(scenario)));
  const run = new ScenarioRun(new ScenarioClient(service.baseUrl, service.ready.control_token), checked);
  const lines: string[] = [];
  let count = 0;
  for await (const result of run.steps()) {
    count += 1;
    if (result.verdict.outcome !== "held") lines.push(...stepLines(result, checked.steps.length));
  }
  await run.cleanUp();
  return count === checked.steps.length || lines.length > 0 ? lines : [`only ${count} steps were made`];
};
