import type { Commands, Event, TargetInfo } from "./cdp.ts";
import { Chromium } from "./chromium.ts";
import { chromiumFlags } from "./chromium-flags.ts";
import { findChromium } from "./find-chromium.ts";

/** One page of Chromium: what a window shows. */
export interface PageTarget {
  readonly targetId: string;
  listen(listener: (event: Event) => void): void;
  send<M extends keyof Commands>(method: M, params: Commands[M]["params"]): Promise<Commands[M]["result"]>;
  trySend<M extends keyof Commands>(method: M, params: Commands[M]["params"]): void;
}

export interface PageBounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the browser tells the windows. */
export interface BrowserEvents {
  /** Chromium itself made a popup, held back before it reached the network; it is closed whatever the answer. */
  popup(openerTargetId: string, url: string): void;
  pageGone(targetId: string): void;
}

/** Chromium as the windows see it: a place where pages are made. */
export class Browser {
  readonly version: string;
  private readonly chromium: Chromium;
  private readonly sessions = new Map<string, PromiseWithResolvers<string>>();
  private readonly events: BrowserEvents;

  static async start(userData: string, switches: ReadonlyMap<string, string>, events: BrowserEvents): Promise<Browser> {
    const chromium = new Chromium(await findChromium(), chromiumFlags(userData, switches));
    process.on("exit", () => chromium.kill());
    const { product } = await chromium.send("Browser.getVersion", {});
    const browser = new Browser(chromium, product.replace(/^.*\//, ""), events);
    await chromium.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: "page" }],
    });
    return browser;
  }

  private constructor(chromium: Chromium, version: string, events: BrowserEvents) {
    this.chromium = chromium;
    this.version = version;
    this.events = events;
    chromium.listen(null, (event) => this.receive(event));
  }

  get exited(): Promise<void> {
    return this.chromium.exited;
  }

  close(): Promise<void> {
    return this.chromium.close();
  }

  /**
   * Makes a page and holds it until its owner lets it run. `javascript:0` leaves it on its first empty document, so
   * that Playwright takes the window's own first load for its first page, as with Electron.
   */
  async newPage({ x, y, width, height }: PageBounds): Promise<PageTarget> {
    const place = { left: x, top: y, width, height };
    const { targetId } = await this.chromium.send("Target.createTarget", {
      url: "javascript:0",
      newWindow: true,
      ...place,
    });
    const sessionId = await this.session(targetId).promise;
    return {
      targetId,
      listen: (listener) => this.chromium.listen(sessionId, listener),
      send: (method, params) => this.chromium.send(method, params, sessionId),
      trySend: (method, params) => this.chromium.trySend(method, params, sessionId),
    };
  }

  private receive(event: Event): void {
    if (event.method === "Target.attachedToTarget") this.attached(event.params.targetInfo, event.params.sessionId);
    if (event.method === "Target.detachedFromTarget") void this.detached(event.params.sessionId);
  }

  private attached({ targetId, url, openerId }: TargetInfo, sessionId: string): void {
    if (openerId === undefined) {
      this.session(targetId).resolve(sessionId);
      return;
    }
    // Left running, the popup could load its address before it is closed.
    this.chromium.trySend("Fetch.enable", { patterns: [{ resourceType: "Document" }] }, sessionId);
    this.chromium.trySend("Runtime.runIfWaitingForDebugger", {}, sessionId);
    this.chromium.trySend("Target.closeTarget", { targetId });
    this.events.popup(openerId, url);
  }

  private async detached(sessionId: string): Promise<void> {
    for (const [targetId, session] of this.sessions) {
      if ((await session.promise) !== sessionId) continue;
      this.sessions.delete(targetId);
      this.events.pageGone(targetId);
    }
  }

  /** The session of a target, whichever comes first: Chromium's word that it is attached, or our need for it. */
  private session(targetId: string): PromiseWithResolvers<string> {
    const known = this.sessions.get(targetId);
    if (known) return known;
    const created = Promise.withResolvers<string>();
    this.sessions.set(targetId, created);
    return created;
  }
}
