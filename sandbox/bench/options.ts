import { Command, InvalidArgumentError, Option } from "commander";

/** What was asked for on the command line. */
export interface BenchOptions {
  readonly json: boolean;
  readonly quick: boolean;
  readonly peers: boolean;
  /** The explorer's rows in place of the service's. */
  readonly explorer: boolean;
  /** The browser's program; null: Playwright's own. */
  readonly chromium: string | null;
  /** Names of groups; null: all of them. */
  readonly only: readonly string[] | null;
  /** Where data folders are made; null: below the checkout's `out`. */
  readonly folder: string | null;
}

const namesOf =
  (known: readonly string[]) =>
  (text: string, earlier: readonly string[] = []): readonly string[] => {
    const names = text.split(",").map((name) => name.trim());
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) throw new InvalidArgumentError(`Use one or more of ${known.join(", ")}.`);
    return [...earlier, ...names];
  };

/**
 * Reads the command line.
 *
 * @param known the groups there are, with what each is about
 * @throws CommanderError for a bad option, after the sentence was printed
 */
export const readBenchOptions = (
  argv: readonly string[],
  known: readonly { readonly name: string; readonly about: string }[],
): BenchOptions => {
  const names = known.map(({ name }) => name);
  const list = known.map(({ name, about }) => `  ${name.padEnd(14)}${about}`).join("\n");
  const given = new Command("bench")
    .description("Measures the built service against this machine's own limits, and prints each target's verdict.")
    .option("--json", "machine form on standard output instead of the table")
    .option("--peers", "also measure Mockoon, Prism, json-server and WireMock, installed into a temporary folder")
    .option("--explorer", "measure the explorer in a Chromium instead, a quarter of an hour")
    .option("--chromium <file>", "the browser for that (default: what the end-to-end tests take)")
    .addOption(
      new Option("--only <row,...>", "measure these groups of rows alone").argParser<readonly string[]>(namesOf(names)),
    )
    .option("--quick", "short, for trying: the figures say little")
    .option("--folder <dir>", "a folder on a real disk for the data (default: out/bench of the checkout)")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", `\nGroups of rows:\n${list}\n\nProgress goes to standard error. Ctrl-C ends everything.`)
    .showSuggestionAfterError()
    .allowExcessArguments(false)
    .exitOverride()
    .parse([...argv], { from: "user" })
    .opts<Partial<BenchOptions>>();
  return {
    json: given.json === true,
    quick: given.quick === true,
    peers: given.peers === true,
    explorer: given.explorer === true,
    chromium: given.chromium ?? null,
    only: given.only ?? null,
    folder: given.folder ?? null,
  };
};
