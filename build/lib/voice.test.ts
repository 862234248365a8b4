import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createVoice, seconds } from "./voice.mjs";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function recordingVoice() {
  const lines: string[] = [];
  const voice = createVoice({ write: (text: string) => lines.push(text.trimEnd()) });
  return { voice, lines };
}

test("a quick step is one line", async () => {
  const { voice, lines } = recordingVoice();
  expect(await voice.step("Looking", () => Promise.resolve(7))).toBe(7);
  expect(lines).toEqual(["Looking …"]);
});

test("a long step says that it goes on, and how long it took", async () => {
  const { voice, lines } = recordingVoice();
  const step = voice.step("Installing", () => new Promise((resolve) => setTimeout(resolve, 25_000)));
  await vi.advanceTimersByTimeAsync(25_000);
  await step;
  expect(lines).toEqual(["Installing …", "  still at it after 10 s", "  still at it after 20 s", "  took 25 s"]);
});

test("a failing step passes its failure on and falls silent", async () => {
  const { voice, lines } = recordingVoice();
  await expect(voice.step("Building", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual(["Building …"]);
});

test.each([
  [420, "0.4 s"],
  [9_960, "10 s"],
  [59_400, "59 s"],
  [125_000, "2 min 5 s"],
])("%d ms is told as %s", (ms, told) => expect(seconds(ms)).toBe(told));
