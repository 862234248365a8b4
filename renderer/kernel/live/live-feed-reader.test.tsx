// @vitest-environment jsdom
import { useQuery } from "@tanstack/react-query";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { worldKeys } from "../queries/query-keys.ts";
import { entryIn, LiveFeedReader } from "./live-feed-reader.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** What a list of the world shows: how often the service was asked, and what it said as it was asked. */
const Shown = ({ name, read }: { name: string; read: () => Promise<string> }) => (
  <section aria-label={name}>
    {useQuery({ queryKey: worldKeys("qa").jobs(name), queryFn: read }).data ?? "nothing"}
  </section>
);

it("reads again what was read, or was being read, before its first connection opened", async () => {
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

describe("the script a page starts with", () => {
  it("is read out of the page as it was built", () =>
    expect(
      entryIn('<head><script type="module" crossorigin src="/assets/index-lbVe0lNv.js"></script><link rel="x"></head>'),
    ).toBe("/assets/index-lbVe0lNv.js"));
  it("is none where there is no such script", () => expect(entryIn("<p>Not found</p>")).toBeNull());
});
