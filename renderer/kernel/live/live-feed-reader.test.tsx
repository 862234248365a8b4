// @vitest-environment jsdom
import { useQuery } from "@tanstack/react-query";
import { cleanup, renderHook, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { RESTORED } from "../../../sandbox/contract/live.ts";
import { useAnsweredSince } from "../../lib/service-reach.ts";
import { takeToken } from "../../lib/session.ts";
import { lastCallTo } from "../../lib/world-calls.ts";
import { useWorldAhead } from "../../lib/world-clock.ts";
import { show } from "../../testing/shown.tsx";
import { notify } from "../notices/notices.tsx";
import { worldKeys } from "../queries/query-keys.ts";
import { useConnection } from "./connection-store.ts";
import { knownWorlds } from "./known-worlds.ts";
import { entryIn, LiveFeedReader, servesThisBuild } from "./live-feed-reader.tsx";
import { useLive } from "./use-live.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A list of the world: it shows how often the service was read, and the response. */
const Shown = ({ name, read }: { name: string; read: () => Promise<string> }) => (
  <section aria-label={name}>
    {useQuery({ queryKey: worldKeys("qa").jobs(name), queryFn: read }).data ?? "nothing"}
  </section>
);

it("repeats reads from before its first connection opened", async () => {
  takeToken("token");
  let open: ((response: Response) => void) | undefined;
  vi.stubGlobal("fetch", (url: string) => {
    if (url.startsWith("/__sandbox/live")) return new Promise<Response>((resolve) => (open = resolve));
    return Promise.resolve(Response.json({ items: [{ name: "qa", created_at: "10:00" }], offset_seconds: 0 }));
  });
  let inTheWorld = "before";
  const answers: (() => void)[] = [];
  const early = async () => inTheWorld;
  const underWay = () => {
    const left = inTheWorld;
    return new Promise<string>((resolve) => answers.push(() => resolve(left)));
  };
  show(
    <>
      <LiveFeedReader world="qa" token="token" />
      <Shown name="early" read={early} />
      <Shown name="under way" read={underWay} />
    </>,
  );
  await waitFor(() => expect(screen.getByLabelText("early").textContent).toBe("before"));
  inTheWorld = "after";
  const ready = `event: of_world\ndata: {"world":"qa"}\n\nevent: ready\ndata: ${JSON.stringify({ world: "qa", version: "1", last_id: 9 })}\n\n`;
  open?.(new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(ready)) })));
  await waitFor(() => expect(screen.getByLabelText("early").textContent).toBe("after"));
  answers.shift()?.();
  await waitFor(() => expect(answers).toHaveLength(1));
  answers.shift()?.();
  await waitFor(() => expect(screen.getByLabelText("under way").textContent).toBe("after"));
});

it("counts a refused feed as an answer of the service, unlike no connection", async () => {
  takeToken("token");
  const began = Date.now();
  const { result } = renderHook(() => useAnsweredSince(began));
  let connected = 0;
  vi.stubGlobal("fetch", async (url: string) => {
    if (!url.startsWith("/__sandbox/live")) return new Promise(() => {});
    connected += 1;
    if (connected === 1) throw new TypeError("no network");
    return Response.json({ message: "Full." }, { status: 429 });
  });
  show(<LiveFeedReader world="qa" token="token" />);
  await waitFor(() => expect(useConnection.getState().connection.state).toBe("reconnecting"));
  expect(result.current).toBe(false);
  await waitFor(() => expect(useConnection.getState().connection).toMatchObject({ why: "Full." }));
  expect(result.current).toBe(true);
});

const block = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
/** A window of world qa with an open feed. */
const feeding = async (listed: readonly object[] = [{ name: "qa", created_at: "10:00" }]) => {
  takeToken("token");
  useConnection.setState({ missing: null });
  let worlds = listed;
  const clock = { offset: 0 };
  let send: (text: string) => void = () => undefined;
  vi.stubGlobal("fetch", (url: string) => {
    if (!url.startsWith("/__sandbox/live"))
      return Promise.resolve(Response.json({ items: worlds, offset_seconds: clock.offset }));
    const body = new ReadableStream({
      start: (stream) => {
        send = (text) => stream.enqueue(new TextEncoder().encode(block("of_world", { world: "qa" }) + text));
      },
    });
    send(block("ready", { world: "qa", version: "1", last_id: 9 }));
    return Promise.resolve(new Response(body));
  });
  let reads = 0;
  const read = async () => `read ${++reads}`;
  show(
    <>
      <LiveFeedReader world="qa" token="token" />
      <Shown name="list" read={read} />
    </>,
  );
  await waitFor(() => expect(useConnection.getState().connection.state).toBe("live"));
  await waitFor(() => expect(reads).toBe(2));
  return {
    clock,
    reads: () => reads,
    send: (event: string, data: object) => send(block(event, data)),
    reset: (listed: readonly object[], reason = "the world was reset") => {
      worlds = listed;
      send(block("reset", { reason }));
    },
  };
};

describe("a world that was reset or deleted", () => {
  const afterReset = async (listed: readonly object[]) => {
    const { reads, reset } = await feeding();
    reset(listed);
    return reads;
  };

  it("is missing when the feed says so, and reloads when it is back", async () => {
    const { send, reads } = await feeding();
    send("missing", { is_there: false });
    await waitFor(() => expect(useConnection.getState().missing?.reason).toBe("No world has this name."));
    const before = reads();
    send("ready", { world: "qa", version: "1", last_id: 9 });
    await waitFor(() => expect(useConnection.getState().missing).toBeNull());
    await waitFor(() => expect(reads()).toBeGreaterThan(before));
  });

  it("shows the time on its world's clock, also after that was moved", async () => {
    const { clock, send } = await feeding();
    const ahead = renderHook(() => useWorldAhead()).result;
    for (const [at, offset] of [90, -30, 0].entries()) {
      clock.offset = offset;
      send("world", { id: 20 + at, kind: "world", data: { what: "clock" } });
      await waitFor(() => expect(ahead.current).toBe(offset * 1_000));
    }
  });

  it("reports another build of the service while it runs", async () => {
    const { send } = await feeding();
    const ready = (version: string) => send("ready", { world: "qa", version, last_id: 9 });
    ready("2");
    const other = { version: "2", pageVersion: "1" };
    await waitFor(() => expect(useConnection.getState().otherBuild).toEqual(other));
    ready("1");
    await waitFor(() => expect(useConnection.getState().otherBuild).toBeNull());
  });

  it("receives each entry; a call postpones its reset, and leaving ends its feed", async () => {
    const { send } = await feeding();
    const heard = vi.fn();
    const { unmount } = renderHook(() => useLive("event", heard));
    const [began, callsBefore] = [Date.now(), lastCallTo("qa")];
    expect(useConnection.getState().lastEntryAt).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 5));
    send("event", { id: 10, kind: "event", data: {} });
    await waitFor(() => expect(heard).toHaveBeenCalledWith([{ id: 10, kind: "event", data: {} }]));
    expect(useConnection.getState().lastEntryAt).toBeGreaterThanOrEqual(began);
    expect(lastCallTo("qa")).toBe(callsBefore);
    send("request", { id: 11, kind: "request", data: { id: "c", operation: null, status: 200 } });
    send("event", { id: 12, kind: "event", data: {} });
    await waitFor(() => expect(lastCallTo("qa")).toBeGreaterThan(callsBefore ?? 0));
    cleanup();
    expect(useConnection.getState().connection).toEqual({ state: "connecting" });
    unmount();
  });

  it("exists while its feed is open, even if an earlier list of worlds doesn't have it", async () => {
    await feeding([{ name: "default", created_at: "09:00" }]);
    expect(useConnection.getState()).toMatchObject({ missing: null, connection: { state: "live" } });
  });

  it("is missing, with the reason, when the service no longer lists it", async () => {
    await afterReset([{ name: "default", created_at: "09:00" }]);
    const missing = { world: "qa", reason: "The world was reset." };
    await waitFor(() => expect(useConnection.getState().missing).toEqual(missing));
  });

  it("reloads when another world has its name, with a notice unless this window reset it", async () => {
    const { reads, reset } = await feeding();
    const told = vi.spyOn(notify, "tell");
    const { replacements } = useConnection.getState();
    reset([{ name: "qa", created_at: "11:00" }]);
    await waitFor(() => expect(reads()).toBe(3));
    expect(useConnection.getState().missing).toBeNull();
    expect(told.mock.calls).toEqual([[{ title: "World qa was reset", detail: "The world was reset." }]]);
    knownWorlds.expect("qa");
    reset([{ name: "qa", created_at: "12:00" }]);
    await waitFor(() => expect(reads()).toBe(4));
    expect(told).toHaveBeenCalledOnce();
    // The same world: what was read may be stale, and nobody is told.
    reset([{ name: "qa", created_at: "12:00" }]);
    await waitFor(() => expect(reads()).toBe(5));
    expect(told).toHaveBeenCalledOnce();
    expect(useConnection.getState().replacements).toBe(replacements + 2);
  });
});

describe("a world that was restored", () => {
  const now = [{ name: "qa", created_at: "10:00" }];
  it.each([
    ["keeps its creation time", now],
    ["gets an earlier one", [{ name: "qa", created_at: "09:00" }]],
  ])("and %s reloads with a notice, unless this window restored it", async (_what, listed) => {
    const { reads, reset } = await feeding();
    const told = vi.spyOn(notify, "tell");
    reset(listed, RESTORED);
    await waitFor(() => expect(reads()).toBe(3));
    const detail = "The world was restored from a snapshot.";
    expect(told.mock.calls).toEqual([[{ title: "World qa was restored", detail }]]);
    knownWorlds.expect("qa");
    reset(listed, RESTORED);
    await waitFor(() => expect(reads()).toBe(4));
    expect(told).toHaveBeenCalledOnce();
    // This window's own restore is over, so a reset is somebody else's.
    reset([{ name: "qa", created_at: "12:00" }]);
    await waitFor(() => expect(reads()).toBe(5));
    expect(told).toHaveBeenCalledTimes(2);
  });
});

describe("the entry script of a page", () => {
  it("is read from the built page", () =>
    expect(
      entryIn('<head><script type="module" crossorigin src="/assets/index-lbVe0lNv.js"></script><link rel="x"></head>'),
    ).toBe("/assets/index-lbVe0lNv.js"));
  it("is null without a script", () => expect(entryIn("<p>Not found</p>")).toBeNull());
});

it("shows another build if it differs, and nothing if it is unknown", async () => {
  const page = (script: string) => `<script type="module" src="${script}"></script>`;
  const script = Object.assign(document.createElement("script"), { type: "text/plain" });
  document.head.append(script);
  script.setAttribute("src", "/a.js");
  script.type = "module";
  const answers = [page("/a.js"), page("/b.js"), "<p>"].map((html) => new Response(html));
  answers.push(new Response(page("/b.js"), { status: 503 }));
  const fetched = vi.fn(async () => answers.shift() ?? Promise.reject(new TypeError("no network")));
  vi.stubGlobal("fetch", fetched);
  const verdicts: boolean[] = [];
  for (let count = 0; count < 5; count += 1) verdicts.push(await servesThisBuild());
  expect(verdicts).toEqual([true, false, true, true, true]);
  expect(fetched).toHaveBeenCalledWith("/", { cache: "no-store", headers: { accept: "text/html" } });
  script.remove();
  answers.push(new Response(page("/b.js")));
  expect(await servesThisBuild()).toBe(true);
});
