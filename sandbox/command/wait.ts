import { InvalidArgumentError, Option } from "commander";
import { DEFAULT_PORT } from "../config.ts";
import { terminalText } from "../contract/text.ts";
import { readReadyFile } from "../host/data-folder.ts";
import { direct, type Route, routeTo } from "../scenario/route.ts";
import { parseOptions, urlOption } from "./environment.ts";
import { newCommand } from "./program.ts";

/** Interval between readiness checks, in milliseconds. */
export const TRY_EVERY_MS = 100;

/** Parses a non-negative number of seconds. */
const seconds = (text: string): number => {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0 || value > 86_400) {
    throw new InvalidArgumentError("It must be a number of seconds from 0 to 86400.");
  }
  return value;
};

export const isReady = async (url: string, { fetch }: Route): Promise<boolean> => {
  try {
    return (await fetch(new URL("/__health", url).href, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
};

interface WaitOptions {
  readonly url?: string;
  readonly readyFile?: string;
  readonly timeout: number;
}

/** `sandbox wait`: 0 when a service is ready, 1 on timeout. @throws CommanderError for a bad option */
export const wait = async (argv: readonly string[]): Promise<number> => {
  const command = newCommand("wait", "Waits until a service is ready. Exit status 0 when it is, 1 on timeout.")
    .addOption(urlOption(`address of the service (default: http://127.0.0.1:${DEFAULT_PORT})`))
    .addOption(
      new Option("--ready-file <file>", "wait for the service that writes this ready file").env("SANDBOX_READY_FILE"),
    )
    .option("--timeout <seconds>", "timeout", seconds, 30);
  const { url, readyFile, timeout } = parseOptions<WaitOptions>(command, argv);
  // An explicit address takes precedence over the ready file.
  const address = (): string | undefined =>
    url ?? (readyFile === undefined ? `http://127.0.0.1:${DEFAULT_PORT}` : readReadyFile(readyFile)?.base_url);
  // A service with a ready file runs on this machine.
  const route = url === undefined ? direct : routeTo(url);
  const end = Date.now() + timeout * 1_000;
  for (;;) {
    const at = address();
    if (at !== undefined && (await isReady(at, route))) return 0;
    if (Date.now() >= end) break;
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
  const where = address() ?? `the address in ${readyFile}`;
  process.stderr.write(
    `No service was ready at ${terminalText(where)}${terminalText(route.through)} within ${timeout} s. Start it, or check the address${route.through && " and the proxy"}.\n`,
  );
  return 1;
};
