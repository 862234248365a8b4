import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type BrowserWindow, dialog } from "electron";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openFile, saveFile } from "./file-dialogs.ts";

// Importing the real package starts a download.
vi.mock("electron", () => ({ dialog: { showSaveDialog: vi.fn(), showOpenDialog: vi.fn() } }));

const window = {} as BrowserWindow;
const pictures = [{ name: "Pictures", extensions: ["png"] }];
let folder: string;
const at = (name: string) => path.join(folder, name);
const saveAs = (filePath: string) => vi.mocked(dialog.showSaveDialog).mockResolvedValue({ canceled: false, filePath });
const choose = (...filePaths: string[]) =>
  vi.mocked(dialog.showOpenDialog).mockResolvedValue({ canceled: filePaths.length === 0, filePaths });

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "file-dialogs-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("saving a file", () => {
  test("writes bytes and text unchanged to the chosen path", async () => {
    saveAs(at("body.bin"));
    expect(await saveFile(window, "body.bin", Uint8Array.of(0, 255, 10))).toBe("body.bin");
    expect([...readFileSync(at("body.bin"))]).toEqual([0, 255, 10]);
    saveAs(at("job.json"));
    expect(await saveFile(window, "job.json", "Stoßstange")).toBe("job.json");
    expect(readFileSync(at("job.json"), "utf8")).toBe("Stoßstange");
  });

  test("offers a name without a folder, whatever the page requests", async () => {
    saveAs(at("x"));
    await saveFile(window, "../../.ssh/config.json", "");
    expect(vi.mocked(dialog.showSaveDialog).mock.lastCall).toMatchObject([
      window,
      { defaultPath: "ssh-config.json", filters: [{ extensions: ["json"] }, { extensions: ["*"] }] },
    ]);
  });

  test("writes nothing when the dialog is cancelled", async () => {
    vi.mocked(dialog.showSaveDialog).mockResolvedValue({ canceled: true, filePath: "" });
    expect(await saveFile(window, "job.json", "{}")).toBeNull();
  });

  test("refuses more than 64 MiB before it asks", async () => {
    vi.mocked(dialog.showSaveDialog).mockClear();
    await expect(saveFile(window, "large", new Uint8Array(64 * 1024 ** 2 + 1))).rejects.toThrow("larger than 64 MiB");
    expect(dialog.showSaveDialog).not.toHaveBeenCalled();
  });

  test("names only the file when it can't be written", async () => {
    saveAs(at("missing/job.json"));
    await expect(saveFile(window, "job.json", "{}")).rejects.toThrow(/^Can’t write job\.json \(ENOENT\)\./);
  });
});

describe("opening a file", () => {
  test("returns its name without its folder, and its bytes", async () => {
    writeFileSync(at("bumper.png"), Uint8Array.of(137, 80));
    choose(at("bumper.png"));
    const opened = await openFile(window, pictures);
    expect({ name: opened?.name, bytes: [...(opened?.bytes ?? [])] }).toEqual({ name: "bumper.png", bytes: [137, 80] });
    expect(vi.mocked(dialog.showOpenDialog).mock.lastCall?.[1 as 0]).toMatchObject({ filters: pictures });
  });

  test("returns null when the dialog is cancelled", async () => {
    choose();
    expect(await openFile(window, [])).toBeNull();
  });

  test("refuses more than 32 MiB unread", async () => {
    writeFileSync(at("large.png"), "");
    truncateSync(at("large.png"), 32 * 1024 ** 2 + 1);
    choose(at("large.png"));
    await expect(openFile(window, pictures)).rejects.toThrow("large.png isn’t a file, or is larger than 32 MiB");
  });

  test("refuses anything but a file, and says why it can't read one", async () => {
    mkdirSync(at("folder"));
    choose(at("folder"));
    await expect(openFile(window, [])).rejects.toThrow("folder isn’t a file, or is larger than 32 MiB");
    choose(at("gone.png"));
    await expect(openFile(window, [])).rejects.toThrow(/^Can’t read gone\.png \(ENOENT\)/);
  });
});
