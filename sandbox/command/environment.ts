import type { EventEmitter } from "node:events";
import fs from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { environment } from "../config.ts";
import { isWorldName } from "../rules/worlds/world-name.ts";

/** Parses the address of a service. @throws InvalidArgumentError */
export const httpAddress = (text: string): string => {
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ""))
    throw new InvalidArgumentError("It must be an http address.");
  return text;
};

/** Parses a whole number in a range. @throws InvalidArgumentError */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };

/** Takes a text that fits. @param what it must be @throws InvalidArgumentError */
export const matching =
  (fits: (text: string) => boolean, what: string) =>
  (text: string): string => {
    if (!fits(text)) throw new InvalidArgumentError(`It must be ${what}.`);
    return text;
  };
export const worldName = matching(isWorldName, "1 to 64 of A–Z a–z 0–9 . _ -");

const tokenIn = (file: string): string => {
  try {
    const token = fs.readFileSync(file, "utf8").trim();
    if (/^\S+$/.test(token)) return token;
  } catch {
    throw new InvalidArgumentError("It can’t be read.");
  }
  throw new InvalidArgumentError("It must hold a token and nothing else.");
};

/** What the options of {@link addTokenOptions} say; the file comes first. */
export interface GivenToken {
  readonly token?: string;
  readonly tokenFile?: string;
}

/** Adds the options for a token. Every user of a machine can read its command lines, so no help names `--token`. */
export const addTokenOptions = (command: Command): Command =>
  command
    .addOption(new Option("--token <token>").env("SANDBOX_CONTROL_TOKEN").hideHelp())
    .addOption(
      new Option(
        "--token-file <file>",
        "file with its control token, or with a world token (or SANDBOX_CONTROL_TOKEN)",
      ).argParser(tokenIn),
    );

const YES = ["1", "true", "yes", "on"];
const NO = ["0", "false", "no", "off"];
const CONTRARY: Readonly<Record<string, string>> = { data: "memory", memory: "data" };
/** What is before an @ may be a password, and what is refused ends up in logs. */
const PASSWORD = /(?<=' (?:value|argument) '[^:]*:).*@(?=.*' (?:from env|is invalid))/s;

/** The option that names a running service. */
export const urlOption = (description: string): Option =>
  new Option("--url <url>", description).env("SANDBOX_BASE_URL").argParser(httpAddress);

/**
 * Has a command read the variables that its options name. An empty one says nothing; one that contradicts an option on the
 * command line gives way to it.
 *
 * @param env left out: this process's; a variable that is not in it says nothing
 */
export const withEnvironment = (command: Command, argv: readonly string[], env = environment()): Command => {
  command.configureOutput({ outputError: (text, write) => write(text.replace(PASSWORD, "…@")) });
  // Every command is one, which its type does not say.
  const emitter = command as unknown as EventEmitter;
  const given = (name = ""): boolean => argv.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  for (const one of command.options) {
    const text = env[one.envVar ?? ""]?.toLowerCase() ?? "";
    const isNo = one.isBoolean() && NO.includes(text);
    if (one.isBoolean() && text !== "" && !isNo && !YES.includes(text))
      command.error(
        `error: option '${one.flags}' value '${text}' from env '${one.envVar}' is invalid. It must be one of ${[...YES, ...NO].join(", ")}.`,
      );
    // The argument library takes any variable that is set for one that says something.
    if (text === "" || isNo || given(CONTRARY[one.name()])) emitter.removeAllListeners(`optionEnv:${one.name()}`);
  }
  return command;
};

/** What a command line and the environment say, after {@link withEnvironment}. @throws CommanderError for a bad option */
export const parseOptions = <Given extends object>(
  command: Command,
  argv: readonly string[],
  env = environment(),
): Given =>
  withEnvironment(command, argv, env)
    .parse([...argv], { from: "user" })
    .opts<Given>();
