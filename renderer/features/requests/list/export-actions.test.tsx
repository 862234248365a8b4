// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { requestParams } from "../../../domain/exchange/filter.ts";
import { useConnection } from "../../../kernel/live/connection-store.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { ExportActions } from "./export-actions.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("closes the recording of calls that a reset has deleted, and never counts none", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string) =>
    Response.json({
      items: String(url).endsWith("requests.list") ? [{ id: "a" }, { id: "b" }] : [],
      next_cursor: null,
    }),
  );
  show(<ExportActions filter={requestParams.parse("")} any />);
  fireEvent.click(screen.getByRole("button", { name: /Record/ }));
  await screen.findByText(/^Records these 2 calls/);
  const seen = new Set<string | null>();
  const observer = new MutationObserver(() => seen.add(screen.queryByText(/^Records these/)?.textContent ?? null));
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  act(() => useConnection.setState(({ replacements }) => ({ replacements: replacements + 1 })));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  observer.disconnect();
  expect([...seen].filter((text) => text?.includes("these 0"))).toEqual([]);
});
