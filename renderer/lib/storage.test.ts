import { afterEach, expect, test, vi } from "vitest";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { createStateStorage } from "./storage.ts";

afterEach(() => vi.unstubAllGlobals());

const noted = () => create(persist(() => ({ text: "" }), { name: "note", storage: createStateStorage("window") }));

test("a full storage keeps the state in memory and drops the stored value", () => {
  const kept = new Map<string, string>();
  const sessionStorage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => {
      if (value.length > 100) throw new Error("full");
      kept.set(name, value);
    },
    removeItem: (name: string) => kept.delete(name),
  };
  vi.stubGlobal("window", { sessionStorage });
  const note = noted();
  note.setState({ text: "short" });
  expect(noted().getState().text).toBe("short");
  const long = "long".repeat(50);
  note.setState({ text: long });
  expect(note.getState().text).toBe(long);
  expect(kept.size).toBe(0);
});

test("a denied storage keeps the state in memory", () => {
  vi.stubGlobal("window", {
    get sessionStorage() {
      throw new Error("denied");
    },
  });
  const note = noted();
  note.setState({ text: "short" });
  expect(note.getState().text).toBe("short");
});
