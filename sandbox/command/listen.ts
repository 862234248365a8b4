import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { listenAnswer } from "../contract/control/receiver-operations.ts";
import { type CurrentToken, tokensCurrent } from "../contract/control/service-operations.ts";
import { type EventType, eventTypes } from "../contract/event-types.ts";
import { isListenerName, type ListenMessages } from "../contract/listener.ts";
import { COMMAND } from "../contract/package-name.ts";
import { isUuid } from "../contract/schema.ts";
import { shortId, terminalText } from "../contract/text.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { type Route, routeTo } from "../scenario/route.ts";
import { ScenarioClient, UnreachableError } from "../scenario/scenario-client.ts";
import { findObstacle } from "../scenario/unreachable-reason.ts";
import { httpAddress, matching, worldName } from "./environment.ts";
import { createSender, failureReason, forward } from "./forward.ts";
import { newCommand } from "./program.ts";
import {
  addServiceOptions,
  type FoundService,
  findService,
  folderOf,
  isEventStream,
  NoServiceError,
  readMessages,
  responseSentence,
  type ServiceOptions,
  withService,
} from "./running-service.ts";
import { findUnready, TRY_EVERY_MS } from "./wait.ts";

const HELP = `
Receives a world's webhooks on this machine, byte for byte with their signature. Prints one line per notification, and
reports your server's response to the sandbox. While listen isn't connected, notifications wait. It reconnects by itself,
also after sleep.

listen subscribes once for each integration. The subscriptions stay when it ends: delete them in the explorer when you no
longer need them.

Exit status: 0 when stopped, 1 if no running service is found, 2 for an invalid option, address or token.

Examples:
  $ ${COMMAND} listen --forward-to http://localhost:3000/hook
  $ ${COMMAND} listen --url https://sandbox.example.com --token-file token.txt --forward-to http://localhost:3000/hook --since 2h`;

interface ListenOptions extends ServiceOptions {
  readonly forwardTo: string;
  readonly insecure?: boolean;
  readonly wait?: boolean;
  readonly world?: string;
  readonly name?: string;
  readonly since?: number;
  readonly eventType?: readonly EventType[];
  readonly integration?: string;
}

/**
 * Silence after which the connection counts as lost, in milliseconds. The service sends a heartbeat every ten seconds.
 */
const SILENT_MS = 25_000;
const RECONNECT_MS = [1_000, 2_000, 5_000, 10_000] as const;

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const since = (text: string): number => {
  const [, count, unit = ""] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (factor === undefined) throw new InvalidArgumentError("It must be a number with s, m, h or d, such as 2h.");
  return Number(count) * factor;
};
const eventType = (text: string, earlier: readonly EventType[] = []): readonly EventType[] => {
  const type = eventTypes.find((one) => one === text);
  if (!type) throw new InvalidArgumentError(`It must be one of ${eventTypes.join(", ")}.`);
  return [...earlier, type];
};

const listenCommand = (): Command =>
  addServiceOptions(
    newCommand("listen", "Forwards notifications of a running service to a server on this machine.", HELP),
  )
    .addOption(
      new Option("--forward-to <url>", "local URL that receives the notifications")
        .env("SANDBOX_FORWARD_TO")
        .argParser(httpAddress)
        .makeOptionMandatory(),
    )
    .option("--wait", "wait until the service responds, instead of failing")
    .option("--insecure", "accept any certificate of that server; one on this machine needs no option")
    .option("--world <name>", "the world (default: the token's)", worldName)
    .option(
      "--name <name>",
      "what the explorer calls this machine (default: its host name)",
      matching(isListenerName, "1 to 63 of a–z 0–9 -"),
    )
    .option("--since <time>", "also forward what happened since, such as 30m or 2h", since)
    .option("--event-type <type>", "only this type; repeatable (default: all)", eventType)
    .option(
      "--integration <id>",
      "only for this integration (default: all of the world)",
      matching(isUuid, "an integration ID"),
    );

const hostName = (): string => {
  const name =
    os
      .hostname()
      .toLowerCase()
      .split(".", 1)[0]
      ?.replaceAll(/[^a-z0-9-]/g, "-")
      .replaceAll(/^-+|-+$/g, "") ?? "";
  return isListenerName(name) ? name : "my-machine";
};

const say = (text: string): void =>
  void process.stdout.write(`${new Date().toTimeString().slice(0, 8)} ${terminalText(text)}\n`);

type Message = {
  [K in keyof ListenMessages]: { readonly kind: K; readonly data: ListenMessages[K] };
}[keyof ListenMessages];

/**
 * Yields the service's messages until the connection ends or is silent for too long. @throws UnreachableError @throws
 * when the connection is lost
 */
async function* messages(
  { baseUrl, token }: FoundService,
  { fetch }: Route,
  query: URLSearchParams,
  onPiece: () => void,
): AsyncGenerator<Message> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENT_MS);
  const address = `${baseUrl}/__sandbox/listen?${query}`;
  try {
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}` }, signal: silence.signal });
    if (!response.ok || !response.body) {
      const message = await responseSentence(response);
      const { status } = response;
      const isRefused = status === 401 || status === 403;
      // Other statuses may come from a proxy in between.
      const isWrongRequest = isRefused || status === 400 || status === 404;
      if (isWrongRequest) throw new UnreachableError(message, true);
      throw new Error(message);
    }
    if (!isEventStream(response)) throw new Error("a program that isn’t a sandbox answers");
    const heardAny = (): void => {
      timer.refresh();
      onPiece();
    };
    for await (const { event, data } of readMessages(response.body, heardAny))
      yield { kind: event, data: JSON.parse(data) } as Message;
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

const waitingText = (count: number): string =>
  count === 0 ? "No notifications wait." : count === 1 ? "1 notification waits." : `${count} notifications wait.`;

/** Forwards until stopped or refused by the service. @throws UnreachableError */
const forwardAll = async (service: FoundService, world: string, given: ListenOptions): Promise<never> => {
  const client = ScenarioClient.reaching(service.baseUrl, service.token);
  const { route } = client;
  const { forwardTo: to, name = hostName(), eventType: types = [], integration } = given;
  const send = await createSender(to, given.insecure === true);
  const createQuery = (again: boolean): URLSearchParams => {
    const query = new URLSearchParams({ world, name });
    // After a reconnect, the service resends missed notifications by itself.
    if (given.since !== undefined && !again) query.set("since", String(given.since));
    if (integration !== undefined) query.set("integration_id", integration);
    for (const type of types) query.append("event_type", type);
    return query;
  };
  const pass = async (notification: ListenMessages["notification"]): Promise<void> => {
    const { id, number, event_type, integration_id, label } = notification;
    const startedAt = performance.now();
    const response = await forward(send, to, notification);
    const ms = Math.round(performance.now() - startedAt);
    const result =
      response.response_status === null ? `no response: ${response.error}` : `${response.response_status} in ${ms} ms`;
    const again = number === 0 ? ", drill" : number > 1 ? `, attempt ${number}` : "";
    const body = { world, id, ...response };
    const report = await client.control(listenAnswer.id, body);
    const late = report.status === 200 ? "" : " (the service didn't take the response: it sends this again)";
    say(`${shortId(integration_id)} ${event_type} ${label}${again} → ${result}${late}`);
  };
  let lostAt: number | null = null;
  let heardAt = Date.now();
  const onPiece = (): void => {
    heardAt = Date.now();
  };
  let isOnceConnected = false;
  for (let failures = 0; ; failures += 1) {
    let reason = "the connection was lost";
    try {
      for await (const { kind, data } of messages(service, route, createQuery(isOnceConnected), onPiece)) {
        if (kind === "ready") {
          const after = lostAt === null ? "" : ` again after ${Math.round((Date.now() - lostAt) / 1_000)} s`;
          say(
            `Connected${after} to ${service.baseUrl}, world ${data.world}. ${waitingText(data.waiting)} Forwarding to ${to}.`,
          );
          [lostAt, failures, isOnceConnected] = [null, 0, true];
        }
        if (kind === "notification") void pass(data);
        if (kind === "end") reason = data.reason;
      }
    } catch (error) {
      if (error instanceof UnreachableError) throw error;
      const isSilent = error instanceof Error && error.name === "AbortError";
      const obstacle = findObstacle(error, service.baseUrl, route.through);
      const why = isSilent ? "the service is silent" : failureReason(error);
      reason = obstacle ?? why + route.through;
      if (!isOnceConnected) throw new UnreachableError(reason);
    }
    if (reason.startsWith("another"))
      throw new UnreachableError(`Disconnected: ${reason}. Choose another with --name.`);
    lostAt ??= heardAt;
    const wait = RECONNECT_MS[Math.min(failures, RECONNECT_MS.length - 1)] ?? 1_000;
    process.stderr.write(
      `Not connected: ${terminalText(reason).replace(/\.$/, "")}. Notifications wait. Trying again in ${wait / 1_000} s.\n`,
    );
    await sleep(wait);
  }
};

/** Finds the service, which may still have to start. @throws NoServiceError if it isn't waited for */
const findStarted = async (given: ListenOptions): Promise<FoundService> => {
  for (let isSaid = false; ; isSaid = true) {
    try {
      return findService(given);
    } catch (error) {
      if (!given.wait || !(error instanceof NoServiceError)) throw error;
      const { readyFile, data } = given;
      const which = readyFile === undefined ? `with the data folder ${folderOf(data)}` : `that writes ${readyFile}`;
      if (!isSaid) process.stderr.write(`Waiting for the service ${terminalText(which)}.\n`);
    }
    await sleep(TRY_EVERY_MS);
  }
};

const listenToService = async (service: FoundService, given: ListenOptions): Promise<void> => {
  const route = routeTo(service.baseUrl);
  let isSaid = false;
  while (given.wait) {
    const unready = await findUnready(service.baseUrl, route);
    // The call below says what answers there.
    if (unready === null || unready.isStranger) break;
    if (!isSaid)
      process.stderr.write(
        `Waiting for ${terminalText(service.baseUrl)}${terminalText(route.through)}.${unready.sentence === null ? "" : ` ${terminalText(unready.sentence)}`}\n`,
      );
    isSaid = true;
    await sleep(TRY_EVERY_MS);
  }
  const current = await ScenarioClient.reaching(service.baseUrl, service.token).must<CurrentToken>(
    tokensCurrent.id,
    {},
  );
  await forwardAll(service, given.world ?? current.world ?? DEFAULT_WORLD, given);
};

/** `sandbox listen`; {@link withService} ends it. @throws CommanderError for a bad option */
export const listen = (argv: readonly string[]): Promise<number> =>
  withService(listenCommand(), argv, listenToService, findStarted);
