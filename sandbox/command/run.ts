import { closeSync, existsSync, openSync, rmSync, writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { environment, type ServiceConfig } from "../config.ts";
import { type PolicyName, policyChoices, policyNames } from "../contract/control/policies.ts";
import { serviceInfo } from "../contract/control/world-operations.ts";
import { COMMAND } from "../contract/package-name.ts";
import type { Story } from "../contract/story.ts";
import { terminalText } from "../contract/text.ts";
import type { ChangedPolicies } from "../scenario/explain-difference.ts";
import { junit } from "../scenario/junit.ts";
import { BadScenarioError, type ReadScenario, readScenarios } from "../scenario/read-scenario.ts";
import { failed, type Reporter, type ScenarioResult, type StepResult, textReporter } from "../scenario/report.ts";
import { type RunOptions, ScenarioRun } from "../scenario/run-scenario.ts";
import { ScenarioClient, UnreachableError } from "../scenario/scenario-client.ts";
import { readPlayer, storyPage } from "../scenario/story-page.ts";
import { hasStory, Storyteller } from "../scenario/storyteller.ts";
import { addTokenOptions, missingToken, parseOptions, type TokenOptions, urlOption } from "./environment.ts";
import { newCommand } from "./program.ts";

const HELP = `
A scenario is a JSON file with steps: calls as the buyer, the supplier or an installed integration, control operations
(clock, settings, faults), and expected notifications. Each step states its expected result. A later step refers to an
earlier step's response: {"id": "{{job.id}}"}. A file with "start" begins with an exported world and is a reproduction.
docs/scenarios describes the format and has examples.

Without --url, run starts a temporary service in memory. With --url, it creates new worlds in that service and deletes
them at the end.

Several files run one after the other, each in its own worlds. A folder means its .json files. A failed step stops its
scenario. The other files still run.

--calls-only is for a server that isn't a sandbox. It sends only contract calls, with the credentials in
SANDBOX_REPAIRER_API_KEY and SANDBOX_REPAIRER_INTEGRATION_ID, and the same for SUPPLIER. Other steps are listed as not run.

With --story the run is also written as one HTML page that plays what each side saw, for one file whose steps have "say".
A step that fails ends the story at its place. Secrets are masked.

--policy overrides a setting of a reproduction's file. The report shows the override and whether it explains a difference.

Exit status: 0 if all steps passed; 1 if one failed or none ran; 2 for an invalid file, option, address or token.

Examples:
  $ ${COMMAND} run install-and-first-order.json
  $ ${COMMAND} run scenarios --reporter junit > report.xml
  $ ${COMMAND} run install-and-first-order.json --story first-order.html
  $ ${COMMAND} run my.json --url http://127.0.0.1:4026 --token-file token.txt
  $ ${COMMAND} exec -- sandbox run my.json   in the service that exec started`;

const reporters: Readonly<Record<"text" | "junit", Reporter>> = {
  text: textReporter,
  junit: { finished: (results) => [junit(results)] },
};

interface RunCommandOptions extends TokenOptions {
  readonly url?: string;
  readonly reporter: keyof typeof reporters;
  readonly callsOnly?: true;
  readonly policy: ChangedPolicies;
  readonly story?: string;
}

const addPolicy = (given: string, earlier: ChangedPolicies): ChangedPolicies => {
  const [name = "", value = ""] = given.split("=", 2);
  const choices = Object.hasOwn(policyChoices, name) ? policyChoices[name as PolicyName] : undefined;
  if (!choices) throw new InvalidArgumentError(`There is no setting ${name}. Settings: ${policyNames.join(", ")}.`);
  if (!(choices as readonly string[]).includes(value))
    throw new InvalidArgumentError(`${name} must be one of ${choices.join(", ")}.`);
  return { ...earlier, [name]: value };
};

const runCommand = (): Command =>
  addTokenOptions(
    newCommand("run", "Runs scenario or reproduction files in new worlds and reports each step.", HELP)
      .argument("<files...>", "scenario files, or folders of them")
      .addOption(urlOption("address of a running service; needs a token")),
  )
    .addOption(
      new Option("--calls-only", "for an address that isn't a sandbox: only make the calls and list the differences"),
    )
    .addOption(new Option("--reporter <name>", "output format").choices(Object.keys(reporters)).default("text"))
    .addOption(
      new Option("--policy <name=value>", "override a setting of the file; repeatable")
        .argParser(addPolicy)
        .default({}, "the file's"),
    )
    .addOption(
      new Option(
        "--story <file.html>",
        "also write the scenario's story as one HTML file that plays without a network",
      ),
    );

const say = (lines: readonly string[] = []): void => {
  for (const line of lines) process.stdout.write(`${line}\n`);
};
const complain = (line: string): void => void process.stderr.write(`${terminalText(line)}\n`);

/** Credentials of the environment, for an address that is not a sandbox. */
const environmentCredentials = (env = environment()): Record<string, object> => {
  const found: Record<string, object> = {};
  for (const scope of ["repairer", "supplier"]) {
    const api_key = env[`SANDBOX_${scope.toUpperCase()}_API_KEY`];
    const integration_id = env[`SANDBOX_${scope.toUpperCase()}_INTEGRATION_ID`];
    if (api_key && integration_id) found[scope] = { api_key, integration_id };
  }
  return found;
};

/** Writes the story of a run; null when not requested. */
type WriteStory = ((story: Story) => void) | null;

/**
 * @param to destination file
 * @throws BadScenarioError when there is no story or no player
 */
const storyWriter = (to: string, scenarios: readonly ReadScenario[], explorerFolder: string | null): WriteStory => {
  const [first, another] = scenarios;
  if (!first || another) throw new BadScenarioError("--story takes one scenario file");
  if (!hasStory(first.scenario)) throw new BadScenarioError(`${first.file} has no story: none of its steps has "say"`);
  const player = readPlayer(explorerFolder);
  if (!player)
    throw new BadScenarioError("the story can’t be written: the explorer, which its player is part of, isn’t built");
  const orRefused = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      throw new BadScenarioError(
        `${to} can’t be written (${error instanceof Error && "code" in error ? error.code : error})`,
      );
    }
  };
  // Tries it before the run, without changing a file that is there.
  orRefused(() => {
    const isNew = !existsSync(to);
    closeSync(openSync(to, "a"));
    if (isNew) rmSync(to);
  });
  return (story) => orRefused(() => writeFileSync(to, storyPage(story, player)));
};

const runAll = async (
  scenarios: readonly ReadScenario[],
  reporter: Reporter,
  client: ScenarioClient,
  { writeStory = null, ...options }: RunOptions & { readonly writeStory?: WriteStory },
): Promise<number> => {
  const results: ScenarioResult[] = [];
  for (const { file, scenario } of scenarios) {
    const run = new ScenarioRun(client, scenario, options);
    const storyteller = writeStory && new Storyteller(client, run, scenario);
    const steps: StepResult[] = [];
    const { policies = {} } = options;
    say(reporter.started?.(scenario.name, policies));
    try {
      for await (const result of run.steps()) {
        steps.push(result);
        await storyteller?.record(result);
        say(reporter.step?.(result, scenario.steps.length));
      }
    } finally {
      await run.cleanUp();
    }
    if (storyteller) writeStory?.(storyteller.story());
    const result = { file, scenario, steps, policies };
    results.push(result);
    say(reporter.ended?.(result));
  }
  say(reporter.finished(results));
  return results.some(failed) ? 1 : 0;
};

/**
 * `sandbox run FILE...`: 0 when every step passed, 1 when one failed, 2 for an invalid file.
 *
 * @param ownConfig configuration of the service to start when no address is given
 * @throws CommanderError for a bad option
 */
export const run = async (argv: readonly string[], ownConfig: () => ServiceConfig): Promise<number> => {
  const command = runCommand();
  const given = parseOptions<RunCommandOptions>(command, argv);
  const { url, reporter: name, callsOnly, policy, story } = given;
  const token = given.tokenFile ?? given.token;
  if (callsOnly && url === undefined) command.error("error: option '--calls-only' needs --url: the address to call.");
  if (callsOnly && Object.keys(policy).length > 0)
    command.error(
      "error: option '--policy <name=value>' is for a sandbox: an address of --calls-only has no policies.",
    );
  if (url !== undefined && token === undefined && !callsOnly) command.error(`error: ${missingToken(url)}`);
  if (callsOnly && story !== undefined)
    command.error("error: option '--story <file.html>' needs a sandbox: what each side sees is read from it.");
  const reporter = reporters[name];
  try {
    // Validates the files before starting a service.
    const scenarios = readScenarios(command.args);
    if (url !== undefined && callsOnly) {
      const reproduction = scenarios.find(({ scenario }) => scenario.start);
      if (reproduction)
        throw new BadScenarioError(
          `${reproduction.file} starts with an exported world, which a sandbox alone can import`,
        );
      const client = ScenarioClient.reaching(url, null);
      return await runAll(scenarios, reporter, client, { given: environmentCredentials() });
    }
    const { explorerFolder } = ownConfig();
    const writeStory = story === undefined ? null : storyWriter(story, scenarios, explorerFolder);
    const options = { policies: policy, writeStory };
    if (url !== undefined) {
      const client = ScenarioClient.reaching(url, token ?? "");
      // Nothing is printed if no service responds, or it rejects the token.
      await client.must(serviceInfo.id, {});
      return await runAll(scenarios, reporter, client, options);
    }
    const { startService } = await import("../service.ts");
    const service = await startService(ownConfig());
    try {
      const { base_url, control_token } = service.ready;
      return await runAll(scenarios, reporter, new ScenarioClient(base_url, control_token), options);
    } finally {
      await service.stop();
    }
  } catch (error) {
    if (error instanceof BadScenarioError) {
      complain(`error: ${error.message}`);
      return 2;
    }
    if (!(error instanceof UnreachableError)) throw error;
    complain(`error: ${error.message}`);
    return error.isWrongRequest ? 2 : 1;
  }
};
