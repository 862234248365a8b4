import { EventEmitter } from "node:events";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { DesktopMemory, WindowState } from "../desktop-memory.ts";
import { worldInAddress } from "../links/explorer-address.ts";
import { makeWindow } from "./explorer-window.ts";
import { createWindows } from "./windows.ts";

// Importing the real package starts a download.
vi.mock("electron", () => ({ nativeTheme: { themeSource: "system" } }));
vi.mock("./explorer-window.ts", () => ({ makeWindow: vi.fn() }));

const bounds = { x: 10, y: 20, width: 1200, height: 800 };
const stateAt = (address: string): WindowState => ({ bounds, maximized: false, zoom: 1, address });

interface Made {
  readonly window: EventEmitter;
  readonly go: (address: string) => void;
  readonly open: (file: object) => void;
  readonly toFront: () => void;
  state(): WindowState;
}
let made: Made[];
beforeEach(() => {
  made = [];
  vi.mocked(makeWindow).mockImplementation((state) => {
    const one = {
      window: new EventEmitter(),
      get world() {
        return worldInAddress(state.address) ?? "default";
      },
      state: () => state,
      go: vi.fn(),
      open: vi.fn(),
      zoom: vi.fn(),
      toFront: vi.fn(),
    };
    made.push(one);
    return one as unknown as ReturnType<typeof makeWindow>;
  });
});
const addresses = () => made.map((one) => one.state().address);
const close = (one: Made | undefined) => ["close", "closed"].map((event) => one?.window.emit(event));

function start(...states: WindowState[]) {
  let remembered: readonly WindowState[] = states;
  const memory = {
    recalled: { theme: "system", notifiesOfFailures: false, checksForUpdates: false, windows: states } as DesktopMemory,
    update: ({ windows = remembered }: Partial<DesktopMemory>) => {
      remembered = windows;
    },
  };
  const served = { origin: "http://127.0.0.1:4026", fragment: "#token=x" };
  const windows = createWindows(served, memory, () => {});
  windows.restore();
  return { windows, remembered: () => remembered.map(({ address }) => address) };
}

describe("the windows of the app", () => {
  test("are restored from the last run; the first start opens one without a world", () => {
    start(stateAt("/jobs?world=qa"), stateAt("/webhooks?world=default"));
    expect(addresses()).toEqual(["/jobs?world=qa", "/webhooks?world=default"]);
    made = [];
    start().windows.toFront();
    expect(addresses()).toEqual(["/"]);
  });

  test("open next to the last used one, in its world", () => {
    const { windows } = start(stateAt("/?world=qa"), stateAt("/?world=default"));
    made[0]?.window.emit("focus");
    windows.open("/jobs");
    expect(made[2]?.state()).toEqual({ ...stateAt("/jobs?world=qa"), bounds: { ...bounds, x: 38, y: 48 } });
  });

  test("show a link in the last window of its world, or in a new one", () => {
    const { windows } = start(stateAt("/?world=qa"), stateAt("/?world=qa"), stateAt("/?world=default"));
    made[0]?.window.emit("focus");
    windows.show("/jobs/1?world=qa");
    expect(made[0]?.go).toHaveBeenCalledWith("/jobs/1?world=qa");
    expect(made[0]?.toFront).toHaveBeenCalled();
    windows.show("/jobs/2");
    expect(made[2]?.go).toHaveBeenCalledWith("/jobs/2?world=default");
    windows.show("/jobs/3?world=other");
    expect(addresses().slice(3)).toEqual(["/jobs/3?world=other"]);
  });

  test("open a file in the given window, else in the world default", () => {
    const { windows } = start(stateAt("/?world=default"), stateAt("/?world=qa"));
    const file = { name: "a.reproduction", bytes: new Uint8Array() };
    windows.openFile(file, windows.current());
    expect(made[1]?.open).toHaveBeenCalledWith(file);
    windows.openFile(file);
    expect(made[0]?.open).toHaveBeenCalledWith(file);
    expect(made[0]?.toFront).toHaveBeenCalled();
    close(made[0]);
    windows.openFile(file);
    expect(made[2]?.state().address).toBe("/scenarios?world=default");
    expect(made[2]?.open).toHaveBeenCalledWith(file);
  });

  test("number at most sixteen, even with many links", () => {
    const { windows } = start(stateAt("/?world=default"));
    for (let n = 0; n < 100; n++) windows.show(`/jobs?world=w${n}`);
    expect(made).toHaveLength(16);
    expect(made[15]?.toFront).toHaveBeenCalled();
  });

  test("are forgotten when closed, except the last one, which reopens", () => {
    const { windows, remembered } = start(stateAt("/jobs?world=qa"), stateAt("/webhooks?world=default"));
    close(made[1]);
    expect(remembered()).toEqual(["/jobs?world=qa"]);
    close(made[0]);
    expect(remembered()).toEqual(["/jobs?world=qa"]);
    windows.toFront();
    expect(addresses()[2]).toBe("/jobs?world=qa");
  });

  test("are all restored if open when the app ends", () => {
    const { windows, remembered } = start(stateAt("/jobs?world=qa"), stateAt("/webhooks?world=default"));
    windows.ending();
    for (const one of made) close(one);
    expect(remembered()).toEqual(["/jobs?world=qa", "/webhooks?world=default"]);
  });
});
