import { beforeEach } from "vitest";

/** Duration of a frame, in milliseconds. */
const FRAME_MS = 16;

// Tests of a worker share one window, so remove the previous test's address and stored choices. jsdom draws no frame
// any longer once one was asked for under fake timers.
beforeEach(() => {
  window.history.replaceState(null, "", "/");
  window.localStorage.clear();
  window.sessionStorage.clear();
  window.requestAnimationFrame = globalThis.requestAnimationFrame = (draw) =>
    Number(setTimeout(() => draw(performance.now()), FRAME_MS));
  window.cancelAnimationFrame = globalThis.cancelAnimationFrame = (frame) => clearTimeout(frame);
});
