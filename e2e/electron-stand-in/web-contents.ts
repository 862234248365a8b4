import { readFileSync } from "node:fs";
import type { PageTarget } from "./browser.ts";
import type { Event, ExecutionContext, Frame, PausedRequest } from "./cdp.ts";
import { answerInvoke } from "./ipc-main.ts";
import { NotSupportedError, preventable, StrictEmitter, strict } from "./not-stood-in.ts";
import { createCodec } from "./page/codec.ts";
import type { MainToPreload, PreloadToMain } from "./page/preload-script.ts";
import { isolatedWorld, names, pageScripts } from "./page/scripts.ts";

type WindowOpenHandler = (details: { url: string }) => { action: string };

export interface WebPreferences {
  readonly preload: string;
  readonly [guard: string]: unknown;
}

const codec = createCodec(null);
/** Valid events that never occur here: "zoom-changed" needs a wheel, "will-attach-webview" an enabled <webview>. */
const neverEmitted = ["will-attach-webview", "zoom-changed"];
const emitted = [
  ["will-navigate", "will-redirect", "did-navigate", "did-navigate-in-page", "dom-ready", "context-menu"],
  ["render-process-gone"],
  ["destroyed", "painted", "loaded", "zoomed"],
].flat();

/** The page inside a window. */
export class WebContents extends StrictEmitter {
  private readonly page: Promise<PageTarget>;
  private readonly preferences: WebPreferences;
  private readonly contexts = new Map<number, ExecutionContext>();
  private target: PageTarget | undefined;
  private openHandler: WindowOpenHandler | undefined;
  private zoomFactor = 1;
  private currentUrl = "";
  /** The main process's own navigation, for which no handler is called. */
  private ownNavigation = "";
  private destroyed = false;
  /** The strict proxy that the app sees. */
  seenAs: WebContents = this;
  readonly navigationHistory = strict("navigationHistory", {
    goBack: () => this.target?.trySend("Runtime.evaluate", { expression: "history.back()" }),
    goForward: () => this.target?.trySend("Runtime.evaluate", { expression: "history.forward()" }),
  });

  constructor(page: Promise<PageTarget>, preferences: WebPreferences) {
    super("webContents", [...emitted, ...neverEmitted]);
    this.preferences = preferences;
    this.page = page.then(async (target) => {
      await this.prepare(target);
      return target;
    });
  }

  /** Resolves when the page's scripts are installed, so that it may load. */
  get prepared(): Promise<PageTarget> {
    return this.page;
  }

  getURL(): string {
    return this.currentUrl;
  }

  getLastWebPreferences(): WebPreferences {
    return this.preferences;
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }

  hasTarget(targetId: string): boolean {
    return this.target?.targetId === targetId;
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.openHandler = handler;
  }

  /** Every window already has its own zoom here. */
  setZoomMode(mode: string): void {
    if (mode !== "isolated") throw new NotSupportedError(`webContents.setZoomMode("${mode}")`);
  }

  setZoomFactor(factor: number): void {
    this.zoomFactor = factor;
    this.emit("zoomed");
  }

  getZoomFactor(): number {
    return this.zoomFactor;
  }

  /** For tests: Playwright has no page object after a crash, not even after a reload. */
  async executeJavaScript(expression: string): Promise<unknown> {
    const page = await this.page;
    const evaluated = await page.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (evaluated.exceptionDetails) throw new Error(evaluated.exceptionDetails.text);
    return evaluated.result.value;
  }

  forcefullyCrashRenderer(): void {
    this.target?.trySend("Page.crash", {});
  }

  /** Sends to the preload, if the current page has one. */
  send(channel: string, ...args: unknown[]): void {
    const worlds = [...this.contexts.values()].filter(({ name }) => name === isolatedWorld);
    const newest = worlds.at(-1);
    if (newest) this.post(newest.id, { kind: "send", channel, args });
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.page;
    this.ownNavigation = withoutFragment(url);
    const loaded = new Promise((resolve) => this.once("loaded", resolve));
    const { errorText } = await page.send("Page.navigate", { url });
    if (errorText !== undefined) throw new Error(`${errorText} loading '${url}'`);
    await loaded;
  }

  reload(): void {
    this.ownNavigation = withoutFragment(this.currentUrl);
    this.target?.trySend("Page.reload", {});
  }

  close({ waitForBeforeUnload = false } = {}): void {
    if (waitForBeforeUnload) this.target?.trySend("Page.close", {});
    else if (this.target) this.target.trySend("Target.closeTarget", { targetId: this.target.targetId });
  }

  markDestroyed(): void {
    this.destroyed = true;
    this.emit("destroyed");
  }

  private async prepare(target: PageTarget): Promise<void> {
    this.target = target;
    target.listen((event) => this.receive(event, target));
    await Promise.all([
      target.send("Page.enable", {}),
      target.send("Inspector.enable", {}),
      target.send("Runtime.enable", {}),
      target.send("Page.setLifecycleEventsEnabled", { enabled: true }),
      target.send("Fetch.enable", { patterns: [{ resourceType: "Document" }] }),
      target.send("Runtime.addBinding", { name: names.send, executionContextName: isolatedWorld }),
      ...pageScripts(readFileSync(this.preferences.preload, "utf8")).map((script) =>
        target.send("Page.addScriptToEvaluateOnNewDocument", script),
      ),
      target.send("Runtime.runIfWaitingForDebugger", {}),
    ]);
  }

  private receive({ method, params }: Event, target: PageTarget): void {
    const isMainFrame = (frameId: string) => frameId === target.targetId;
    if (method === "Fetch.requestPaused") this.decideNavigation(params, isMainFrame(params.frameId), target);
    if (method === "Page.frameNavigated") this.navigated(params.frame);
    if (method === "Inspector.targetCrashed") this.emit("render-process-gone", {}, { reason: "crashed", exitCode: 5 });
    if (method === "Page.navigatedWithinDocument" && isMainFrame(params.frameId)) {
      this.currentUrl = params.url;
      this.emit("did-navigate-in-page", {}, params.url, true);
    }
    if (method === "Page.lifecycleEvent" && isMainFrame(params.frameId)) this.advanced(params.name);
    if (method === "Runtime.executionContextCreated") this.contexts.set(params.context.id, params.context);
    if (method === "Runtime.bindingCalled" && params.name === names.send) {
      this.heard(codec.decode(params.payload) as PreloadToMain, params.executionContextId);
    }
  }

  /** Only the main frame has no parent; its ID is the target's. */
  private navigated({ parentId, unreachableUrl, url }: Frame): void {
    if (parentId !== undefined) return;
    this.currentUrl = unreachableUrl ?? url;
    this.emit("did-navigate", {}, this.currentUrl);
  }

  /** Ignores the lifecycle of the initial empty document. */
  private advanced(name: string): void {
    if (this.currentUrl === "") return;
    if (name === "DOMContentLoaded") this.emit("dom-ready");
    if (name === "firstPaint" || name === "load") this.emit("painted");
    if (name === "load") this.emit("loaded");
  }

  private decideNavigation(paused: PausedRequest, isMainFrame: boolean, target: PageTarget): void {
    const { requestId, request, redirectedRequestId } = paused;
    const event = preventable({ url: request.url, isMainFrame, isSameDocument: false });
    if (isMainFrame && request.url !== this.ownNavigation) {
      this.emit(redirectedRequestId === undefined ? "will-navigate" : "will-redirect", event, request.url);
    }
    if (event.defaultPrevented) target.trySend("Fetch.failRequest", { requestId, errorReason: "Aborted" });
    else target.trySend("Fetch.continueRequest", { requestId });
  }

  /** Asks the app about a new window, as Electron does for `window.open`. */
  private askToOpen(url: string): void {
    const { action } = this.openHandler?.({ url }) ?? { action: "allow" };
    if (action !== "deny") throw new NotSupportedError(`a second window on ${url}`);
  }

  private heard(message: PreloadToMain, contextId: number): void {
    const caller = this.contexts.get(contextId);
    if (message.kind === "open") this.askToOpen(message.url);
    if (message.kind === "preload-failed") throw new Error(`Unable to load preload script: ${message.message}`);
    if (message.kind === "context-menu") this.emit("context-menu", {}, message.pointed);
    if (message.kind !== "invoke" || caller === undefined) return;
    void answerInvoke(message, this.seenAs, caller).then((response) => this.post(contextId, response));
  }

  private post(contextId: number, message: MainToPreload): void {
    const expression = `${names.receive}(${JSON.stringify(codec.encode(message))})`;
    this.target?.trySend("Runtime.evaluate", { contextId, expression });
  }
}

/** Chromium reports requests, which never contain the fragment. */
function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = "";
  return url.href;
}
