import { Notification } from "electron";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DeliveryRow } from "../../sandbox/contract/control/rows.ts";
import { createFailureNotices, failureText } from "./failure-notices.ts";
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
  test("read a feed only while they are switched on", () => {
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

  test("follow the worlds of open windows, or the last ones without a window", () => {
    const notices = create();
    notices.set(true);
    notices.follow(new Set(["qa"]));
    expect(followed()).toEqual(["qa"]);
    notices.follow(new Set());
    expect(followed()).toEqual(["qa"]);
  });

  test("open the delivery in its world, and replace each other", () => {
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

const delivery = {
  event_type: "supplier.procurements",
  label: "PO-1042",
  url: "http://127.0.0.1:9000/hook",
  attempts_made: 8,
  last_status: 500,
  last_error: null,
};
const failedDelivery = (change = {}) => ({ ...delivery, ...change }) as DeliveryRow;

describe("the text of a notice", () => {
  test("names a failed delivery, its address and its reason", () => {
    expect(failureText(failedDelivery(), 1, null)).toEqual({
      title: "A delivery failed",
      body: "supplier.procurements PO-1042 to http://127.0.0.1:9000/hook: returned 500 after 8 attempts",
    });
  });

  test("gives the error if there was no response", () => {
    const { body } = failureText(
      failedDelivery({ last_status: null, last_error: "ECONNREFUSED", attempts_made: 1 }),
      1,
      null,
    );
    expect(body).toMatch(/: ECONNREFUSED after 1 attempt$/);
  });

  test("counts several failures and describes the last", () => {
    expect(failureText(failedDelivery(), 12, "qa")).toEqual({
      title: "12 deliveries failed",
      body: "The last one in the world qa: supplier.procurements PO-1042 to http://127.0.0.1:9000/hook: returned 500 after 8 attempts",
    });
  });
});
