// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useConnection } from "../kernel/live/connection-store.ts";
import { takeToken } from "../lib/session.ts";
import { show } from "../testing/shown.tsx";
import { MissingWorldPage } from "./missing-world-page.tsx";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  useConnection.setState({ missing: null });
});

const missing = { world: "qa", reason: "It was deleted." };
let asked: unknown[] = [];
let worlds: readonly object[] = [];
const opened = async (snapshots: readonly object[]) => {
  takeToken("token");
  asked = [];
  worlds = [];
  useConnection.setState({ missing });
  vi.stubGlobal("fetch", async (url: string, { body }: RequestInit) => {
    const operation = url.split("/").at(-1);
    if (operation === "snapshots.list") return Response.json({ items: snapshots });
    if (operation === "worlds.list") return Response.json({ items: worlds });
    asked.push([operation, JSON.parse(String(body))]);
    return Response.json({ items: [], checkpoint: null });
  });
  show(<MissingWorldPage missing={missing} />);
  await screen.findByRole("heading", { name: "World qa not found" });
};
const buttons = () => screen.getAllByRole("button").map(({ textContent }) => textContent);

it("first offers to restore the newest checkpoint of a world", async () => {
  const of = (world: string, name: string) => ({ world, name, before: "delete" });
  await opened([of("other", "newer"), of("qa", "before-delete"), of("qa", "older")]);
  const restore = await screen.findByRole("button", { name: "Restore world" });
  expect(buttons()).toEqual(["Restore world", "Create world"]);
  fireEvent.click(restore);
  await waitFor(() => expect(asked).toEqual([["snapshots.restore", { world: "qa", name: "before-delete" }]]));
  await waitFor(() => expect(useConnection.getState().missing).toBeNull());
});

it("offers to create a world without a checkpoint", async () => {
  await opened([{ world: "other", name: "newer", before: "delete" }]);
  await waitFor(() => expect(buttons()).toEqual(["Create world"]));
});

it("opens a world that somebody else restored or created", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await opened([]);
  await waitFor(() => expect(buttons()).toEqual(["Create world"]));
  worlds = [{ name: "other" }];
  await vi.advanceTimersByTimeAsync(2_100);
  expect(useConnection.getState().missing).toEqual(missing);
  worlds = [{ name: "other" }, { name: "qa" }];
  await vi.advanceTimersByTimeAsync(2_100);
  await waitFor(() => expect(useConnection.getState().missing).toBeNull());
});
