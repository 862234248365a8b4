import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { dialog, shell } from "electron";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { StartError } from "../sandbox/host/start-error.ts";
import { promptForRecovery } from "./start-failure.ts";

// Importing the real package starts a download.
vi.mock("electron", () => ({
  app: { getName: () => "Explorer" },
  dialog: { showMessageBox: vi.fn(), showOpenDialog: vi.fn() },
  shell: { openExternal: vi.fn(), openPath: vi.fn(async () => "") },
}));

let folder: string;
const asked = () =>
  vi.mocked(dialog.showMessageBox).mock.lastCall?.[0 as never] as unknown as Electron.MessageBoxOptions;
/** Presses the button with this label; closing the dialog counts as the last button. */
function press(label: string): void {
  vi.mocked(dialog.showMessageBox).mockImplementation((async (options: Electron.MessageBoxOptions) => ({
    response: options.buttons?.indexOf(label) ?? -1,
    checkboxChecked: false,
  })) as unknown as typeof dialog.showMessageBox);
}

beforeEach(() => {
  vi.clearAllMocks();
  vi.spyOn(console, "error").mockReturnValue();
  folder = mkdtempSync(path.join(os.tmpdir(), "start-failure-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a failed start", () => {
  test.each(["folder_unusable", "other_version", "folder_in_use"] as const)(
    "says why and offers another folder (%s)",
    async (code) => {
      press("Choose another folder…");
      vi.mocked(dialog.showOpenDialog).mockResolvedValue({ canceled: false, filePaths: ["/another"] });
      expect(await promptForRecovery(new StartError(code, "The folder is no good."), folder)).toBe("/another");
      expect(asked()).toMatchObject({
        message: "Explorer can’t start",
        detail: "The folder is no good.",
        buttons: ["Choose another folder…", "Quit"],
        cancelId: 1,
      });
      expect(vi.mocked(console.error).mock.lastCall).toEqual(["The folder is no good."]);
    },
  );

  test("ends if no other folder is chosen", async () => {
    press("Choose another folder…");
    vi.mocked(dialog.showOpenDialog).mockResolvedValue({ canceled: true, filePaths: [] });
    expect(await promptForRecovery(new StartError("other_version", "x"), folder)).toBeNull();
  });

  test("offers to open the service that already uses the folder", async () => {
    const explorer_url = "http://127.0.0.1:4026/#token=x";
    writeFileSync(path.join(folder, "service.json"), JSON.stringify({ pid: process.pid, explorer_url }));
    press("Open the running service in the browser");
    expect(await promptForRecovery(new StartError("folder_in_use", "x"), folder)).toBeNull();
    const file = path.join(folder, "open.html");
    expect(vi.mocked(shell.openPath).mock.calls).toEqual([[file]]);
    expect(readFileSync(file, "utf8")).toContain(`url=${explorer_url}`);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(vi.mocked(shell.openExternal)).not.toHaveBeenCalled();
  });

  test.each([
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://evil.example/",
    "http://a@127.0.0.1/",
    "x",
    1,
    undefined,
  ])("ignores an address that isn't a local service: %s", async (explorer_url) => {
    writeFileSync(path.join(folder, "service.json"), JSON.stringify({ pid: process.pid, explorer_url }));
    press("Quit");
    await promptForRecovery(new StartError("folder_in_use", "x"), folder);
    expect(asked()).toMatchObject({ buttons: ["Choose another folder…", "Quit"] });
  });

  test("is logged once when it ends", async () => {
    press("Quit");
    await promptForRecovery(new Error("x"), folder);
    expect(vi.mocked(console.error)).toHaveBeenCalledOnce();
  });

  test.each([new StartError("port_taken", "x"), new Error("x"), "x"])(
    "ends immediately if the folder isn't the reason",
    async (error) => {
      press("Quit");
      expect(await promptForRecovery(error, folder)).toBeNull();
      expect(asked()).toMatchObject({ detail: "x", buttons: ["Quit"], cancelId: 0 });
    },
  );
});
