import { Command } from "commander";

/** How a reader calls this program, wherever help or a message shows a command. */
export const PROGRAM = "npx integrations-explorer-sandbox";

/** A command that throws where it is used wrongly, after it has said so. @param name left out: the program itself */
export const newCommand = (name: string | null, description: string, help = ""): Command =>
  new Command(name === null ? PROGRAM : `${PROGRAM} ${name}`)
    .description(description)
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", help)
    .exitOverride();
