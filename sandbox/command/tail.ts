import { once } from "node:events";
import type { Command } from "commander";
import type { EventSourceMessage } from "eventsource-parser";
import { deliveriesList, requestsList } from "../contract/control/operations.ts";
import type { LiveControl, LiveEntry } from "../contract/live.ts";
import type { ResponseOf } from "../contract/operation.ts";
import { COMMAND } from "../contract/package-name.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { ScenarioClient, UnreachableError } from "../scenario/scenario-client.ts";
import { wholeNumber, worldName } from "./environment.ts";
import { newCommand } from "./program.ts";
import {
  addServiceOptions,
  type FoundService,
  isEventStream,
  readMessages,
  responseSentence,
  type ServiceOptions,
  withService,
} from "./running-service.ts";
import { readableLine, type TailEntry } from "./tail-line.ts";

const HELP = `
Prints the newest calls and deliveries of a world, oldest first, one line each: time (UTC), caller, operation, result.
With --follow it continues with new ones until Ctrl-C or until the connection is lost. Secrets are masked, and terminal
control characters are escaped.

Exit status: 0 when done or stopped, 1 if no running service is found, 2 for an invalid option, address or token.

Examples:
  $ ${COMMAND} tail --follow
  $ ${COMMAND} tail --world ci-42 --lines 200
  $ ${COMMAND} tail --ready-file ready.json`;

interface TailOptions extends ServiceOptions {
  readonly world: string;
  readonly lines: number;
  readonly follow?: boolean;
}

const tailCommand = (): Command =>
  addServiceOptions(newCommand("tail", "Prints calls and deliveries of a running service.", HELP))
    .option("--world <name>", "the world", worldName, DEFAULT_WORLD)
    .option("--lines <n>", "number of lines", wholeNumber(0, 500), 20)
    .option("--follow", "continue with new calls and deliveries");

/** The newest requested calls and deliveries, oldest first. */
const readNewest = async ({ baseUrl, token }: FoundService, world: string, limit: number): Promise<TailEntry[]> => {
  if (limit === 0) return [];
  const client = ScenarioClient.reaching(baseUrl, token);
  const calls = await client.must<ResponseOf<typeof requestsList>>(requestsList.id, { world, limit });
  const deliveries = await client.must<ResponseOf<typeof deliveriesList>>(deliveriesList.id, { world, limit });
  const all: TailEntry[] = [
    ...calls.items.map((data): TailEntry => ({ kind: "request", at: data.at, data })),
    ...deliveries.items.map((data): TailEntry => ({ kind: "delivery", at: data.ended_at ?? data.created_at, data })),
  ];
  return all.sort((one, other) => one.at.localeCompare(other.at)).slice(-limit);
};

/** Yields the live feed until the connection ends. @throws UnreachableError when it cannot connect */
async function* feed({ baseUrl, token }: FoundService, world: string): AsyncGenerator<EventSourceMessage> {
  const headers = { authorization: `Bearer ${token}` };
  const client = ScenarioClient.reaching(baseUrl, token);
  const response = await client.route.fetch(`${baseUrl}/__sandbox/live?world=${world}`, { headers }).catch(() => null);
  if (response?.status === 429) throw new UnreachableError(await responseSentence(response));
  if (!response?.ok || !response.body || !isEventStream(response)) {
    // If this call fails, its message explains the problem.
    await client.must(requestsList.id, { world, limit: 1 });
    throw new UnreachableError(`Can't read the live feed of ${baseUrl}${client.route.through}.`);
  }
  try {
    yield* readMessages(response.body);
  } catch {
    // The connection was lost.
  }
}

const parseEntry = ({ kind, at, data }: LiveEntry): TailEntry | null => {
  if (kind === "request") return { kind, at: data.at, data };
  return kind === "delivery" ? { kind, at, data } : null;
};

/** A key for the state of a call or delivery, to recognize repeats. */
const stateKey = ({ kind, data }: TailEntry): string =>
  kind === "request" ? data.id : `${data.id} ${data.status} ${data.attempts_made}`;

/** Prints the newest entries and then new ones, until the connection ends. */
const follow = async (
  service: FoundService,
  { world, lines }: TailOptions,
  print: (one: TailEntry) => Promise<void>,
): Promise<never> => {
  const printed = new Set<string>();
  let before = 0;
  for await (const { event, id, data } of feed(service, world)) {
    if (event === "ready") {
      before = (JSON.parse(data) as LiveControl["ready"]).last_id;
      for (const one of await readNewest(service, world, lines)) {
        printed.add(stateKey(one));
        await print(one);
      }
    }
    if (event === "reset") before = 0;
    const one = Number(id) > before ? parseEntry(JSON.parse(data) as LiveEntry) : null;
    // Entries from the time of the lists arrive twice.
    if (one && !printed.delete(stateKey(one))) await print(one);
  }
  throw new UnreachableError(`The connection to the service at ${service.baseUrl} was lost.`);
};

/** `sandbox tail`; {@link withService} ends it. @throws CommanderError for a bad option */
export const tail = (argv: readonly string[]): Promise<number> =>
  withService<TailOptions>(tailCommand(), argv, async (service, given) => {
    const print = async (one: TailEntry): Promise<void> => {
      if (!process.stdout.write(`${readableLine(one)}\n`)) await once(process.stdout, "drain");
    };
    // Ends when the reader closes the pipe, as `head` does.
    process.stdout.once("error", () => process.exit(0));
    if (given.follow) await follow(service, given, print);
    else for (const one of await readNewest(service, given.world, given.lines)) await print(one);
  });
