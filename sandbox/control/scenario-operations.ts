import { MAX_FINDINGS } from "../contract/control/explain-operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { scenarioName } from "../contract/scenario-name.ts";
import { parseScenario, scenarioViolations } from "../scenario/read-scenario.ts";
import { readPlayer, storyPage } from "../scenario/story-page.ts";
import { type BoundControl, control, StreamedResponse } from "./handler.ts";

const noRun = (id: string): Refusal => refuse("not_found", `/id ${id}: no such run. Only the newest runs are kept`);

export const scenarioControls: readonly BoundControl[] = [
  control("scenarios.list", async ({ scenarios }) => ({ items: await scenarios.list() })),
  control("scenarios.get", async ({ scenarios }, { name }) => {
    const stored = await scenarios.get(name);
    return stored instanceof Refusal ? stored : { ...stored.row, scenario: stored.scenario };
  }),
  control("scenarios.check", (_context, { scenario }) => ({
    findings: [...scenarioViolations(scenario, MAX_FINDINGS)],
  })),
  control("scenarios.save", ({ scenarios }, { name, scenario, replace = false }) =>
    scenarios.save(name, scenario, replace),
  ),
  control("scenarios.delete", async ({ scenarios }, { name }) => (await scenarios.delete(name)) ?? { ok: true }),
  control("scenarios.record", async (context, { trace_ids, since, name = null, start = false }) => {
    if ((trace_ids === undefined) === (since === undefined))
      return refuse("bad_request", "the body must have exactly one of trace_ids, since");
    const { world, snapshots, info, hungUp } = context;
    const ids = trace_ids?.map((id) => id.toLowerCase()) ?? null;
    const input = { ids, name, start, baseUrl: info.baseUrl };
    const document = await snapshots.record(world, input, hungUp);
    return document instanceof Refusal ? document : new StreamedResponse(document);
  }),
  control("runs.start", async ({ runs, scenarios }, { name = null, scenario, mode = "all", policies = {} }) => {
    if ((name === null) === (scenario === undefined)) return refuse("bad_request", "give either /name or /scenario");
    const found = name === null ? { scenario: parseScenario(scenario) } : await scenarios.get(name);
    if (found instanceof Refusal) return found;
    if (found.scenario instanceof Refusal) return found.scenario;
    if (runs.full) return refuse("unprocessable", "too many runs are in progress. Stop one first");
    return runs.start({ name, scenario: found.scenario, mode, policies });
  }),
  control("runs.list", ({ runs }) => ({ items: runs.list() })),
  control("runs.get", ({ runs }, { id }) => runs.get(id) ?? noRun(id)),
  control("runs.step", async ({ runs }, { id, to = null }) => {
    const run = await runs.step(id, to);
    if (run === null) return refuse("unprocessable", `/id ${id} isn’t waiting for a step`);
    return run ?? noRun(id);
  }),
  control("runs.stop", async ({ runs }, { id, keep }) => (await runs.stop(id, keep)) ?? noRun(id)),
  control("runs.story", ({ runs, explorerFolder }, { id }) => {
    const story = runs.story(id);
    if (!story)
      return story === null ? refuse("unprocessable", `/id ${id} tells no story: no step has /say`) : noRun(id);
    const player = readPlayer(explorerFolder);
    if (!player) return refuse("unprocessable", "The explorer isn’t built here, and the player is part of it.");
    return { file_name: `${scenarioName(story.title, [])}.html`, html: storyPage(story, player) };
  }),
];
