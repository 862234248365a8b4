import { Command, Help } from "commander";
import { COMMAND } from "../contract/package-name.ts";

/** Columns of the terminal. */
const width = (): number => (process.stdout.isTTY ? process.stdout.columns : 80);

/** Wraps paragraphs at the terminal's width. A block with an indented line, such as examples, stays as it is. */
export const fitHelp = (text: string): string => {
  const fit = (block: string): string =>
    /^ /m.test(block) ? block : new Help().boxWrap(block.replaceAll("\n", " "), width());
  return text.split("\n\n").map(fit).join("\n\n");
};

/**
 * Creates a command that throws on wrong use, after printing the reason.
 *
 * @param name null: the program itself
 * @param help text below the options
 * @param subcommands usage and description of commands that are parsed elsewhere
 */
export const newCommand = (
  name: string | null,
  description: string,
  help = "",
  subcommands: readonly (readonly [usage: string, description: string])[] = [],
): Command => {
  const command = new Command(name === null ? COMMAND : `${COMMAND} ${name}`);
  if (subcommands.length > 0) command.usage(`[options]\n       ${COMMAND} COMMAND [options]`);
  const listed = (): string => {
    const helper = command.createHelp();
    helper.prepareContext({ helpWidth: width() });
    const widest = Math.max(...subcommands.map(([usage]) => usage.length));
    const items = subcommands.map(([usage, about]) => helper.formatItem(usage, widest, about, helper));
    return `Commands:\n${items.join("\n")}`;
  };
  return command
    .description(description)
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", () =>
      [...(subcommands.length === 0 ? [] : [listed()]), ...(help === "" ? [] : [fitHelp(help.trim())])]
        .map((part) => `\n${part}`)
        .join("\n"),
    )
    .exitOverride();
};
