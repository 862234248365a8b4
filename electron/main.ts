import os from "node:os";
import path from "node:path";
import { app, Menu, nativeTheme, session } from "electron";
import { defaultDataFolder } from "../sandbox/host/data-folder.ts";
import type { ReadyLine } from "../sandbox/service.ts";
import { type ActsOn, menuActions, showProblem, windowActions } from "./actions.ts";
import { openMemory } from "./desktop-memory.ts";
import { readDesktopOptions } from "./desktop-options.ts";
import { openDocument } from "./files/documents.ts";
import { registerHandlers } from "./ipc/handlers.ts";
import { type Incoming, listenForLinks, registerLinkScheme } from "./links/incoming-links.ts";
import { menuTemplate } from "./menu/application-menu.ts";
import { createFailureNotices } from "./notices/failure-notices.ts";
import { keepDataFolder } from "./other-folder.ts";
import { startServiceHost } from "./service-host.ts";
import { quitCleanly } from "./shutdown.ts";
import { promptForRecovery } from "./start-failure.ts";
import { type OwnUpdates, startUpdates } from "./updates/start-updates.ts";
import { restrictPermissions } from "./window/lockdown.ts";
import { createWindows } from "./window/windows.ts";

// Threads wait for the disk after each world's commit. The pool is created on first use, so its size is set here.
process.env.UV_THREADPOOL_SIZE ??= "16";
// Files are readable for their owner only.
process.umask(0o077);
app.enableSandbox();
const argv = process.argv.slice(1);
const defaultFolder = defaultDataFolder(process.platform, process.env, os.homedir());
const options = readDesktopOptions(argv, process.env, defaultFolder);
if (app.requestSingleInstanceLock(options)) {
  // Electron becomes ready only after this module has finished, so the boot cannot be awaited here.
  void boot();
} else {
  const folderNote = options.isChosen ? " It keeps the data folder it was opened with; quit it to use another." : "";
  console.log(`${app.getName()} is already open. Its window comes to the front.${folderNote}`);
  app.exit(0);
}

async function boot(): Promise<void> {
  const incoming = listenForLinks(argv);
  let { dataFolder } = options;
  let host = startServiceHost(dataFolder);
  const updates = startUpdates();
  quitCleanly(() => host.stop(), updates?.leave);
  await app.whenReady();
  for (;;) {
    try {
      openExplorer(await host.ready, { dataFolder, incoming, updates });
      return;
    } catch (error) {
      await host.stop();
      const another = await promptForRecovery(error, dataFolder);
      if (another === null) {
        app.exit(1);
        return;
      }
      dataFolder = another;
      host = startServiceHost(dataFolder);
    }
  }
}

interface Opened {
  readonly dataFolder: string;
  readonly incoming: Incoming;
  readonly updates: OwnUpdates | null;
}

function openExplorer(ready: ReadyLine, { dataFolder, incoming, updates }: Opened): void {
  const { origin, hash: fragment } = new URL(ready.explorer_url);
  const memory = openMemory(path.join(app.getPath("userData"), "desktop.json"));
  const { theme, notifiesOfFailures, checksForUpdates } = memory.recalled;
  nativeTheme.themeSource = theme;
  restrictPermissions(session.defaultSession, origin);

  const windows = createWindows({ origin, fragment }, memory, () => notices.follow(windows.worlds()));
  const notices = createFailureNotices(ready, windows.show);
  notices.set(notifiesOfFailures);
  const acts: ActsOn = { dataFolder, windows, memory, notices, updates };
  registerHandlers(origin, windowActions(acts));
  const situation = {
    platform: process.platform,
    appName: app.getName(),
    notifiesOfFailures,
    checksForUpdates: updates && checksForUpdates,
  };
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(situation, menuActions(acts))));

  keepDataFolder(dataFolder);
  app.on("before-quit", windows.ending);
  app.on("activate", windows.toFront);
  windows.restore();
  incoming.deliver({
    show: (address) => (address === null ? windows.toFront() : windows.show(address)),
    open: (file) => void openDocument(file, windows).catch(showProblem),
  });
  if (!windows.current()) windows.toFront();
  registerLinkScheme();
  if (checksForUpdates) void updates?.check(false);
}
