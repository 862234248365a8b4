import type { Commands, Event } from "./cdp.ts";
import { Chromium } from "./chromium.ts";
import { chromiumFlags } from "./chromium-flags.ts";
import { findChromium } from "./find-chromium.ts";
import { NotSupportedError } from "./not-stood-in.ts";

/** A Chromium page inside a window. */
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

/** The part of Chromium that creates pages. */
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
   * Creates a page and pauses it until its owner resumes it. `javascript:0` keeps it on its initial empty document, so
   * that Playwright sees the window's own first load as its first page, as with Electron.
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
      // Scripts ask before they open a popup, so this one has another origin.
      if (this.creating === 0) throw new NotSupportedError("a page that Chromium opened by itself");
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

  /** Returns the session of a target: created by the first of Chromium's event or a caller. */
  private session(targetId: string): PromiseWithResolvers<string> {
    const known = this.sessions.get(targetId);
    if (known) return known;
    const created = Promise.withResolvers<string>();
    this.sessions.set(targetId, created);
    return created;
  }
}
