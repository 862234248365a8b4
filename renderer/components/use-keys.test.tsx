// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listenForKeys } from "../kernel/keys/key-listener.ts";
import type { KeyBinding } from "../lib/key-bindings.ts";
import { setWorldAccess } from "../lib/world-access.ts";
import { SendKeyForm } from "./form.tsx";
import { useKeys, useSendKey } from "./use-keys.ts";

let ends: () => void;
let charactersAct = true;
beforeEach(() => {
  charactersAct = true;
  ends = listenForKeys(() => charactersAct);
});
afterEach(() => {
  ends();
  cleanup();
  setWorldAccess(null as never);
});

/** A place with a list and a pane whose keys act on the pane's content. */
const Place = ({ bindings }: { bindings: readonly KeyBinding[] }) => {
  useKeys("Place", bindings);
  return (
    <>
      <button type="button">In the list</button>
      <div data-acts-in>
        <button type="button">In the pane</button>
      </div>
    </>
  );
};
const shown = (binding: Omit<KeyBinding, "label" | "run">) => {
  const run = vi.fn<() => void>();
  render(<Place bindings={[{ label: "Do it", run, ...binding }]} />);
  const at = (name: string) => screen.getByRole("button", { name });
  const hold = (key: string, where: Element = document.body) => {
    fireEvent.keyDown(where, { key });
    for (let time = 0; time < 5; time += 1) fireEvent.keyDown(where, { key, repeat: true });
  };
  return { run, at, hold };
};

describe("a held key", () => {
  it("changes something only once", () => {
    const { run, hold } = shown({ keys: ["r"] });
    hold("r");
    expect(run).toHaveBeenCalledTimes(1);
  });
  it("repeats a movement", () => {
    const { run, hold } = shown({ keys: ["j"], repeats: true });
    hold("j");
    expect(run).toHaveBeenCalledTimes(6);
  });
});

describe("a key that changes something", () => {
  it("acts only while focus is in its pane", () => {
    const { run, at } = shown({ keys: ["r"], acts: true });
    fireEvent.keyDown(document.body, { key: "r" });
    fireEvent.keyDown(at("In the list"), { key: "r" });
    expect(run).not.toHaveBeenCalled();
    fireEvent.keyDown(at("In the pane"), { key: "r" });
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe("the send key of a pane's only form", () => {
  const Pane = ({ run }: { run: () => void }) => {
    const form = useRef<HTMLDivElement>(null);
    useSendKey(form, "Order", { label: "Confirm", acts: true, run });
    return (
      <>
        <button type="button">In the list</button>
        <div data-acts-in>
          <button type="button">In the pane</button>
          <a href="/requests">A link</a>
          <input aria-label="Search" />
          <div ref={form}>
            <input aria-label="Note" />
          </div>
        </div>
      </>
    );
  };
  it("acts wherever its hint is shown, except where the key has another meaning", () => {
    const run = vi.fn<() => void>();
    render(<Pane run={run} />);
    const press = (where: Element) => fireEvent.keyDown(where, { key: "Enter", ctrlKey: true });
    for (const name of ["A link", "In the list"]) press(screen.getByText(name));
    press(screen.getByLabelText("Search"));
    expect(run).not.toHaveBeenCalled();
    press(screen.getByText("In the pane"));
    press(screen.getByLabelText("Note"));
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe("disabled single keys", () => {
  it("do nothing, while keys without a character still work", () => {
    charactersAct = false;
    const { run } = shown({ keys: ["r", "g r", "?", "down", "mod+k"] });
    for (const key of ["r", "g", "r", "?"]) fireEvent.keyDown(document.body, { key });
    expect(run).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: "ArrowDown" });
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe("a token of one world", () => {
  const has = (scope: "view" | "act") => setWorldAccess({ name: "Acme", world: "acme", scope, expires_at: null });
  const pressed = (key: string, binding: Omit<KeyBinding, "label" | "run" | "keys">) => {
    const { run, at } = shown({ keys: [key], ...binding });
    fireEvent.keyDown(at("In the pane"), { key });
    cleanup();
    return run.mock.calls.length;
  };
  it.each([
    ["view", { moves: 1, acts: 0, opens: 0, manages: 0 }],
    ["act", { moves: 1, acts: 1, opens: 1, manages: 0 }],
  ] as const)("of scope %s disables the keys of the buttons that it disables", (scope, expected) => {
    has(scope);
    expect({
      moves: pressed("j", {}),
      acts: pressed("r", { acts: true }),
      opens: pressed("n", { needs: "act" }),
      manages: pressed("s", { needs: "manage" }),
    }).toEqual(expected);
  });
  it.each([
    ["view", 0],
    ["act", 1],
  ] as const)("of scope %s sends a form %d times by Ctrl with Enter", (scope, times) => {
    has(scope);
    const send = vi.fn<() => void>();
    render(
      <SendKeyForm keys={["Place", "Send"]} onSend={send}>
        <input aria-label="Field" />
      </SendKeyForm>,
    );
    fireEvent.keyDown(screen.getByLabelText("Field"), { key: "Enter", ctrlKey: true });
    expect(send).toHaveBeenCalledTimes(times);
  });
});
