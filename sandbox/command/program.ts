/** How a reader calls this program, wherever help or a message shows a command. */
export const PROGRAM = "npx integrations-explorer-sandbox";
