import { InvalidArgumentError, Option } from "commander";
import { DEFAULT_PORT } from "../config.ts";
import { terminalText } from "../contract/text.ts";
import { readReadyFile } from "../host/data-folder.ts";
import { tryParseJson } from "../rules/json/untyped.ts";
import { direct, type Route, routeTo } from "../scenario/route.ts";
import { findObstacle, strangerSentence } from "../scenario/unreachable-reason.ts";
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

/** Why a service isn't ready. */
interface NotReady {
  /** Null: it isn't reachable. */
  readonly sentence: string | null;
  /** Another program answers there: waiting doesn't help. */
  readonly isStranger: boolean;
}

/** Asks a service for its health; null when it is ready. */
export const findUnready = async (url: string, { fetch, through }: Route): Promise<NotReady | null> => {
  try {
    const response = await fetch(new URL("/__health", url).href, { signal: AbortSignal.timeout(2_000) });
    const { status } = response;
    const health = tryParseJson(await response.text()) as { readonly status?: unknown } | null | undefined;
    if (response.ok && health?.status === "ok") return null;
    return response.ok
      ? { sentence: strangerSentence(url, through, `${status} without a sandbox's health`), isStranger: true }
      : {
          sentence: `It answered ${status}${through}. Check the address${through && " and the proxy"}.`,
          isStranger: false,
        };
  } catch (error) {
    return { sentence: findObstacle(error, url, through), isStranger: false };
  }
};

interface WaitOptions {
  readonly url?: string;
  readonly readyFile?: string;
  readonly timeout: number;
}

/** `sandbox wait`: 0 when a service is ready, 1 on timeout, 2 when another program answers. @throws CommanderError for a bad option */
export const wait = async (argv: readonly string[]): Promise<number> => {
  const command = newCommand(
    "wait",
    "Waits until a service is ready. Exit status 0 when it is, 1 on timeout, 2 when another program answers there.",
  )
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
  let last: NotReady | null = null;
  for (;;) {
    const at = address();
    if (at !== undefined) {
      last = await findUnready(at, route);
      if (last === null) return 0;
      if (last.isStranger) {
        process.stderr.write(`error: ${terminalText(last.sentence ?? "")}\n`);
        return 2;
      }
    }
    if (Date.now() >= end) break;
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
  const where = address() ?? `the address in ${readyFile}`;
  const why = last?.sentence ?? `Start it, or check the address${route.through && " and the proxy"}.`;
  const at = terminalText(where + route.through);
  process.stderr.write(`No service was ready at ${at} within ${timeout} s. ${terminalText(why)}\n`);
  return 1;
};
