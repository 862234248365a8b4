import os from "node:os";
import path from "node:path";
import { Command, Option } from "commander";
import { rotateControlToken } from "../host/data-folder.ts";
import { defaultDataFolder } from "../host/default-data-folder.ts";
import { StartError } from "../host/start-error.ts";

/**
 * `sandbox token rotate`: gives a service that is stopped another control token; links and scripts with the one before no
 * longer work.
 *
 * @throws CommanderError for a bad option
 */
export const token = (argv: readonly string[], env: Readonly<Record<string, string | undefined>>): number => {
  let status = 0;
  const command = new Command("sandbox token")
    .description("Manages the control token of the explorer and the control plane.")
    .exitOverride();
  command
    .command("rotate")
    .description("Replaces the control token. The service must be stopped; links with the old one stop working.")
    .addOption(new Option("--data <dir>", "the service's data folder").env("SANDBOX_DATA"))
    .allowExcessArguments(false)
    .action(({ data }: { readonly data?: string }) => {
      const folder = path.resolve(data ?? defaultDataFolder(process.platform, env, os.homedir()));
      try {
        rotateControlToken(folder);
        process.stderr.write(`The next start of the service in ${folder} has a new control token.\n`);
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        process.stderr.write(`${error.message}\n`);
        status = 1;
      }
    });
  command.parse([...argv], { from: "user" });
  return status;
};
