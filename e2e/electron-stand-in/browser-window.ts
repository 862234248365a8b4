import { app } from "./app.ts";
import type { PageBounds } from "./browser.ts";
import { nativeTheme } from "./native-theme.ts";
import { preventable, refuseUnknownOptions, StrictEmitter, strict } from "./not-stood-in.ts";
import { findWebContents, type OpenWindow, openWindows } from "./open-windows.ts";
import { WebContents, type WebPreferences } from "./web-contents.ts";

interface WindowOptions extends PageBounds {
  readonly show: false;
  readonly title: string;
  readonly backgroundColor: string;
  readonly webPreferences: WebPreferences;
}
const knownOptions = ["x", "y", "width", "height", "minWidth", "minHeight", "show", "title", "icon", "backgroundColor"];
/** Gestures and hanging pages: valid events that never occur here. */
const neverEmitted = ["app-command", "swipe", "unresponsive", "responsive"];
const knownPreferences = [
  [
    "preload",
    "contextIsolation",
    "sandbox",
    "nodeIntegration",
    "nodeIntegrationInWorker",
    "nodeIntegrationInSubFrames",
  ],
  ["webSecurity", "allowRunningInsecureContent", "webviewTag", "spellcheck"],
].flat();

/** A window: Chromium draws the page; position and state exist only here. */
export class BrowserWindow extends StrictEmitter implements OpenWindow {
  readonly webContents: WebContents;
  private bounds: PageBounds;
  private background: string;
  private visible = false;
  private focused = false;
  private minimized = false;
  private maximized = false;
  private destroyed = false;

  static getAllWindows(): OpenWindow[] {
    return [...openWindows];
  }

  static fromWebContents(contents: WebContents): OpenWindow | null {
    return [...openWindows].find((window) => window.webContents === contents) ?? null;
  }

  constructor(options: WindowOptions) {
    super("BrowserWindow", ["ready-to-show", "focus", "close", "closed", ...neverEmitted]);
    const { x, y, width, height, backgroundColor, webPreferences } = options;
    refuseUnknownOptions("BrowserWindow", options, [...knownOptions, "webPreferences"]);
    refuseUnknownOptions("webPreferences", webPreferences, knownPreferences);
    this.bounds = { x, y, width, height };
    this.background = backgroundColor;
    const contents = new WebContents(app.newPage(this.bounds), webPreferences);
    this.webContents = strict("webContents", contents);
    contents.seenAs = this.webContents;
    this.webContents.on("zoomed", () => void this.resized());
    this.webContents.once("painted", () => this.emit("ready-to-show"));
    this.webContents.once("destroyed", () => this.gone());
    const window = strict("BrowserWindow", this);
    openWindows.add(window);
    void this.webContents.prepared.then(() => this.resized());
    // biome-ignore lint/correctness/noConstructorReturn: callers must get the strict proxy
    return window;
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.prepared;
    await nativeTheme.applyTo(this.webContents);
    await this.webContents.loadURL(url);
  }

  /** Asks the app whether the window may close; resolves to whether it did. */
  async closeIfAllowed(): Promise<boolean> {
    const event = preventable({});
    this.emit("close", event);
    if (event.defaultPrevented) return false;
    await this.webContents.prepared.catch(() => {});
    const closed = new Promise((resolve) => this.once("closed", resolve));
    this.webContents.close({ waitForBeforeUnload: true });
    if (!this.destroyed) await closed;
    return true;
  }

  close(): void {
    void this.closeIfAllowed();
  }

  destroy(): void {
    this.webContents.close();
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }

  show(): void {
    this.visible = true;
    this.focus();
  }

  focus(): void {
    if (this.focused) return;
    for (const window of openWindows) window.blur();
    this.focused = true;
    this.emit("focus");
  }

  blur(): void {
    this.focused = false;
  }

  minimize(): void {
    this.minimized = true;
    this.focused = false;
  }

  restore(): void {
    this.minimized = false;
  }

  maximize(): void {
    this.maximized = true;
  }

  setBounds(bounds: Partial<PageBounds>): void {
    this.bounds = { ...this.bounds, ...bounds };
    void this.resized();
  }

  setBackgroundColor(colour: string): void {
    this.background = colour;
  }

  getBackgroundColor(): string {
    return this.background;
  }

  getNormalBounds(): PageBounds {
    return this.bounds;
  }

  isVisible(): boolean {
    return this.visible;
  }

  isFocused(): boolean {
    return this.focused;
  }

  isMinimized(): boolean {
    return this.minimized;
  }

  isMaximized(): boolean {
    return this.maximized;
  }

  /** Gives the page Electron's size, because Chromium's own bars take some of it. */
  private async resized(): Promise<void> {
    const page = await this.webContents.prepared;
    const zoom = this.webContents.getZoomFactor();
    const width = Math.round(this.bounds.width / zoom);
    const height = Math.round(this.bounds.height / zoom);
    page.trySend("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: zoom, mobile: false });
  }

  private gone(): void {
    this.destroyed = true;
    for (const window of openWindows) if (window.webContents === this.webContents) openWindows.delete(window);
    this.emit("closed");
    // The system focuses another window, normally the one below.
    if (this.focused) [...openWindows].at(-1)?.focus();
    if (openWindows.size === 0) app.lastWindowClosed();
  }
}

export const webContents = strict("webContents", { fromDevToolsTargetId: findWebContents });
