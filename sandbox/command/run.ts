import { Command } from "commander";
import type { ServiceConfig } from "../config.ts";
import { BadScenarioError, readScenario } from "../scenario/read-scenario.ts";
import { stepLines, sumLine } from "../scenario/report.ts";
import { ScenarioRun } from "../scenario/run-scenario.ts";
import { ScenarioClient, UnreachableError } from "../scenario/scenario-client.ts";
import { startService } from "../service.ts";
import { applyEnvironment, httpAddress, option } from "./environment.ts";

const HELP = `
A scenario is a JSON file with steps: calls as the buyer, the supplier or an installed integration, acts of the control
plane (clock, switches, faults), and the notifications that must arrive. Each step says what must come of it. A later
step refers to an earlier one's answer: {"id": "{{job.id}}"}. With "start" it begins with an exported world and is a
reproduction. docs/scenarios describes the format and has examples.

Without --url it runs against a service of its own with nothing kept; with --url in fresh worlds of that service, which
are deleted at the end.

Exit status: 0 when every step held, 1 at the first that did not (or when no service answers), 2 for a bad file or
option.

Examples:
  $ sandbox run docs/scenarios/install-and-first-order.json
  $ sandbox run my.json --url http://127.0.0.1:4026 --token "$(jq -r .control_token ready.json)"
  $ sandbox exec -- sandbox run my.json       in the service that exec started, which passes the address and the token`;

interface Given {
  readonly url?: string;
  readonly token?: string;
}

const commandOf = (): Command =>
  new Command("sandbox run")
    .description("Runs a scenario or reproduction file against a fresh world and prints what became of each step.")
    .helpOption("-h, --help", "print this help")
    .argument("<file>", "the scenario")
    .addOption(option("--url <url>", "address of a running service", "SANDBOX_BASE_URL").argParser(httpAddress))
    .addOption(option("--token <token>", "its control token; needed with --url", "SANDBOX_CONTROL_TOKEN"))
    .addHelpText("after", HELP)
    .showSuggestionAfterError()
    .allowExcessArguments(false)
    .exitOverride();

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const runAll = async (client: ScenarioClient, file: string, remote: boolean): Promise<number> => {
  const scenario = readScenario(file);
  const run = new ScenarioRun(client, scenario);
  let failedAt: number | null = null;
  try {
    say(scenario.name);
    for await (const result of run.steps()) {
      for (const line of stepLines(result, scenario.steps.length)) say(line);
      if (!result.verdict.held) failedAt = result.number;
    }
  } finally {
    if (remote) await run.cleanUp();
  }
  say(sumLine(scenario, failedAt));
  return failedAt === null ? 0 : 1;
};

/**
 * `sandbox run FILE`: 0 when every step held, 1 at the first that did not, 2 for a file that is no scenario.
 *
 * @param ownConfig of the service to start when none is named
 * @throws CommanderError for a bad option
 */
export const run = async (
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  ownConfig: () => ServiceConfig,
): Promise<number> => {
  const command = commandOf();
  applyEnvironment(command, argv, env);
  command.parse([...argv], { from: "user" });
  const [file = ""] = command.args;
  const { url, token } = command.opts<Given>();
  if (url !== undefined && token === undefined)
    command.error(
      "error: option '--token <token>' is needed with --url: the control_token of the service's ready line.",
    );
  try {
    // A file that is none needs no service.
    readScenario(file);
    if (url !== undefined) return await runAll(new ScenarioClient(url, token ?? ""), file, true);
    const service = await startService(ownConfig());
    try {
      const { base_url, control_token } = service.ready;
      return await runAll(new ScenarioClient(base_url, control_token), file, false);
    } finally {
      await service.stop();
    }
  } catch (error) {
    if (error instanceof BadScenarioError) {
      complain(`error: ${file} is no scenario: ${error.message}`);
      return 2;
    }
    if (!(error instanceof UnreachableError)) throw error;
    complain(`error: ${error.message}`);
    return error.badToken ? 2 : 1;
  }
};
