import { strict } from "./not-stood-in.ts";

interface MessageBox {
  readonly message: string;
  readonly detail?: string;
  readonly cancelId?: number;
}
interface FileDialog {
  readonly defaultPath?: string;
}
/** Dialogs take an optional window as the first argument. */
type Given<Options> = [Options] | [object, Options];

const say = (...words: string[]) => console.error(`[dialog] ${words.join(": ")}`);
const findOptions = <Options>(given: Given<Options>): Options => given[given.length - 1] as Options;

/**
 * Writes a dialog's text to standard error, where a test can read it, and closes it without a choice. Tests that choose
 * replace these functions.
 */
export const dialog = strict("dialog", {
  showErrorBox(title: string, content: string): void {
    say(title, content);
  },
  async showMessageBox(...given: Given<MessageBox>): Promise<{ response: number; checkboxChecked: boolean }> {
    const { message, detail = "", cancelId = 0 } = findOptions(given);
    say(message, detail);
    return { response: cancelId, checkboxChecked: false };
  },
  async showSaveDialog(...given: Given<FileDialog>): Promise<{ canceled: boolean; filePath: string }> {
    say("save", findOptions(given).defaultPath ?? "");
    return { canceled: true, filePath: "" };
  },
  async showOpenDialog(): Promise<{ canceled: boolean; filePaths: string[] }> {
    say("open");
    return { canceled: true, filePaths: [] };
  },
});
