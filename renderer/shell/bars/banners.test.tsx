// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
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
