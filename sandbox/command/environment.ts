import { type Command, InvalidArgumentError, Option } from "commander";

const variables = new WeakMap<Option, string>();
/** An option that a variable of the environment gives too. */
export const option = (flags: string, description: string, variable: string): Option => {
  const made = new Option(flags, `${description} (env: ${variable})`);
  variables.set(made, variable);
  return made;
};

/** Parses the address of a service. @throws InvalidArgumentError */
export const httpAddress = (text: string): string => {
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ""))
    throw new InvalidArgumentError("It must be an http address.");
  return text;
};

const YES = ["1", "true", "yes", "on"];
const NO = ["0", "false", "no", "off"];

const valueFromText = (one: Option, text: string): unknown => {
  if (one.required) return one.parseArg ? one.parseArg(text, undefined) : text;
  if (YES.includes(text.toLowerCase())) return true;
  if (NO.includes(text.toLowerCase())) return undefined;
  throw new InvalidArgumentError(`It must be one of ${[...YES, ...NO].join(", ")}.`);
};

/**
 * Sets what the environment says, from the one that is passed in: the argument library would read its own. An empty
 * variable says nothing; one that contradicts an option on the command line gives way to it.
 */
export const applyEnvironment = (command: Command, argv: readonly string[], env: NodeJS.ProcessEnv): void => {
  const given = (name: string): boolean => argv.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  for (const one of command.options) {
    const variable = variables.get(one);
    const text = variable === undefined ? undefined : env[variable];
    if (
      text === undefined ||
      text === "" ||
      (one.name() === "data" && given("memory")) ||
      (one.name() === "memory" && given("data"))
    )
      continue;
    try {
      const value = valueFromText(one, text);
      if (value !== undefined) command.setOptionValueWithSource(one.attributeName(), value, "env");
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      // What is before an @ may be a password, and this ends up in logs.
      const shown = text.replace(/:.*@/s, ":…@");
      command.error(
        `error: option '${one.flags}' value '${shown}' from env '${variable}' is invalid. ${error.message}`,
      );
    }
  }
};
