import { Command, Option } from "commander";
import { DEFAULT_PORT } from "../config.ts";
import { httpAddress } from "./environment.ts";

const TRY_EVERY_MS = 100;

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(new URL("/__health", url), { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
};

/** `sandbox wait`: 0 when a service is ready, 1 when it is not in time. @throws CommanderError for a bad option */
export const wait = async (argv: readonly string[], atLeast: (text: string) => number): Promise<number> => {
  const command = new Command("sandbox wait")
    .description("Waits until a service is ready: exit status 0 when it is, 1 when not in time.")
    .addOption(
      new Option("--url <url>", "address of the service")
        .default(`http://127.0.0.1:${DEFAULT_PORT}`)
        .argParser(httpAddress),
    )
    .addOption(new Option("--timeout <seconds>", "how long to wait").default(30).argParser(atLeast))
    .allowExcessArguments(false)
    .exitOverride();
  command.parse([...argv], { from: "user" });
  const { url, timeout } = command.opts<{ readonly url: string; readonly timeout: number }>();
  const end = Date.now() + timeout * 1_000;
  for (;;) {
    if (await isReady(url)) return 0;
    if (Date.now() >= end) break;
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
  process.stderr.write(
    `No service was ready at ${url} within ${timeout} s. Is it started, and is the address right?\n`,
  );
  return 1;
};
