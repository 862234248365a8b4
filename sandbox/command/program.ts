import { Command } from "commander";
import { COMMAND } from "../contract/package-name.ts";

/** Creates a command that throws on wrong use, after printing the reason. @param name null: the program itself */
export const newCommand = (name: string | null, description: string, help = ""): Command =>
  new Command(name === null ? COMMAND : `${COMMAND} ${name}`)
    .description(description)
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", help)
    .exitOverride();
