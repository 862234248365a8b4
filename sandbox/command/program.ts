import { Command } from "commander";
import { COMMAND } from "../contract/package-name.ts";

/** A command that throws where it is used wrongly, after it has said so. @param name left out: the program itself */
export const newCommand = (name: string | null, description: string, help = ""): Command =>
  new Command(name === null ? COMMAND : `${COMMAND} ${name}`)
    .description(description)
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", help)
    .exitOverride();
