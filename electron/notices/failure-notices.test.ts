import { Notification } from "electron";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFailureNotices } from "./failure-notices.ts";
import { type FailedDelivery, followFailures } from "./live-failures.ts";

// Importing the real package starts a download.
vi.mock("electron", async () => {
  const { EventEmitter: Emitter } = await import("node:events");
  class Shown extends Emitter {
    static readonly all: Shown[] = [];
    static isSupported = () => true;
    readonly show = () => Shown.all.push(this);
    readonly close = vi.fn();
  }
  return { app: { isPackaged: true, getName: () => "Explorer", setAppUserModelId: vi.fn() }, Notification: Shown };
});
vi.mock("./live-failures.ts", () => ({ followFailures: vi.fn() }));

const shown = (Notification as unknown as { all: Electron.Notification[] }).all;
const follow = vi.fn();
const show = vi.fn();
let fail: (failed: FailedDelivery) => void = () => {};
const failed = (id: string, world = "default") => ({ world, delivery: { id, attempts_made: 1 } }) as FailedDelivery;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  shown.length = 0;
  vi.mocked(followFailures).mockImplementation((_url, _token, onFailure) => {
    fail = onFailure;
    return { follow };
  });
});
afterEach(() => vi.useRealTimers());

const create = () => createFailureNotices({ base_url: "http://127.0.0.1:4026", control_token: "x" }, show);
const followed = () => [...(follow.mock.lastCall?.[0] ?? [])];

describe("notifications about failed deliveries", () => {
  test("read no feed until the person wants them, and none after that", () => {
    const notices = create();
    notices.follow(new Set(["default", "qa"]));
    expect(follow).not.toHaveBeenCalled();
    notices.set(true);
    expect(followed()).toEqual(["default", "qa"]);
    fail(failed("1"));
    notices.set(false);
    expect(followed()).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(shown).toEqual([]);
  });

  test("follow the worlds that are looked at, and the last ones when no window is left", () => {
    const notices = create();
    notices.set(true);
    notices.follow(new Set(["qa"]));
    expect(followed()).toEqual(["qa"]);
    notices.follow(new Set());
    expect(followed()).toEqual(["qa"]);
  });

  test("lead to the delivery in its world, and take each other's place", () => {
    create().set(true);
    fail(failed("d1", "qa"));
    vi.advanceTimersByTime(2000);
    fail(failed("d2"));
    vi.advanceTimersByTime(60_000);
    expect(shown).toHaveLength(2);
    expect(shown[0]?.close).toHaveBeenCalledOnce();
    for (const notice of shown) notice.emit("click");
    expect(show.mock.calls.flat()).toEqual(["/webhooks/d1?world=qa", "/webhooks/d2?world=default"]);
  });
});
