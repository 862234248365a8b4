import { SUBCOMMANDS, serveOptions } from "../../sandbox/command/options.ts";
import { type Page, stacked, table } from "./page.ts";

/** The options from the command's own declaration. */
export const commandPage: Page = {
  slug: "reference/command-line",
  title: "Command line",
  description: "All options and sub-commands of the sandbox, each with its environment variable.",
  body: stacked(
    "[Install](../../how-to/start/) says how to get the command `sandbox`. In a clone, `npm run --silent sandbox --` is the same. Write options and sub-commands after it, such as `sandbox run FILE`.",
    "## Options",
    table(
      ["Option", "Variable", "Meaning", "Default"],
      serveOptions
        .filter(({ hidden }) => !hidden)
        .map(({ flags, description, defaultValue, envVar }) => [
          `\`${flags}\``,
          `\`${envVar}\``,
          description,
          defaultValue === undefined ? "" : `\`${String(defaultValue)}\``,
        ]),
    ),
    "## Sub-commands",
    table(
      ["Command", "Meaning"],
      SUBCOMMANDS.map(([usage, description]) => [`\`${usage}\``, description]),
    ),
  ),
};
