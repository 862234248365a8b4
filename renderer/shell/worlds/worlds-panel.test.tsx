// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import "../../testing/fresh-window.ts";
import { show } from "../../testing/shown.tsx";
import { WorldDialogContent } from "./worlds-panel.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("says that the window switches if its own world is deleted", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  window.history.replaceState(null, "", "/jobs?world=qa");
  show(<WorldDialogContent is="delete" world="qa" />);
  await screen.findByText(/This window switches to world “default”\.$/);
  cleanup();
  show(<WorldDialogContent is="delete" world="other" />);
  await screen.findByText(/^The next call to this name creates a new world\.\s*$/);
  expect(screen.queryByText(/This window switches/)).toBeNull();
});
