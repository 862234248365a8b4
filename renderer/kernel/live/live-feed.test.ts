// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LiveEntry } from "../../../sandbox/contract/live.ts";
import { type LiveFeedHandlers, openLiveFeed, watchSleep } from "./live-feed.ts";

/** A stream as the service sends it, and the handlers' record of it. */
const opened = () => {
  /** The entry after which each connection resumed. */
  const asked: (string | null)[] = [];
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null;
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    stream = controller;
  };
  let answer: () => Response = () => new Response(new ReadableStream<Uint8Array>({ start }));
  vi.stubGlobal("fetch", async (address: string, { signal }: RequestInit) => {
    asked.push(/\?worlds=qa:(\d+)$/.exec(address)?.[1] ?? null);
    signal?.addEventListener("abort", () => {
      ended += 1;
      stream?.error(new Error("aborted"));
    });
    return answer();
  });
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw));
  const heard: unknown[] = [];
  let downUntil = 0;
  let ended = 0;
  const handlers: LiveFeedHandlers = {
    onEntries: (entries) => heard.push(...entries.map(({ id }) => id)),
    onReady: ({ last_id }, fresh) => heard.push(`ready ${last_id}${fresh ? " fresh" : ""}`),
    onReset: ({ reason }) => heard.push(`reset ${reason}`),
    onDown: (until, why) => {
      downUntil = until;
      heard.push(why ?? "down");
    },
    onRefused: () => heard.push("refused"),
    onMissing: () => heard.push("missing"),
  };
  const feed = openLiveFeed("qa", "token", handlers);
  const wait = (ms = 20) => vi.advanceTimersByTimeAsync(ms);
  const send = async (event: string, data: object, id?: number) => {
    stream?.enqueue(
      new TextEncoder().encode(
        `event: of_world\ndata: {"world":"qa"}\n\n${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
      ),
    );
    await wait();
  };
  return {
    ...{ feed, heard, asked, wait, downUntil: () => downUntil, ended: () => ended },
    ready: (last_id: number) => send("ready", { world: "qa", version: "1", last_id }),
    entry: (id: number, at = new Date()) =>
      send(
        "request",
        { id, kind: "request", at: at.toISOString(), trace_id: null, data: {} } as unknown as LiveEntry,
        id,
      ),
    send,
    end: async () => {
      stream?.close();
      await wait();
    },
    answerWith: (response: () => Response) => {
      answer = response;
    },
  };
};

beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] }),
);
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a first connection", () => {
  it("reports only later entries as news, however long it took", async () => {
    const { feed, ready, entry, heard, wait } = opened();
    const pageOpened = new Date();
    await wait(12_000);
    await ready(7);
    await entry(6, pageOpened);
    await entry(7);
    await entry(8, pageOpened);
    expect(heard).toEqual(["ready 7 fresh", 8]);
    feed.close();
  });

  it("ends when the token is refused, and starts when a missing world exists", async () => {
    const { feed, heard, answerWith, end, ready, send, asked, wait } = opened();
    await wait();
    await send("missing", { is_there: false, reason: "World qa doesn’t exist." });
    await send("missing", { is_there: true, reason: "Its file is damaged." });
    await ready(3);
    expect(heard).toEqual(["missing", "Its file is damaged.", "ready 3 fresh"]);
    await end();
    answerWith(() => new Response(null, { status: 401 }));
    await wait(10_000);
    expect(heard.at(-1)).toBe("refused");
    const times = asked.length;
    await wait(60_000);
    expect(asked).toHaveLength(times);
    feed.close();
  });
});

describe("a broken connection", () => {
  it("continues after the last entry, and reports missed ones as news", async () => {
    const { feed, ready, entry, heard, asked, end, wait } = opened();
    await ready(7);
    await entry(8);
    await end();
    await wait(300);
    expect(asked).toEqual([null, "8"]);
    await ready(10);
    await entry(9);
    await entry(10);
    expect(heard).toEqual(["ready 7 fresh", 8, "down", "ready 10", 9, 10]);
    feed.close();
  });

  it("starts over after a reset", async () => {
    const { feed, ready, send, entry, heard, asked, end, wait } = opened();
    await ready(7);
    await entry(8);
    await send("reset", { reason: "the world was reset" });
    await end();
    await wait(300);
    expect(asked.at(-1)).toBeNull();
    await ready(2);
    expect(heard.slice(2)).toEqual(["reset the world was reset", "down", "ready 2 fresh"]);
    feed.close();
  });

  it("starts over after a second when dropped, without entries not yet shown", async () => {
    const { feed, ready, send, heard, downUntil } = opened();
    vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, 1_000));
    await ready(7);
    await send("request", { id: 8, kind: "request" }, 8);
    const before = Date.now();
    await send("dropped", { reason: "too slow" });
    await ready(9);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(heard).toEqual(["ready 7 fresh", "down", "ready 9 fresh"]);
    expect(downUntil()).toBeGreaterThanOrEqual(before + 1_000);
    feed.close();
  });

  it("closes with the page, and reopens when the page returns", async () => {
    const { feed, ready, asked, ended, wait } = opened();
    await ready(7);
    window.dispatchEvent(new Event("pagehide"));
    expect(ended()).toBe(1);
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
    await wait(5_000);
    expect(asked).toHaveLength(1);
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    await wait();
    expect(asked).toHaveLength(2);
    feed.close();
  });

  it("is the window's own if the browser can't start the shared worker", async () => {
    const worker = { port: { postMessage: vi.fn(), close: vi.fn() }, onerror: () => undefined };
    vi.stubGlobal("SharedWorker", function shared() {
      return worker;
    });
    const { feed, ready, heard, asked } = opened();
    expect([worker.port.postMessage.mock.calls, asked]).toEqual([[[{ is: "join", world: "qa", token: "token" }]], []]);
    worker.onerror();
    await ready(7);
    expect(heard).toEqual(["ready 7 fresh"]);
    feed.close();
  });

  it("is retried immediately on request, when the network returns, or when its window is shown", async () => {
    const { feed, answerWith, asked, end, wait } = opened();
    await wait();
    answerWith(() => new Response(null, { status: 503 }));
    await end();
    await wait(8_000);
    const times = asked.length;
    feed.retry();
    expect(asked).toHaveLength(times + 1);
    await wait(1);
    window.dispatchEvent(new Event("online"));
    expect(asked).toHaveLength(times + 2);
    await wait(1);
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(asked).toHaveLength(times + 2);
    visibility.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(asked).toHaveLength(times + 3);
    feed.close();
  });

  it("leaves the shared worker and closes its port to it when it ends", () => {
    const port = { postMessage: vi.fn(), close: vi.fn() };
    vi.stubGlobal("SharedWorker", function shared() {
      return { port };
    });
    const { feed } = opened();
    feed.close();
    window.dispatchEvent(new Event("online"));
    document.dispatchEvent(new Event("visibilitychange"));
    expect([port.postMessage.mock.lastCall, port.close.mock.calls.length]).toEqual([[{ is: "leave" }], 1]);
  });

  it("passes on in the service’s words why no further feed is opened", async () => {
    const { feed, answerWith, heard, end, wait } = opened();
    await wait();
    answerWith(() => Response.json({ message: "This token has 64 feeds open." }, { status: 429 }));
    await end();
    await wait(300);
    expect(heard).toEqual(["down", "This token has 64 feeds open."]);
    feed.close();
  });
});

describe("a sleeping machine", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A machine whose timers stop while it sleeps. */
  const machine = () => {
    let woken = 0;
    const stop = watchSleep(() => woken++);
    return {
      pass: (ms: number) => {
        vi.setSystemTime(Date.now() + ms - 5_000);
        vi.advanceTimersByTime(5_000);
      },
      stop,
      woken: () => woken,
    };
  };

  describe("the detection of sleep", () => {
    it("reports once when much more time passed than its timer", () => {
      const { pass, woken } = machine();
      pass(5_000);
      pass(3_600_000);
      expect(woken()).toBe(1);
      pass(5_000);
      expect(woken()).toBe(1);
    });
    it("ignores hidden windows, whose timers run once a minute", () => {
      const { pass, woken } = machine();
      for (let minute = 0; minute < 60; minute++) pass(60_000);
      expect(woken()).toBe(0);
    });
    it("reports nothing after it ends", () => {
      const { pass, stop, woken } = machine();
      stop();
      pass(3_600_000);
      expect(woken()).toBe(0);
    });
  });
});
