import { MOST_FINDINGS } from "../contract/control/check-operations.ts";
import { policyChoices } from "../contract/control/policies.ts";
import {
  runsGet,
  runsList,
  runsStart,
  runsStep,
  runsStop,
  scenariosCheck,
  scenariosDelete,
  scenariosGet,
  scenariosList,
  scenariosSave,
} from "../contract/control/scenario-operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import type { Scenario } from "../contract/scenario.ts";
import { BadScenarioError, checkScenario, scenarioViolations } from "../scenario/read-scenario.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";

const noScenario = (name: string): Refusal => refuse("not_found", `/name ${name} is no scenario of this service`);
const noRun = (id: string): Refusal => refuse("not_found", `/id ${id} is no run that is kept`);

const policiesProblem = (policies: Readonly<Record<string, unknown>>): string | null => {
  for (const [name, value] of Object.entries(policies)) {
    const choices: readonly string[] | undefined = Object.entries(policyChoices).find(([one]) => one === name)?.[1];
    if (!choices) return `/policies/${name} is no switch; there are ${Object.keys(policyChoices).join(", ")}`;
    if (!choices.includes(String(value))) return `/policies/${name} must be one of ${choices.join(", ")}`;
  }
  return null;
};

/** What is to be run. */
const askedScenario = async (
  { scenarios }: ControlContext,
  { name, scenario }: { readonly name?: string; readonly scenario?: unknown },
): Promise<Scenario | Refusal> => {
  if ((name === undefined) === (scenario === undefined))
    return refuse("bad_request", "/name or /scenario must be there, and not both");
  if (name !== undefined) {
    const kept = await scenarios.get(name);
    if (!kept) return noScenario(name);
    return kept.scenario ?? refuse("unprocessable", kept.row.problem ?? `/name ${name} is no scenario`);
  }
  try {
    return checkScenario(scenario);
  } catch (error) {
    if (!(error instanceof BadScenarioError)) throw error;
    return refuse("bad_request", `/scenario is none: ${error.message}`);
  }
};

/** Scenarios, and runs of them. */
export const scenarioControls: readonly BoundControl[] = [
  control(scenariosList, async ({ scenarios }) => ({ items: await scenarios.list() })),
  control(scenariosGet, async ({ scenarios }, { name }) => {
    const kept = await scenarios.get(name);
    if (!kept) return noScenario(name);
    const { row, scenario } = kept;
    return scenario ? { ...row, scenario } : refuse("unprocessable", row.problem ?? `/name ${name} is no scenario`);
  }),
  control(scenariosCheck, (_context, { scenario }) => ({
    findings: [...scenarioViolations(scenario, MOST_FINDINGS)],
  })),
  control(scenariosSave, ({ scenarios }, { name, scenario, replace = false, if_saved_at }) =>
    scenarios.save(name, scenario, { replace, savedAt: if_saved_at ?? null }),
  ),
  control(scenariosDelete, async ({ scenarios }, { name }) => {
    const deleted = await scenarios.delete(name);
    if (deleted instanceof Refusal) return deleted;
    return deleted ? { ok: true } : noScenario(name);
  }),
  control(runsStart, async (context, asked) => {
    const { name, scenario, mode = "all", in_world, policies, policies_of, worlds_after } = asked;
    const { runs, worlds } = context;
    const found = await askedScenario(context, {
      ...(name === undefined ? {} : { name }),
      ...(scenario === undefined ? {} : { scenario }),
    });
    if (found instanceof Refusal) return found;
    if (in_world !== undefined && !worlds.has(in_world))
      return refuse("not_found", `/in_world ${in_world} is no world of this service`);
    const like = policies_of === undefined ? undefined : worlds.lookIfIntact(policies_of, (world) => world.policies);
    if (policies_of !== undefined && !like)
      return refuse("not_found", `/policies_of ${policies_of} is no world of this service`);
    const problem = policiesProblem(policies ?? {});
    if (problem !== null) return refuse("bad_request", problem);
    if (runs.full) return refuse("unprocessable", "So many runs go on that no other is begun; stop one first");
    return runs.start({
      ...{ name: name ?? null, scenario: found, mode, inWorld: in_world ?? null },
      policies: like ? { ...like, ...policies } : (policies ?? null),
      policiesOf: policies_of ?? null,
      worldsAfter: worlds_after ?? (mode === "all" ? "kept_if_differs" : "kept"),
    });
  }),
  control(runsList, async ({ runs }) => ({ items: await runs.list() })),
  control(runsGet, async ({ runs }, { id }) => (await runs.get(id)) ?? noRun(id)),
  control(runsStep, async ({ runs }, { id, to }) => {
    const run = await runs.step(id, to ?? null);
    if (run === null) return refuse("unprocessable", `/id ${id} does not wait for a step`);
    return run ?? noRun(id);
  }),
  control(runsStop, async ({ runs }, { id, keep_worlds = null }) => (await runs.stop(id, keep_worlds)) ?? noRun(id)),
];
