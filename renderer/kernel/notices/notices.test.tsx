// @vitest-environment jsdom
import { Notifications, notifications } from "@mantine/notifications";
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { show } from "../../testing/shown.tsx";
import { notify } from "./notices.tsx";

beforeEach(() => {
  vi.useFakeTimers();
  show(<Notifications limit={3} />);
});
afterEach(() => {
  notifications.clean();
  cleanup();
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const told = async (tell: () => void) => {
  act(tell);
  // A replaced notice is removed after its transition.
  await wait(500);
};
const texts = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent ?? "");

it("success closes by itself, failure stays", async () => {
  await told(() => notify.done({ title: "Link copied" }));
  await told(() => notify.failed("Move the clock", new Error("The disk is full.")));
  expect(texts()).toEqual([
    expect.stringMatching(/^Failed: Couldn’t move the clockThe disk is full\./),
    expect.stringMatching(/^Done: Link copied/),
  ]);
  await wait(30_000);
  expect(texts()).toEqual([expect.stringContaining("Couldn’t move the clock")]);
  fireEvent.click(screen.getByRole("button", { name: "Close notice" }));
  await wait(500);
  expect(texts()).toEqual([]);
});

it("stays while it has focus", async () => {
  const link = { href: "/", label: "Open copy", world: "copy" };
  await told(() => notify.done({ title: "qa copied to copy", link }));
  const open = screen.getByRole("link", { name: "Open copy" });
  expect(open.getAttribute("href")).toBe("/?world=copy");
  act(() => open.focus());
  await wait(30_000);
  expect(texts()).toHaveLength(1);
});

it("has no link to the open place", async () => {
  window.history.replaceState(null, "", "/scenarios/retry/file");
  const link = { href: "/scenarios/retry", label: "Open it", world: "default" };
  await told(() => notify.done({ title: "Saved “Retry”", link }));
  expect(screen.queryByRole("link")).toBeNull();
  await told(() => notify.done({ title: "Saved in another world", link: { ...link, world: "qa" } }));
  expect(screen.getByRole("link", { name: "Open it" }).getAttribute("href")).toBe("/scenarios/retry?world=qa");
});

it("names and links its world after the window switched worlds", async () => {
  const from = { href: "/jobs/1", world: "default" };
  window.history.replaceState(null, "", "/jobs");
  await told(() => notify.done({ title: "J-1 updated", detail: "1 event.", from }));
  expect(texts()).toEqual([expect.stringMatching(/^Done: J-1 updated1 event\.\s*$/)]);
  window.history.replaceState(null, "", "/jobs?world=qa");
  await told(() => notify.done({ title: "J-2 updated", detail: "1 event.", from }));
  expect(texts()[0]).toMatch(/^Done: J-2 updated1 event\. In world default\. Open there/);
  expect(screen.getByRole("link", { name: "Open there" }).getAttribute("href")).toBe("/jobs/1?world=default");
  const link = { ...from, label: "Open form" };
  await told(() => notify.failed("Update job", new Error("The disk is full."), link));
  expect(texts()[0]).toMatch(/^Failed: Couldn’t update jobThe disk is full\. In world default\. Open form/);
});

it("replaces an equal one, and shows the newest three", async () => {
  for (let time = 0; time < 3; time += 1)
    await told(() => notify.failed("Move the clock", new Error("The disk is full.")));
  expect(texts()).toHaveLength(1);
  for (const hours of [1, 2, 3]) await told(() => notify.done({ title: `${hours} h ahead` }));
  expect(texts().map((text) => text.match(/\d h/)?.[0])).toEqual(["3 h", "2 h", "1 h"]);
  await wait(30_000);
  expect(texts()).toEqual([expect.stringContaining("Couldn’t move the clock")]);
});

it("does once what it offers, then closes", async () => {
  const undo = vi.fn(async () => undefined);
  await told(() => notify.done({ title: "qa was reset", offer: { label: "Undo", act: undo } }));
  fireEvent.click(within(screen.getByRole("alert")).getByRole("button", { name: "Undo" }));
  await wait(500);
  expect(undo).toHaveBeenCalledTimes(1);
  expect(texts()).toEqual([]);
});
