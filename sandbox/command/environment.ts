import type { EventEmitter } from "node:events";
import fs from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { environment } from "../config.ts";
import { StartError } from "../host/start-error.ts";
import { isWorldName } from "../rules/worlds/world-name.ts";

/** Parses the address of a service. @throws InvalidArgumentError */
export const httpAddress = (text: string): string => {
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ""))
    throw new InvalidArgumentError("It must be an http address, such as http://localhost:3000.");
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

/** Accepts text that matches. @param what description for the error @throws InvalidArgumentError */
export const matching =
  (fits: (text: string) => boolean, what: string) =>
  (text: string): string => {
    if (!fits(text)) throw new InvalidArgumentError(`It must be ${what}.`);
    return text;
  };
export const worldName = matching(isWorldName, "1 to 64 of A–Z a–z 0–9 . _ -");

/** Explains that a service's address was given without its token. */
export const missingToken = (url: string): string =>
  `There is no token for ${url}. Set SANDBOX_CONTROL_TOKEN to the control_token of its ready line, or pass --token-file.`;

const readTokenFile = (file: string): string => {
  try {
    const token = fs.readFileSync(file, "utf8").trim();
    if (/^\S+$/.test(token)) return token;
  } catch {
    throw new InvalidArgumentError("It can’t be read.");
  }
  throw new InvalidArgumentError("It must hold a token and nothing else.");
};

/** Makes the errors of an option's file. @param what what it holds */
export const unusableFile =
  (what: string, file: string) =>
  (problem: string): StartError =>
    new StartError(
      "bad_option",
      `The ${what} file ${file} cannot be used: ${problem}. The help’s page “Deploy a shared sandbox” shows its shape.`,
    );

/** Parses the JSON file of an option. */
export const readOptionFile = (file: string, bad: (problem: string) => Error): unknown => {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as unknown;
  } catch (error) {
    // The parser's own message would quote the file, and so its secrets.
    const problem = error instanceof SyntaxError ? null : (error as NodeJS.ErrnoException).code;
    throw bad(problem === null ? "it is not valid JSON" : `it can’t be read (${problem})`);
  }
};

/** Values of the options of {@link addTokenOptions}; the file takes precedence. */
export interface TokenOptions {
  readonly token?: string;
  readonly tokenFile?: string;
}

/**
 * Adds the token options. The help never mentions `--token`, because every user of a machine can read its command
 * lines.
 */
export const addTokenOptions = (command: Command): Command =>
  command
    .addOption(new Option("--token <token>").env("SANDBOX_CONTROL_TOKEN").hideHelp())
    .addOption(
      new Option(
        "--token-file <file>",
        "file with its control token, or with a world token (or SANDBOX_CONTROL_TOKEN)",
      ).argParser(readTokenFile),
    );

const YES = ["1", "true", "yes", "on"];
const NO = ["0", "false", "no", "off"];
const CONTRARY: Readonly<Record<string, readonly string[]>> = { data: ["memory"], memory: ["data"] };
/** For commands that look for a service: a file or folder on the command line selects it, and has its token. */
const CONTRARY_TO_SEARCH: typeof CONTRARY = {
  ...{ url: ["ready-file", "data"], token: ["ready-file", "data"] },
  ...{ "ready-file": ["data"], data: ["ready-file"] },
};
/** A part before an @ may be a password, and errors end up in logs. */
const PASSWORD = /(?<=' (?:value|argument) '[^:]*:).*@(?=.*' (?:from env|is invalid))/s;

export const urlOption = (description: string): Option =>
  new Option("--url <url>", description).env("SANDBOX_BASE_URL").argParser(httpAddress);

/**
 * Lets a command read the variables of its options. Empty variables count as unset, and variables that contradict an
 * option on the command line are ignored.
 *
 * @param env default: this process's
 */
export const withEnvironment = (command: Command, argv: readonly string[], env = environment()): Command => {
  command.configureOutput({ outputError: (text, write) => write(text.replace(PASSWORD, "…@")) });
  // Every command is an EventEmitter, but its type omits that.
  const emitter = command as unknown as EventEmitter;
  const given = (name: string): boolean => argv.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  const contrary = command.options.some((one) => one.name() === "url") && !given("url") ? CONTRARY_TO_SEARCH : CONTRARY;
  for (const one of command.options) {
    const text = env[one.envVar ?? ""]?.toLowerCase() ?? "";
    const isNo = one.isBoolean() && NO.includes(text);
    if (one.isBoolean() && text !== "" && !isNo && !YES.includes(text))
      command.error(
        `error: option '${one.flags}' value '${text}' from env '${one.envVar}' is invalid. It must be one of ${[...YES, ...NO].join(", ")}.`,
      );
    // The argument library would treat an empty or contradicting variable as set.
    if (text === "" || isNo || contrary[one.name()]?.some(given)) emitter.removeAllListeners(`optionEnv:${one.name()}`);
  }
  return command;
};

/** Parses the command line and the environment with {@link withEnvironment}. @throws CommanderError for a bad option */
export const parseOptions = <Given extends object>(
  command: Command,
  argv: readonly string[],
  env = environment(),
): Given =>
  withEnvironment(command, argv, env)
    .parse([...argv], { from: "user" })
    .opts<Given>();
