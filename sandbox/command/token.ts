import os from "node:os";
import path from "node:path";
import { type Command, Option } from "commander";
import { environment } from "../config.ts";
import { accessScopes } from "../contract/access.ts";
import { tokensCreate, tokensInvite, tokensList, tokensRevoke } from "../contract/control/service-operations.ts";
import { serviceInfo } from "../contract/control/world-operations.ts";
import type { Operation, ResponseOf } from "../contract/operation.ts";
import { COMMAND } from "../contract/package-name.ts";
import { isUuid } from "../contract/schema.ts";
import { terminalText } from "../contract/text.ts";
import { defaultDataFolder, rotateKeys } from "../host/data-folder.ts";
import { StartError } from "../host/start-error.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { ScenarioClient } from "../scenario/scenario-client.ts";
import { signEvidence } from "../secrets/evidence.ts";
import { NotDurableError } from "../storage/writer.ts";
import { matching, wholeNumber, withEnvironment } from "./environment.ts";
import { postgresUrl } from "./options.ts";
import { newCommand } from "./program.ts";
import { addServiceOptions, exitStatus, findService, type ServiceOptions } from "./running-service.ts";

const HELP = `
Examples:
  $ ${COMMAND} token create --world acme --name "Acme GmbH" --scope act --days 90
  $ ${COMMAND} token list
  $ ${COMMAND} token revoke 018f6b1e-9c1d-7e2a-b1c4-0d9a4e5f6a7b

create prints one line of JSON: the token, which can't be read again, and the address that opens the explorer on its world.

Exit status: 0 when done, 1 if no running service is found, 2 for an invalid option, address, token or ID.`;

interface CreateOptions extends ServiceOptions {
  readonly world: string;
  readonly name: string;
  readonly scope: (typeof accessScopes)[number];
  readonly days?: number;
}

const days = wholeNumber(1, 3_650);

/** Returns the expiry for a number of days from now. */
const expiresInDays = (count: number | undefined) =>
  count === undefined ? {} : { expires_at: new Date(Date.now() + count * 86_400_000).toISOString() };

const print = (line: object): void => void process.stdout.write(`${terminalText(JSON.stringify(line))}\n`);

const ENDED =
  "Links with the old token, people’s sign-ins and earlier upload addresses no longer work. Evidence has a new fingerprint: give it to everyone who checks evidence.";

interface RotateOptions {
  readonly data?: string;
  readonly cluster?: string;
}
const rotate = async ({ data, cluster }: RotateOptions): Promise<void> => {
  const folder = path.resolve(data ?? defaultDataFolder(process.platform, environment(), os.homedir()));
  const { control_token, upload_key } =
    cluster === undefined ? rotateKeys(folder) : await (await import("../cluster/node.ts")).rotateSharedKeys(cluster);
  print({ control_token, evidence_fingerprint: signEvidence(upload_key, "").fingerprint });
  const where =
    cluster === undefined
      ? `The next start of the service in ${folder} has new keys.`
      : "All nodes have new keys within a second.";
  process.stderr.write(`${where} ${ENDED}\n`);
};

const callService = async <O extends Operation>(operation: O, body: object, service: ServiceOptions) => {
  const { baseUrl, token } = findService(service);
  return {
    baseUrl,
    response: await ScenarioClient.reaching(baseUrl, token, null).must<ResponseOf<O>>(operation.id, body),
  };
};

const create = async ({ world, name, scope, days: count, ...service }: CreateOptions): Promise<void> => {
  const body = { world, name, scope, ...expiresInDays(count) };
  const { response } = await callService(tokensCreate, body, service);
  // Others need the public address, which may differ from the one called here.
  const { base_url } = (await callService(serviceInfo, { world: DEFAULT_WORLD }, service)).response;
  print({ ...response, explorer_url: `${base_url}/?world=${world}#token=${response.token}` });
};

interface InviteOptions extends CreateOptions {
  readonly from?: string;
  readonly snapshot?: string;
}
const invite = async ({ world, name, scope, from, snapshot, days: count, ...service }: InviteOptions) => {
  const start = from === undefined ? {} : { from: { world: from, ...(snapshot === undefined ? {} : { snapshot }) } };
  print((await callService(tokensInvite, { world, name, scope, ...start, ...expiresInDays(count) }, service)).response);
};

const list = async (service: ServiceOptions): Promise<void> => {
  const { response } = await callService(tokensList, { world: DEFAULT_WORLD, everywhere: true }, service);
  for (const item of response.items) print(item);
};

const revoke = async (id: string, service: ServiceOptions): Promise<void> =>
  print((await callService(tokensRevoke, { world: DEFAULT_WORLD, id }, service)).response);

/**
 * `sandbox token`: 0 on success; 1 on failure, with a sentence; 2 for a missing or refused control token.
 *
 * @throws CommanderError for a bad option
 */
export const token = async (argv: readonly string[]): Promise<number> => {
  const command = newCommand("token", "Manages the control token, and the tokens of single worlds.", HELP).helpCommand(
    "help [command]",
    "print the help of a command",
  );
  const rotating = command
    .command("rotate")
    .description(
      "Replaces the control token, and the key for sign-ins, evidence and upload addresses. A service with a data folder must be stopped; nodes go on.",
    )
    .addOption(new Option("--data <dir>", "the service's data folder").env("SANDBOX_DATA"))
    .addOption(
      new Option("--cluster <url>", "the PostgreSQL database of the nodes")
        .env("SANDBOX_CLUSTER")
        .argParser(postgresUrl),
    )
    .action(rotate);
  withEnvironment(rotating, argv);
  const ofRunning = (usage: string, description: string): Command => {
    const subcommand = addServiceOptions(command.command(usage)).description(description);
    return withEnvironment(subcommand, argv);
  };
  ofRunning("create", "Creates a token for one world of a running service.")
    .requiredOption("--world <name>", "the world")
    .requiredOption("--name <text>", "whose token it is")
    .addOption(new Option("--scope <scope>", "what it allows").choices(accessScopes).default("view"))
    .option("--days <n>", "days until it expires", days)
    .action(create);
  ofRunning("invite", "Creates a world for somebody, and prints a link to it that works once.")
    .requiredOption("--world <name>", "the world to create")
    .requiredOption("--name <text>", "who gets it")
    .addOption(new Option("--scope <scope>", "what its token allows").choices(accessScopes).default("manage"))
    .option("--from <world>", "the world it starts as a copy of (default: the seed)")
    .option("--snapshot <name>", "a snapshot of that world to start from")
    .option("--days <n>", "days until its token expires", days)
    .action(invite);
  ofRunning("list", "Lists the tokens of all worlds, one line of JSON each.").action(list);
  ofRunning("revoke", "Revokes a token.")
    .argument("<id>", "the token's ID, as list prints it", matching(isUuid, "a token ID"))
    .action(revoke);
  return exitStatus(() => command.parseAsync([...argv], { from: "user" }), [StartError, NotDurableError]);
};
