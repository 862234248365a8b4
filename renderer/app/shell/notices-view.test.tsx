// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listenForKeys } from "../../lib/key-registry.ts";
import { show } from "../../testing/shown.tsx";
import { notify } from "../notices.tsx";
import { useNotices } from "../notices-store.ts";
import { NoticesButton, Toasts } from "./notices-view.tsx";

let ends: () => void;
beforeEach(() => {
  ends = listenForKeys(() => true);
});
afterEach(() => {
  ends();
  cleanup();
  useNotices.setState({ entries: [], listOpen: false });
});

const Frame = () => (
  <>
    <NoticesButton />
    <Toasts />
  </>
);

it("shows three over the page, counts the older ones, and lists all", async () => {
  for (const hours of [1, 2, 3, 4]) notify.done({ title: `${hours} h ahead` });
  show(<Frame />);
  const toasts = within(screen.getByRole("region", { name: "Newest notices" }));
  expect(toasts.getAllByRole("listitem")).toHaveLength(3);
  fireEvent.click(toasts.getByRole("button", { name: "1 older notice" }));
  const list = await screen.findByRole("list", { name: "Notices, newest first" });
  const titles = within(list).getAllByRole("listitem");
  expect(titles).toHaveLength(4);
  expect(titles[0]?.textContent).toContain("4 h ahead");
  expect(screen.queryByRole("region", { name: "Newest notices" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Clear all" }));
  expect(screen.getByText("No notices yet")).toBeDefined();
});

it("counts the same once more instead of stacking it", () => {
  for (let time = 0; time < 3; time += 1) notify.failed("Move the clock", new Error("The disk is full."));
  show(<Frame />);
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
  expect(screen.getByRole("listitem").textContent).toContain("×3");
});

it("is opened by keys while there are none, and left by Escape", async () => {
  show(<Frame />);
  for (const key of ["g", "n"]) fireEvent.keyDown(document.body, { key });
  expect((await screen.findByRole("dialog", { name: "Notices" })).textContent).toContain("No notices yet");
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
  expect(useNotices.getState().listOpen).toBe(false);
});

it("leaves a gap between a link and Undo", () => {
  notify.done({
    title: "copy was restored",
    link: { href: "/", label: "Open world", world: "copy" },
    undo: async () => undefined,
  });
  show(<Frame />);
  expect(screen.getByRole("listitem").textContent).toContain("Open world Undo");
});
