// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { LOST_AFTER_MS, useConnection } from "../../kernel/live/connection-store.ts";
import { LiveFeedReader } from "../../kernel/live/live-feed-reader.tsx";
import { show } from "../../testing/shown.tsx";
import { ConnectionBanners } from "./banners.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows why this window gets no live updates if its token has too many feeds", async () => {
  const message = "This token already has 20 live feeds open, the limit. Close a window of the explorer.";
  vi.stubGlobal("fetch", async () => Response.json({ type: "rate_limited", message }, { status: 429 }));
  show(
    <>
      <LiveFeedReader world="default" token="token" />
      <ConnectionBanners />
    </>,
  );
  const banner = await screen.findByRole("region", { name: "No live updates" });
  expect(banner.textContent).toContain(message);
  expect(screen.queryByText(/doesn’t respond/)).toBeNull();
});

it.each([
  ["No live updates", "This token already has 20 live feeds open."],
  ["Service not responding", null],
])("connects immediately from the banner %s", (name, why) => {
  const retry = vi.fn();
  const since = Date.now() - 2 * LOST_AFTER_MS;
  onTestFinished(() => useConnection.setState(useConnection.getInitialState()));
  useConnection.setState({ connection: { state: "reconnecting", since, retryAt: since, why }, retry });
  show(<ConnectionBanners />);
  fireEvent.click(within(screen.getByRole("region", { name })).getByRole("button", { name: "Try now" }));
  expect(retry).toHaveBeenCalledOnce();
});
