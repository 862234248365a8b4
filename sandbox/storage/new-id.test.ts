import { afterEach, describe, expect, it, vi } from "vitest";
import { isUuid } from "../contract/schema.ts";
import { idsFrom, newId } from "./new-id.ts";

afterEach(() => void vi.useRealTimers());

describe("a new id", () => {
  it("has the form of a version 4 UUID", () => {
    for (let count = 0; count < 200; count += 1) {
      const id = newId();
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(isUuid(id)).toBe(true);
    }
  });

  it("is unique, even within a millisecond", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    expect(new Set(Array.from({ length: 20_000 }, newId)).size).toBe(20_000);
  });

  it("starts with its time, so that IDs sort by creation", () => {
    const times = [0, 1, 15, 16, 255, 1_768_000_000_000, 1_768_000_000_001, 2 ** 41, 2 ** 48 - 1];
    const ids = times.map((now) => {
      vi.useFakeTimers({ toFake: ["Date"], now });
      return newId();
    });
    expect(ids.map((id) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))).toEqual(times);
    expect(ids).toEqual(ids.toSorted());
  });
});

describe("IDs derived from another", () => {
  const take = (id: string, count: number): string[] => Array.from({ length: count }, idsFrom(id));

  it("are always the same, whatever the case of the original", () => {
    const id = newId();
    expect(take(id.toUpperCase(), 500)).toEqual(take(id, 500));
  });

  it("are unique version 4 UUIDs that start with the original's time", () => {
    const [one, other] = [newId(), newId()];
    const made = [...take(one, 500), ...take(other, 500)];
    expect(new Set([one, other, ...made]).size).toBe(1_002);
    for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(made[0]?.slice(0, 13)).toBe(one.slice(0, 13));
  });
});
