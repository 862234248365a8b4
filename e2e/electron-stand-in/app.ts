import path from "node:path";
import { Browser, type PageBounds, type PageTarget } from "./browser.ts";
import type { AppPackage } from "./command-line.ts";
import { NotSupportedError, preventable, StrictEmitter, strict } from "./not-stood-in.ts";
import { findWebContents, openWindows } from "./open-windows.ts";
import { type InstanceLock, takeInstanceLock } from "./single-instance.ts";

/** Events of macOS, where the stand-in never runs. */
const macEvents = ["activate", "open-url", "open-file"];
const events = ["ready", "second-instance", "window-all-closed", "before-quit", "will-quit", "quit", ...macEvents];

/** The process's lifecycle, as Electron's `app` reports it. */
class App extends StrictEmitter {
  private readonly ready = Promise.withResolvers<void>();
  private switches = new Map<string, string>();
  private about: AppPackage = { name: "Electron", version: "", main: "" };
  private browser: Browser | undefined;
  private lock: InstanceLock | null = null;
  private isUp = false;
  private quitting = false;
  private exiting = false;

  readonly commandLine = strict("app.commandLine", {
    hasSwitch: (name: string): boolean => this.switches.has(name),
    // Playwright's loader, if preloaded, adds switches for Chromium.
    appendSwitch: (name: string, value = ""): void => {
      if (!this.switches.has(name)) this.switches.set(name, value);
    },
  });

  constructor() {
    super("app", events);
  }

  configure(about: AppPackage, switches: Map<string, string>): void {
    this.about = about;
    this.switches = switches;
  }

  /** Starts Chromium after the main script has run: a second instance must not open the first one's profile. */
  async start(): Promise<void> {
    if (this.exiting) return;
    this.browser = await Browser.start(this.getPath("userData"), this.switches, (targetId) =>
      findWebContents(targetId)?.markDestroyed(),
    );
    void this.browser.exited.then(() => this.browserGone());
    Object.assign(process.versions, { chrome: this.browser.version });
    this.isUp = true;
    this.emit("ready", {});
    this.ready.resolve();
  }

  newPage(bounds: PageBounds): Promise<PageTarget> {
    if (!this.browser) throw new Error("Cannot create BrowserWindow before app is ready");
    return this.browser.newPage(bounds);
  }

  lastWindowClosed(): void {
    if (!this.quitting && !this.exiting && !this.emit("window-all-closed")) this.quit();
  }

  isReady(): boolean {
    return this.isUp;
  }

  whenReady(): Promise<void> {
    return this.ready.promise;
  }

  getName(): string {
    return this.about.name;
  }

  getVersion(): string {
    return this.about.version;
  }

  getPath(name: string): string {
    if (name !== "userData") throw new NotSupportedError(`app.getPath("${name}")`);
    const given = this.switches.get("user-data-dir");
    if (!given)
      throw new Error("electron stand-in: --user-data-dir is needed, no test may touch a person's own folder");
    return path.resolve(given);
  }

  /** Linux has no list of recent documents. */
  addRecentDocument(): void {}

  /** Every page already has a separate renderer without Node. */
  enableSandbox(): void {}

  requestSingleInstanceLock(data: object): boolean {
    this.lock = takeInstanceLock(this.getPath("userData"), data, ({ argv, cwd, additionalData }) => {
      void this.ready.promise.then(() => this.emit("second-instance", {}, argv, cwd, additionalData));
    });
    return this.lock !== null;
  }

  quit(): void {
    if (this.quitting || this.exiting) return;
    this.quitting = true;
    setImmediate(() => void this.tryToQuit());
  }

  exit(code = 0): void {
    if (this.exiting) return;
    this.exiting = true;
    void this.end(code);
  }

  private async tryToQuit(): Promise<void> {
    if ((await this.mayQuit()) && !this.exiting) this.exit(0);
    this.quitting = false;
  }

  private async mayQuit(): Promise<boolean> {
    const beforeQuit = preventable({});
    this.emit("before-quit", beforeQuit);
    if (beforeQuit.defaultPrevented) return false;
    for (const window of openWindows) if (!(await window.closeIfAllowed())) return false;
    const willQuit = preventable({});
    this.emit("will-quit", willQuit);
    return !willQuit.defaultPrevented;
  }

  private async end(code: number): Promise<void> {
    this.emit("quit", {}, code);
    await this.browser?.close();
    this.lock?.release();
    process.exit(code);
  }

  /** The user closed Chromium's last window, or Chromium died: in both cases, no window is left. */
  private browserGone(): void {
    for (const window of openWindows) window.webContents.markDestroyed();
  }
}

export const app = strict("app", new App());
