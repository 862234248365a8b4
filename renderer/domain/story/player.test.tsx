// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Scene, Story } from "../../../sandbox/contract/story.ts";
import { Player } from "./player.tsx";

const said: Story["said"] = [
  { number: 2, title: "Insert job", say: "The repairer inserts a job.", sides: ["repairer"] },
  { number: 5, title: "Confirm", say: "The supplier confirms.", sides: ["supplier"] },
];
const seen: NonNullable<Scene["repairer"]> = {
  ...{
    name: "Tarn & Rowe",
    note: "order",
    title: "TRC-1",
    status: { value: "order_confirmed", was: "order_requested" },
  },
  ...{ facts: [{ label: "Deliver by", value: "tomorrow", was: "not set yet" }], lines: [], total: null, offers: null },
};
const scene = (number: number, more: Partial<Scene> = {}): Scene => ({
  ...{
    number,
    call: null,
    repairer: seen,
    supplier: null,
    changed: ["repairer"],
    webhooks: [],
    calls: 1,
    problem: null,
  },
  ...more,
});
const story = (...scenes: Scene[]): Story => ({
  ...{ story: 1, title: "First order", about: null, version: "1.0.0", at: "2026-11-29T10:00:00.000Z", said, scenes },
});
const callOf = (response: string): NonNullable<Scene["call"]> => ({
  ...{ side: "repairer", operation: "repairer.jobs.insert", method: "POST", path: "/api/x" },
  ...{ status: 200, duration_ms: 2, request: '{"a":1}', response, trace_id: "t" },
});
const sentence = () => screen.getByRole("heading", { level: 1 }).textContent;
const press = (key: string) => fireEvent.keyDown(document.body, { key });

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("steps through recorded scenes by key, and shows previous values", () => {
  render(<Player story={story(scene(2), scene(5))} where="Recorded" />);
  expect(sentence()).toBe("The repairer inserts a job.");
  expect(screen.getByText("tomorrow").parentElement?.textContent).toBe("tomorrow was not set yet");
  press("ArrowRight");
  expect(sentence()).toBe("The supplier confirms.");
  press("End");
  expect(sentence()).toBe("What you saw");
  expect(screen.getByText(/^1 call/).textContent).toBe("1 call.");
  press("1");
  expect(sentence()).toBe("The repairer inserts a job.");
});

it("counts the webhooks at the end, and how many were verified", () => {
  const webhook = (message_id: string, verdict: "passed" | "failed", attempts: number) => ({
    ...{
      side: "supplier" as const,
      event_type: "supplier.procurements" as const,
      delivery_id: message_id,
      status: "delivered" as const,
    },
    ...{ attempts, answered: 200, verification: [{ step: "signature", verdict, detail: "" }] },
  });
  const ended = (attempts: number, ...verdicts: ("passed" | "failed")[]) => {
    const webhooks = verdicts.map((verdict, index) => webhook(String(index), verdict, index === 0 ? attempts : 1));
    render(
      <Player story={story(scene(2), scene(5, { calls: 10, webhooks: webhooks as Scene["webhooks"] }))} where="" />,
    );
    press("End");
    const { textContent } = screen.getByText(/^10 calls/);
    cleanup();
    return textContent;
  };
  expect(ended(1, "passed", "passed")).toBe("10 calls and 2 signed webhooks, all of them verified on arrival.");
  expect(ended(1, "passed", "failed")).toBe("10 calls and 2 signed webhooks, 1 of them verified on arrival.");
  expect(ended(2, "passed", "passed")).toBe(
    "10 calls and 2 signed webhooks, all of them verified on arrival, 1 of these after failed attempts.",
  );
});

it("plays each step for real once, when it is reached", () => {
  const asked = vi.fn();
  const { rerender } = render(<Player story={story()} onPlay={asked} where="" />);
  expect(asked.mock.calls).toEqual([[2]]);
  rerender(<Player story={story()} onPlay={asked} isBusy where="" />);
  rerender(<Player story={story(scene(2))} onPlay={asked} where="" />);
  expect(asked.mock.calls).toEqual([[2]]);
  press("ArrowRight");
  expect(asked.mock.calls).toEqual([[2], [5]]);
  rerender(<Player story={story(scene(2), scene(5))} onPlay={asked} where="" />);
  press("ArrowLeft");
  press("ArrowRight");
  expect(asked).toHaveBeenCalledTimes(2);
});

it("plays the remaining steps before the end", () => {
  const asked = vi.fn();
  const { rerender } = render(<Player story={story(scene(2))} onPlay={asked} where="" />);
  press("End");
  expect(asked.mock.calls).toEqual([[5]]);
  expect(sentence()).toBe("The supplier confirms.");
  rerender(<Player story={story(scene(2), scene(5))} onPlay={asked} where="" />);
  expect(sentence()).toBe("What you saw");
});

it("plays automatically unless motion is reduced, and stops at a failed step", () => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  const problem = { detail: "businesses.list → 200", expected: "418", got: "200" };
  const asked = vi.fn();
  render(<Player story={story(scene(2), scene(4, { problem }))} onPlay={asked} where="" />);
  vi.advanceTimersByTime(8_000);
  vi.advanceTimersByTime(80_000);
  return vi.waitFor(() => {
    expect(sentence()).toBe("The supplier confirms.");
    expect(screen.getByRole("alert").textContent).toContain("Expected418Actual200");
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(asked).toHaveBeenCalledWith(5);
  });
});

it("Escape closes an open call first, then the player", () => {
  const left = vi.fn();
  render(<Player story={story(scene(2, { call: callOf("plain") }))} onExit={left} where="" />);
  press("d");
  screen.getByText("plain");
  press("Escape");
  expect(screen.queryByText("plain")).toBeNull();
  expect(left).not.toHaveBeenCalled();
  press("Escape");
  expect(left).toHaveBeenCalledOnce();
});

it("announces each step and the end in one region, and keeps focus at the ends", () => {
  const { container } = render(<Player story={story(scene(2), scene(5))} where="" />);
  const live = container.querySelector("[aria-live]");
  expect(live?.textContent).toBe("1 of 2The repairer inserts a job.");
  const next = screen.getByRole("button", { name: "Next step" });
  next.focus();
  fireEvent.click(next);
  expect(live?.textContent).toBe("2 of 2The supplier confirms.");
  fireEvent.click(next);
  expect(live?.textContent).toBe("The end of the story");
  fireEvent.click(next);
  expect(live?.isConnected).toBe(true);
  expect(document.activeElement).toBe(next);
  expect(next.getAttribute("aria-disabled")).toBe("true");
});

it("has a station and a dot for each of many steps, with their titles on request", () => {
  const many = Array.from({ length: 16 }, (_, index) => ({
    ...{ number: index + 1, title: `Step ${index}`, say: `Number ${index}.`, sides: ["repairer" as const] },
  }));
  const recorded = { ...story(), said: many, scenes: many.map(({ number }) => scene(number)) };
  render(<Player story={recorded} where="" />);
  const map = screen.getByRole("navigation", { name: "Steps" });
  expect(map.dataset.many).toBe("true");
  fireEvent.click(screen.getByRole("button", { name: "Step 11. Step 12: Number 11." }));
  expect(sentence()).toBe("Number 11.");
  expect(map.querySelectorAll("[aria-current='step']")).toHaveLength(1);
  expect(document.querySelectorAll("i[data-state='done']")).toHaveLength(11);
});

it("reports a missing value beside its previous one", () => {
  render(<Player story={story(scene(2, { missing: "placed.items.9" }))} where="" />);
  expect(screen.getAllByText("This step shows placed.items.9, which isn’t there.")).toHaveLength(2);
});

it.each(["Recorded", "live"])("never passes the step where it stopped: %s", (kind) => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  const problem = { detail: "repairer.procurements.place → 200", expected: "201", got: "200" };
  const onPlay = kind === "live" ? vi.fn() : undefined;
  const three = [...said, { number: 8, title: "Webhooks", say: "All arrived.", sides: ["repairer" as const] }];
  const failed = { ...story(scene(2), scene(5, { problem })), said: three };
  render(<Player story={failed} {...(onPlay && { onPlay })} where="" />);
  for (const keys of [["ArrowRight", "ArrowRight", "ArrowRight"], ["End"], ["3"]]) {
    press("Home");
    expect(screen.queryByRole("alert")).toBeNull();
    for (const key of keys) press(key);
    expect(sentence()).toBe("The supplier confirms.");
    screen.getByRole("alert");
    expect(screen.getByRole("button", { name: /^Webhooks/ }).className).not.toMatch(/done|now/);
    expect(screen.getByRole("button", { name: "Next step" }).getAttribute("aria-disabled")).toBe("true");
    expect(screen.queryByRole("button", { name: "Pause" })).toBeNull();
  }
  if (onPlay) expect(onPlay).not.toHaveBeenCalled();
});

it("stops before the end if a step after the last sentence failed", () => {
  const problem = { detail: "businesses.list → 200", expected: "418", got: "200" };
  render(<Player story={story(scene(2), scene(5), scene(6, { problem }))} where="" />);
  press("End");
  expect(sentence()).toBe("The supplier confirms.");
  screen.getByRole("alert");
});

it("waits and keeps off the keys while its call or a question is open", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  const left = vi.fn();
  const shown = story(scene(2, { call: callOf("plain") }), scene(5));
  const { rerender } = render(<Player story={shown} onExit={left} where="" />);
  expect(document.activeElement?.contains(screen.getByRole("heading", { level: 1 }))).toBe(true);
  press("d");
  await vi.advanceTimersByTimeAsync(80_000);
  expect(sentence()).toBe("The repairer inserts a job.");
  press("d");
  rerender(<Player story={shown} onExit={left} isCovered where="" />);
  await vi.advanceTimersByTimeAsync(80_000);
  for (const key of ["ArrowRight", "2", "End", "Escape"]) press(key);
  expect(sentence()).toBe("The repairer inserts a job.");
  rerender(<Player story={shown} onExit={left} where="" />);
  // The question's own Escape closes it first; the key was still meant for the question.
  const question = document.body.appendChild(document.createElement("div"));
  question.setAttribute("role", "dialog");
  fireEvent.keyDown(question.appendChild(document.createElement("button")), { key: "Escape" });
  question.remove();
  expect(left).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(8_000));
  expect(sentence()).toBe("The supplier confirms.");
});

it("tries a step again whose call got no response", () => {
  const onPlay = vi.fn();
  const props = { story: story(scene(2)), startAt: 1, where: "", onPlay };
  const { rerender } = render(<Player {...props} failure="The service doesn’t respond." />);
  expect(screen.getByRole("alert").textContent).toContain("The service doesn’t respond.");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(onPlay.mock.calls).toEqual([[5]]);
  rerender(<Player {...props} story={story(scene(2), scene(5))} />);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(sentence()).toBe("The supplier confirms.");
});

it("says that a supplier doesn’t see a job only where a job is shown", () => {
  const supplier = () => screen.getByRole("region", { name: "What the supplier sees" }).textContent;
  const job = scene(2, { repairer: { ...seen, note: "job" } });
  render(<Player story={story(job, scene(5, { repairer: null }))} where="" />);
  expect(supplier()).toBe("A supplier doesn’t see jobs and baskets.");
  press("ArrowRight");
  expect(supplier()).toBe("Nothing here yet.");
});
