// @vitest-environment jsdom
import { expect, it, vi } from "vitest";

it("draws frames after a test that asked for one under fake timers", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  requestAnimationFrame(() => undefined);
  vi.useRealTimers();
  const drawn = vi.fn();
  requestAnimationFrame(drawn);
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledOnce());
});
