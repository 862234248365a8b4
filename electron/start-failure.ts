import { app, dialog, shell } from "electron";
import { readReadyFile, readyFilePath } from "../sandbox/host/data-folder.ts";
import { isLoopbackHost } from "../sandbox/rules/webhooks/webhook-url.ts";
import { StartError } from "../sandbox/service.ts";
import { writeRedirectFile } from "./redirect-file.ts";

/** The data folder to try after a failed start; null: quit. */
type StartRecovery = string | null;

/** Explains why the service cannot start, in a dialog and in the terminal, and offers ways to continue. */
export async function promptForRecovery(error: unknown, dataFolder: string): Promise<StartRecovery> {
  const sentence = error instanceof Error ? error.message : String(error);
  console.error(sentence);
  const ways = recoveriesFor(error, dataFolder);
  const { response } = await dialog.showMessageBox({
    type: "error",
    title: app.getName(),
    message: `${app.getName()} can’t start`,
    detail: sentence,
    buttons: ways.map(({ label }) => label),
    defaultId: 0,
    cancelId: ways.length - 1,
    noLink: true,
  });
  return (await ways[response]?.choose()) ?? null;
}

interface Way {
  readonly label: string;
  choose(): Promise<StartRecovery>;
}

function recoveriesFor(error: unknown, dataFolder: string): Way[] {
  const quit: Way = { label: "Quit", choose: async () => null };
  if (!(error instanceof StartError)) return [quit];
  const other: Way = { label: "Choose another folder…", choose: chooseFolder };
  const isOfFolder = ["folder_in_use", "folder_unusable", "other_version"].includes(error.code);
  const running = error.code === "folder_in_use" ? readReadyFile(readyFilePath(dataFolder)) : null;
  const explorer = ownAddress(running?.explorer_url);
  return [
    ...(explorer === null
      ? []
      : [{ label: "Open the running service in the browser", choose: () => visit(explorer, dataFolder) }]),
    ...(isOfFolder ? [other] : []),
    quit,
  ];
}

/**
 * Returns the address in a file if it belongs to a service on this machine; null for anything else, which is not
 * opened.
 */
function ownAddress(address: unknown): string | null {
  if (typeof address !== "string" || !URL.canParse(address)) return null;
  const { protocol, hostname, username, href } = new URL(address);
  return protocol === "http:" && isLoopbackHost(hostname) && username === "" ? href : null;
}

async function visit(explorerUrl: string, dataFolder: string): Promise<StartRecovery> {
  // The redirect file hides the control token from other users, who can read a program's arguments.
  const problem = await shell.openPath(writeRedirectFile(dataFolder, explorerUrl));
  if (problem !== "") console.error(problem);
  return null;
}

async function chooseFolder(): Promise<StartRecovery> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    title: "A folder for the worlds of this service",
    properties: ["openDirectory", "createDirectory", "promptToCreate"],
  });
  return canceled ? null : (filePaths[0] ?? null);
}
