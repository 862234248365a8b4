import os from "node:os";
import { type Command, Option } from "commander";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { environment } from "../config.ts";
import { terminalText } from "../contract/text.ts";
import { defaultDataFolder, readReadyFile, readyFilePath } from "../host/data-folder.ts";
import { UnreachableError } from "../scenario/scenario-client.ts";
import { addTokenOptions, missingToken, parseOptions, type TokenOptions, urlOption } from "./environment.ts";

/** Address and control token of a running service. */
export interface FoundService {
  readonly baseUrl: string;
  readonly token: string;
}

/** Options that select the service. */
export interface ServiceOptions extends TokenOptions {
  readonly url?: string;
  readonly readyFile?: string;
  readonly data?: string;
}

/** No service was found. */
export class NoServiceError extends Error {}

/** Returns the message of a control plane's refusal; without JSON, a sentence about its status. */
export const responseSentence = async (response: Response): Promise<string> => {
  const body = (await response.json().catch(() => null)) as { readonly message?: string } | null;
  return body?.message ?? (response.statusText || `status ${response.status}`);
};

/** Returns whether a response is a stream of events: a captive portal answers with a page instead. */
export const isEventStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

/** Yields a stream's messages. @param onPiece called for each piece, because heartbeats aren't messages */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  onPiece = (): void => undefined,
): AsyncGenerator<EventSourceMessage> {
  const found: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void found.push(message) });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    onPiece();
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* found.splice(0);
  }
}

/**
 * Runs a command's work and prints the sentence of an expected failure.
 *
 * @returns 0 when done, 1 when no service is found or it is lost, 2 for a wrong or missing address, token or world
 */
export const exitStatus = async (
  work: () => Promise<unknown>,
  expected: readonly (new (...args: never[]) => Error)[] = [],
): Promise<number> => {
  try {
    await work();
    return 0;
  } catch (error) {
    const isExpected = [NoServiceError, UnreachableError, ...expected].some((one) => error instanceof one);
    if (!isExpected || !(error instanceof Error)) throw error;
    // The service names a field of its body by its path; an ID is the command's own argument.
    process.stderr.write(`error: ${terminalText(error.message.replace(/^\/id /, ""))}\n`);
    return error instanceof UnreachableError && error.isWrongRequest ? 2 : 1;
  }
};

/**
 * Parses the options and works with the selected service until stopped.
 *
 * @param find finds the service, or waits for it
 * @throws CommanderError
 */
export const withService = async <G extends ServiceOptions>(
  command: Command,
  argv: readonly string[],
  work: (service: FoundService, given: G) => Promise<void>,
  find: (given: G) => FoundService | Promise<FoundService> = findService,
): Promise<number> => {
  const given = parseOptions<G>(command, argv);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(0));
  return exitStatus(async () => work(await find(given), given));
};

/** Adds the options that select a running service. */
export const addServiceOptions = (command: Command): Command =>
  addTokenOptions(command.addOption(urlOption("address of the running service")))
    .addOption(
      new Option("--ready-file <file>", "read both from the file with its ready line").env("SANDBOX_READY_FILE"),
    )
    .addOption(
      new Option("--data <dir>", "the service that has this data folder (default: the platform's)").env("SANDBOX_DATA"),
    );

/** The data folder of an option, or the platform's. */
export const folderOf = (data: string | undefined): string =>
  data ?? defaultDataFolder(process.platform, environment(), os.homedir());

/**
 * Finds the service by address and token, or by the ready line in a file or a data folder.
 *
 * @throws NoServiceError with a sentence that says what to do
 * @throws UnreachableError for an address without a token
 */
export const findService = ({ url, readyFile, data, ...given }: ServiceOptions): FoundService => {
  const token = given.tokenFile ?? given.token;
  if (url !== undefined && token !== undefined) return { baseUrl: url.replace(/\/+$/, ""), token };
  const folder = folderOf(data);
  const ready = readReadyFile(readyFile ?? readyFilePath(folder));
  // Another service's token must not reach a stranger.
  if (url !== undefined && new URL(url).origin !== (ready && new URL(ready.base_url).origin))
    throw new UnreachableError(missingToken(url), true);
  if (!ready) {
    throw new NoServiceError(
      readyFile === undefined
        ? `No service is running on the data folder ${folder}. Start one, or choose a running one with --url and --token-file, --ready-file or --data.`
        : `No running service matches the ready file ${readyFile}. Start the sandbox, or pass another --ready-file.`,
    );
  }
  return { baseUrl: ready.base_url, token: token ?? ready.control_token };
};
