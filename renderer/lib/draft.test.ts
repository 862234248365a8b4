import { afterEach, expect, test, vi } from "vitest";
import { readDraft, restoredDraft, writeDraft } from "./draft.ts";

const storage = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  };
};
afterEach(() => vi.unstubAllGlobals());

test("a draft survives its window if configured so, and deleting it removes every copy", () => {
  const [job, parts] = [{ name: "job", outlives: "window" } as const, { name: "parts" }];
  const localStorage = storage();
  vi.stubGlobal("window", { sessionStorage: storage(), localStorage });
  writeDraft(job, "J-1");
  writeDraft(parts, "2 x Bonnet");
  expect([readDraft(job), readDraft(parts)]).toEqual(["J-1", "2 x Bonnet"]);
  vi.stubGlobal("window", { sessionStorage: storage(), localStorage });
  expect([readDraft(job), readDraft(parts)]).toEqual(["J-1", null]);
  writeDraft(job, null);
  expect(readDraft(job)).toBeNull();
});

test("without storage there is no draft and no error", () => {
  const denied = () => {
    throw new Error("denied");
  };
  vi.stubGlobal("window", { sessionStorage: { ...storage(), getItem: denied, setItem: denied } });
  writeDraft({ name: "job" }, "J-1");
  expect(readDraft({ name: "job" })).toBeNull();
});

const initial = { number: "", provider: null as string | null };

test("a stored draft is restored by field, without unknown fields", () => {
  expect(restoredDraft(initial, { number: "J-1", provider: "p", other: "x" })).toEqual({
    number: "J-1",
    provider: "p",
  });
  expect(restoredDraft(initial, { number: 5, provider: null })).toEqual(initial);
  for (const stored of [null, undefined, "text", 7]) expect(restoredDraft(initial, stored)).toEqual(initial);
});
