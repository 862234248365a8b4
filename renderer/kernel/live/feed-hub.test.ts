import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { backoff, FeedHub, type FromHub } from "./feed-hub.ts";

/** A connection that the hub opened, seen from the service. */
interface Opened {
  readonly url: string;
  readonly lastId: string | undefined;
  readonly headers: Record<string, string>;
  readonly isOpen: () => boolean;
  say: (text: string) => void;
  end: () => void;
}

let opened: Opened[] = [];
/** Responses to the next connections, instead of a stream. */
let answers: Response[] = [];
/** Closes a test's windows; otherwise their hub would consume the next test's responses. */
const closing: (() => void)[] = [];

beforeEach(() => {
  opened = [];
  answers = [];
  vi.stubGlobal(
    "fetch",
    (url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
      const encoder = new TextEncoder();
      let isOpen = true;
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start: (given) => {
          controller = given;
        },
      });
      signal.addEventListener("abort", () => {
        isOpen = false;
        controller?.error(new DOMException("aborted", "AbortError"));
      });
      const lastId = headers["last-event-id"];
      const say = (text: string) => controller?.enqueue(encoder.encode(text));
      const end = () => {
        isOpen = false;
        controller?.close();
      };
      opened.push({ url, lastId, headers, isOpen: () => isOpen, say, end });
      return Promise.resolve(answers.shift() ?? new Response(body));
    },
  );
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const openWindow = (hub: FeedHub, world: string, token = "control") => {
  const received: FromHub[] = [];
  const port: Pick<MessagePort, "postMessage" | "onmessage"> = {
    postMessage: (message: FromHub) => void received.push(message),
    onmessage: null,
  };
  hub.connect(port);
  const say = (data: unknown) => port.onmessage?.call(port as MessagePort, { data } as MessageEvent);
  say({ is: "join", world, token });
  closing.push(() => say({ is: "leave" }));
  return {
    say,
    received,
    ids: () => received.flatMap((one) => (one.is === "messages" ? one.messages.flatMap(({ id }) => id ?? []) : [])),
    events: () => received.flatMap((one) => (one.is === "messages" ? one.messages.map(({ event }) => event) : [])),
  };
};
const of = (world: string, text: string): string => `event: of_world\ndata: {"world":"${world}"}\n\n${text}`;
const ready = (world: string): string => of(world, `event: ready\ndata: {"world":"${world}","last_id":1}\n\n`);
const entry = (id: number): string => `id: ${id}\nevent: state\ndata: {"id":${id}}\n\n`;
const current = (): Opened => {
  const last = opened.at(-1);
  if (!last) throw new Error("nothing was opened");
  return last;
};
const passed = () => vi.waitFor(() => expect(opened.filter((one) => one.isOpen()).length).toBe(1));

it("doubles its wait after each failure, up to 4 s", () => {
  expect([0, 1, 2, 3, 4, 99].map(backoff)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
});

describe("the hub of the live feeds", () => {
  it("serves twenty windows with eight worlds over one connection, each with its world's entries", async () => {
    const hub = new FeedHub();
    const windows = Array.from({ length: 20 }, (_, index) => openWindow(hub, `w${index % 8}`));
    await vi.waitFor(() => expect(current().url).toBe("/__sandbox/live?worlds=w0,w1,w2,w3,w4,w5,w6,w7"));
    await passed();
    for (let world = 0; world < 8; world += 1) current().say(ready(`w${world}`));
    for (let world = 0; world < 8; world += 1) current().say(of(`w${world}`, entry(100 + world)));
    for (const [index, window] of windows.entries())
      await vi.waitFor(() => expect(window.ids()).toEqual([String(100 + (index % 8))]));
  });

  it("reuses an opening connection for another window of the same world", async () => {
    const hub = new FeedHub();
    openWindow(hub, "qa");
    openWindow(hub, "qa");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(opened.map((one) => one.isOpen())).toEqual([true]);
  });

  it("continues each world after its last entry when another world is added", async () => {
    const hub = new FeedHub();
    const first = openWindow(hub, "qa");
    current().say(ready("qa") + entry(7));
    await vi.waitFor(() => expect(first.ids()).toEqual(["7"]));
    openWindow(hub, "spare");
    await vi.waitFor(() => expect(current().url).toBe("/__sandbox/live?worlds=qa:7,spare"));
    await passed();
    expect(first.received.some(({ is }) => is === "down")).toBe(false);
  });

  it("reports to a new window of a live world that it is live", async () => {
    const hub = new FeedHub();
    const first = openWindow(hub, "qa");
    current().say(ready("qa"));
    await vi.waitFor(() => expect(first.events()).toEqual(["ready"]));
    expect(openWindow(hub, "qa").events()).toEqual(["ready"]);
    expect(opened.length).toBe(1);
  });

  it("restarts a dropped world over the same connection, and its windows wait for it", async () => {
    const hub = new FeedHub();
    const first = openWindow(hub, "qa");
    current().say(`${ready("qa")}${entry(7)}event: dropped\ndata: {"reason":"x"}\n\n`);
    await vi.waitFor(() => expect(first.events()).toContain("dropped"));
    expect(openWindow(hub, "qa").received).toEqual([]);
    openWindow(hub, "spare");
    await vi.waitFor(() => expect(current().url).toBe("/__sandbox/live?worlds=qa,spare"));
  });

  it("gives each window what came together in one message", async () => {
    const first = openWindow(new FeedHub(), "qa");
    current().say(ready("qa") + entry(7) + entry(8));
    await vi.waitFor(() => expect(first.ids()).toEqual(["7", "8"]));
    current().say(": heartbeat\n\n");
    current().say(entry(9));
    await vi.waitFor(() => expect(first.ids()).toContain("9"));
    expect(first.received).toHaveLength(2);
  });

  it("stays open for the other windows of its token when one leaves or shows another world", async () => {
    const hub = new FeedHub();
    const [first, second] = [openWindow(hub, "qa"), openWindow(hub, "qa")];
    first.say({ is: "leave" });
    first.say({ is: "check" });
    current().say(ready("qa"));
    await vi.waitFor(() => expect(second.events()).toEqual(["ready"]));
    expect([first.received, opened.length, current().isOpen()]).toEqual([[], 1, true]);
    second.say({ is: "join", world: "spare", token: "control" });
    await vi.waitFor(() => expect(current().url).toBe("/__sandbox/live?worlds=spare"));
    expect(opened[0]?.isOpen()).toBe(false);
  });

  it("reports a lost connection to all windows, reconnects, and drops a reset world's position", async () => {
    const hub = new FeedHub();
    const first = openWindow(hub, "qa");
    current().say(`${ready("qa")}${entry(7)}event: reset\ndata: {"reason":"x"}\n\n`);
    await vi.waitFor(() => expect(first.events()).toContain("reset"));
    current().end();
    await vi.waitFor(() => expect(first.received.at(-1)).toMatchObject({ is: "down", why: null }));
    expect(openWindow(hub, "qa").received).toMatchObject([{ is: "down" }]);
    await vi.waitFor(() => expect(opened.map(({ url }) => url).at(-1)).toBe("/__sandbox/live?worlds=qa"));
  });

  it("opens a connection for each world if the service supports only one", async () => {
    answers = [new Response("", { status: 403 })];
    const hub = new FeedHub();
    const first = openWindow(hub, "qa");
    openWindow(hub, "spare");
    const ofOne = (world: string) => opened.find(({ url }) => url === `/__sandbox/live?world=${world}`);
    await vi.waitFor(() => expect(ofOne("spare")?.isOpen()).toBe(true));
    ofOne("qa")?.say(`event: ready\ndata: {"world":"qa"}\n\n${entry(3)}`);
    await vi.waitFor(() => expect(first.ids()).toEqual(["3"]));
    ofOne("qa")?.end();
    await vi.waitFor(() => expect(current().lastId).toBe("3"));
  });

  it("reopens the feed of a single world when it is dropped, and reports when it is missing", async () => {
    answers = [new Response("", { status: 400 })];
    const window = openWindow(new FeedHub(), "a b");
    await vi.waitFor(() => expect(current().url).toBe("/__sandbox/live?world=a%20b"));
    current().say(`event: ready\ndata: {"world":"a b"}\n\n${entry(3)}event: dropped\ndata: {}\n\n`);
    await vi.waitFor(() => expect(window.received.at(-1)).toMatchObject({ is: "down" }));
    answers = [new Response("", { status: 404 })];
    await vi.waitFor(() => expect(current().lastId).toBe("3"));
    await vi.waitFor(() => expect(window.received.some(({ is }) => is === "missing")).toBe(true));
  });

  it("waits as briefly as at first after a connection that was open", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    answers = [500, 500, 500].map((status) => new Response("", { status }));
    const window = openWindow(new FeedHub(), "qa");
    await vi.advanceTimersByTimeAsync(250 + 500 + 1_000 + 10);
    current().say(ready("qa"));
    await vi.advanceTimersByTimeAsync(1);
    current().end();
    await vi.advanceTimersByTimeAsync(1);
    expect(window.received.at(-1)).toMatchObject({ is: "down" });
    await vi.advanceTimersByTimeAsync(250);
    expect(opened).toHaveLength(5);
  });

  it("passes on why a feed is refused, and that a token is invalid", async () => {
    answers = [
      new Response(JSON.stringify({ message: "There are 20 live feeds." }), { status: 429 }),
      new Response("", { status: 401 }),
    ];
    const window = openWindow(new FeedHub(), "qa");
    await vi.waitFor(() => expect(window.received[0]).toMatchObject({ is: "down", why: "There are 20 live feeds." }));
    await vi.waitFor(() => expect(window.received.some(({ is }) => is === "refused")).toBe(true), 5_000);
  });

  it("opens a connection again for a token that was refused, and asks for nothing that it hasn't received", async () => {
    answers = [new Response("", { status: 401 })];
    const hub = new FeedHub();
    const first = openWindow(hub, "qa");
    await vi.waitFor(() => expect(first.received).toEqual([{ is: "refused" }]));
    const again = openWindow(hub, "qa");
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    current().say(ready("qa"));
    await vi.waitFor(() => expect(again.events()).toEqual(["ready"]));
    expect(opened.map(({ headers }) => Object.keys(headers))).toEqual([
      ["authorization", "accept"],
      ["authorization", "accept"],
    ]);
  });

  it("separates tokens, and closes connections without a window", async () => {
    const hub = new FeedHub();
    const first = openWindow(hub, "qa", "one");
    openWindow(hub, "qa", "other");
    await vi.waitFor(() => expect(opened.filter((one) => one.isOpen()).length).toBe(2));
    first.say({ is: "leave" });
    await passed();
    expect(opened[0]?.isOpen()).toBe(false);
  });

  it("on a check, drops a connection that was silent for long, and keeps another", async () => {
    const hub = new FeedHub();
    const window = openWindow(hub, "qa");
    current().say(ready("qa"));
    await vi.waitFor(() => expect(window.events()).toEqual(["ready"]));
    window.say({ is: "check" });
    expect(current().isOpen()).toBe(true);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20_000 });
    window.say({ is: "check" });
    expect(opened[0]?.isOpen()).toBe(false);
  });

  it("drops a connection after 33 s of silence, even without a heartbeat", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const window = openWindow(new FeedHub(), "qa");
    await vi.advanceTimersByTimeAsync(30_000);
    current().say(": still there\n\n");
    await vi.advanceTimersByTimeAsync(32_000);
    expect([current().isOpen(), window.received]).toEqual([true, []]);
    await vi.advanceTimersByTimeAsync(1_500);
    expect([opened[0]?.isOpen(), window.received]).toMatchObject([false, [{ is: "down", why: null }]]);
    answers = [new Response(new ReadableStream())];
    await vi.advanceTimersByTimeAsync(300);
    expect(opened).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(33_000);
    expect(opened[1]?.isOpen()).toBe(false);
    window.say({ is: "leave" });
  });

  it("falls back to the feed of one world, and retries later if that is refused too", async () => {
    answers = [400, 400].map((status) => new Response("", { status }));
    const window = openWindow(new FeedHub(), "qa");
    await vi.waitFor(() => expect(window.received).toMatchObject([{ is: "down", why: null }]));
    expect(opened.map(({ url }) => url)).toEqual(["/__sandbox/live?worlds=qa", "/__sandbox/live?world=qa"]);
    window.say({ is: "leave" });
  });

  it("retries once on a check, and stops without a window", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    answers = [500, 500].map((status) => new Response("", { status }));
    const window = openWindow(new FeedHub(), "qa");
    await vi.advanceTimersByTimeAsync(1);
    window.say({ is: "check" });
    await vi.advanceTimersByTimeAsync(260);
    expect(opened).toHaveLength(2);
    window.say({ is: "leave" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(opened).toHaveLength(2);
  });
});
