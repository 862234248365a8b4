import { Command, InvalidArgumentError, Option } from "commander";

/** What was asked for on the command line. */
export interface SoakOptions {
  readonly minutes: number;
  /** What chance is drawn from; null: another one every time. */
  readonly seed: number | null;
}

const minutesOf = (text: string): number => {
  const minutes = Number(text);
  if (!(minutes > 0) || minutes > 10_080) throw new InvalidArgumentError("Use a number of minutes, up to a week.");
  return minutes;
};

const seedOf = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Use a whole number of up to nine digits.");
  return Number(text);
};

/**
 * Reads the command line.
 *
 * @throws CommanderError for a bad option, after the sentence was printed
 */
export const readSoakOptions = (argv: readonly string[]): SoakOptions => {
  const given = new Command("soak")
    .description("Writes to the built service, kills it again and again, and checks that nothing acknowledged is lost.")
    .addOption(
      new Option("--minutes <n>", "how long to go on before the quiet end").default(60).argParser<number>(minutesOf),
    )
    .addOption(new Option("--seed <n>", "what chance is drawn from, as an earlier run printed it").argParser(seedOf))
    .helpOption("-h, --help", "print this help")
    .addHelpText(
      "after",
      "\nProgress goes to standard error. Ctrl-C ends everything. Status 1: something did not hold.",
    )
    .showSuggestionAfterError()
    .allowExcessArguments(false)
    .exitOverride()
    .parse([...argv], { from: "user" })
    .opts<{ minutes: number; seed?: number }>();
  return { minutes: given.minutes, seed: given.seed ?? null };
};
