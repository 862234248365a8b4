import { setTimeout as sleep } from "node:timers/promises";
import { type NodeRow, nodesDrain, nodesList } from "../contract/control/service-operations.ts";
import type { ResponseOf } from "../contract/operation.ts";
import { COMMAND } from "../contract/package-name.ts";
import { isUuid } from "../contract/schema.ts";
import { plural, terminalText } from "../contract/text.ts";
import { ScenarioClient } from "../scenario/scenario-client.ts";
import { matching, withEnvironment } from "./environment.ts";
import { newCommand } from "./program.ts";
import { addServiceOptions, exitStatus, findService, type ServiceOptions } from "./running-service.ts";

const HELP = `
Exit status: 0 when done, 1 if no running service is found, 2 for an invalid option, address, token or ID.

Examples:
  $ ${COMMAND} nodes --url https://sandbox.example.com
  $ ${COMMAND} nodes drain 0a0e6a70-0d2f-4f0e-9a43-0c7b3c1f5a11 --url https://sandbox.example.com`;

/** How often to check whether a drained node has released its worlds, in milliseconds. Draining takes some seconds. */
const CHECK_EVERY_MS = 500;

const nodeLine = ({ id, address, state, worlds, beat_seconds }: NodeRow): string =>
  terminalText(
    `${id}  ${state.padEnd(7)}  ${plural(worlds, "world")}  beat ${beat_seconds.toFixed(1)} s ago  ${address}`,
  );

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const listed = async (client: ScenarioClient): Promise<readonly NodeRow[]> =>
  (await client.must<ResponseOf<typeof nodesList>>(nodesList.id, {})).items;

/**
 * `sandbox nodes`: 0 on success; 1 when no service responds; 2 for an unknown control token or node.
 *
 * @throws CommanderError for a bad option
 */
export const nodes = async (argv: readonly string[]): Promise<number> => {
  const clientOf = (options: ServiceOptions): ScenarioClient => {
    const { baseUrl, token } = findService(options);
    return ScenarioClient.reaching(baseUrl, token);
  };
  const command = newCommand("nodes", "Lists the nodes of a cluster, and drains one.", HELP).helpCommand(
    "help [command]",
    "print the help of a command",
  );
  const list = addServiceOptions(command.command("list", { isDefault: true })).description(
    "Lists the nodes. The default.",
  );
  withEnvironment(list, argv).action(async (options: ServiceOptions) => {
    const rows = await listed(clientOf(options));
    print(rows.map(nodeLine).join("\n") || "This sandbox is on one machine.");
  });
  const drain = addServiceOptions(command.command("drain")).description(
    "Moves a node’s worlds to other nodes, and waits until it has none. It takes worlds again after a restart.",
  );
  drain.argument("<id>", "the node's ID, as the list prints it", matching(isUuid, "a node ID"));
  withEnvironment(drain, argv).action(async (id: string, options: ServiceOptions) => {
    const client = clientOf(options);
    let row: NodeRow | undefined = await client.must<NodeRow>(nodesDrain.id, { id });
    for (; row && row.state === "drains" && row.worlds > 0; await sleep(CHECK_EVERY_MS))
      row = (await listed(client)).find((one) => one.id === id);
    print(row ? nodeLine(row) : `${id} has stopped.`);
  });
  return exitStatus(() => command.parseAsync([...argv], { from: "user" }));
};
