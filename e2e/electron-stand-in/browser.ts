import type { Commands, Event } from "./cdp.ts";
import { Chromium } from "./chromium.ts";
import { chromiumFlags } from "./chromium-flags.ts";
import { findChromium } from "./find-chromium.ts";
import { NotStoodIn } from "./not-stood-in.ts";

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

/** Chromium as the windows see it: it makes pages. */
export class Browser {
  readonly version: string;
  private readonly chromium: Chromium;
  private readonly sessions = new Map<string, PromiseWithResolvers<string>>();
  private readonly onPageGone: (targetId: string) => void;
  private creating = 0;

  static async start(
    userData: string,
    switches: ReadonlyMap<string, string>,
    onPageGone: (targetId: string) => void,
  ): Promise<Browser> {
    const chromium = new Chromium(await findChromium(), chromiumFlags(userData, switches));
    process.on("exit", () => chromium.kill());
    const { product } = await chromium.send("Browser.getVersion", {});
    const browser = new Browser(chromium, product.replace(/^.*\//, ""), onPageGone);
    await chromium.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: "page" }],
    });
    return browser;
  }

  private constructor(chromium: Chromium, version: string, onPageGone: (targetId: string) => void) {
    this.chromium = chromium;
    this.version = version;
    this.onPageGone = onPageGone;
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
    const bounds = { left: x, top: y, width, height };
    this.creating++;
    const { targetId } = await this.chromium.send("Target.createTarget", {
      url: "javascript:0",
      newWindow: true,
      ...bounds,
    });
    const sessionId = await this.session(targetId).promise;
    this.creating--;
    return {
      targetId,
      listen: (listener) => this.chromium.listen(sessionId, listener),
      send: (method, params) => this.chromium.send(method, params, sessionId),
      trySend: (method, params) => this.chromium.trySend(method, params, sessionId),
    };
  }

  private receive({ method, params }: Event): void {
    if (method === "Target.attachedToTarget") {
      // The page's scripts ask before a popup is made, so one that is made all the same came about in another way.
      if (this.creating === 0) throw new NotStoodIn("a page that Chromium opened by itself");
      this.session(params.targetInfo.targetId).resolve(params.sessionId);
    }
    if (method === "Target.detachedFromTarget") void this.detached(params.sessionId);
  }

  private async detached(sessionId: string): Promise<void> {
    for (const [targetId, session] of this.sessions) {
      if ((await session.promise) !== sessionId) continue;
      this.sessions.delete(targetId);
      this.onPageGone(targetId);
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
