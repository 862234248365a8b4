import { EventEmitter } from "node:events";
import type { BrowserWindow } from "electron";
import { expect, test, vi } from "vitest";
import { followHistoryGestures, stepThroughHistory } from "./history.ts";

function windowWithHistory() {
  const navigationHistory = { goBack: vi.fn(), goForward: vi.fn() };
  const emitter = Object.assign(new EventEmitter(), { webContents: { navigationHistory } });
  return { emitter, window: emitter as unknown as BrowserWindow, navigationHistory };
}

test("the menu goes one step in the history of its own window", () => {
  const [one, other] = [windowWithHistory(), windowWithHistory()];
  stepThroughHistory(one.window, "back");
  stepThroughHistory(one.window, "forward");
  expect(one.navigationHistory.goBack).toHaveBeenCalledOnce();
  expect(one.navigationHistory.goForward).toHaveBeenCalledOnce();
  expect(other.navigationHistory.goBack).not.toHaveBeenCalled();
});

test.each([
  ["app-command", "browser-backward", "browser-forward"],
  ["swipe", "left", "right"],
])("%s only goes back and forward", (event, back, forward) => {
  const { emitter, window, navigationHistory } = windowWithHistory();
  followHistoryGestures(window);
  emitter.emit(event, {}, back);
  expect(navigationHistory.goBack).toHaveBeenCalledOnce();
  expect(navigationHistory.goForward).not.toHaveBeenCalled();
  emitter.emit(event, {}, forward);
  emitter.emit(event, {}, "up");
  expect(navigationHistory.goBack).toHaveBeenCalledOnce();
  expect(navigationHistory.goForward).toHaveBeenCalledOnce();
});
