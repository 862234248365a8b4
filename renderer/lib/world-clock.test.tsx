// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useNowValue } from "./world-clock.ts";

const drawn: string[] = [];
const Time = () => {
  const text = useNowValue("real", (now) => new Date(now).toISOString().slice(11, 19));
  drawn.push(text);
  return <time>{text}</time>;
};

beforeEach(() => {
  drawn.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("shows the current time immediately, then every second", () => {
  vi.setSystemTime("2026-03-12T10:00:00Z");
  render(<Time />).unmount();
  vi.setSystemTime("2026-03-12T10:05:00Z");
  drawn.length = 0;
  render(<Time />);
  expect(new Set(drawn)).toEqual(new Set(["10:05:00"]));
  act(() => vi.advanceTimersByTime(1000));
  screen.getByText("10:05:01");
});
