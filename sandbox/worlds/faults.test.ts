import { expect, it, onTestFinished, vi } from "vitest";
import type { ArmedFault } from "../rules/worlds/faults.ts";
import { Faults, type FaultyWorld, faultMark, MAX_FAULTS } from "./faults.ts";

const fault = (id: string, more: Partial<ArmedFault> = {}): ArmedFault => ({
  ...{ id, name: id, operation: "*", integration_id: null, effect: { drop: {} }, uses: null, calls: null },
  ...{ matched: 0, fired: 0, armed_at: 0, expires_at: null, last_fired_at: null },
  ...(more as object),
});
const delay = (id: string, when: "before" | "after") => fault(id, { effect: { delay: { ms: 1, when } } });
const call = { operation: "jobs.get", integration_id: "i" } as const;

/** A world with these faults. */
const armed = (...faults: ArmedFault[]) => {
  const log = vi.fn();
  const set = vi.fn();
  const write = vi.fn(async (run: (append: typeof log) => unknown) => run(log));
  const world = { stores: { settings: { get: () => faults, set } }, write } as unknown as FaultyWorld;
  const of = new Faults(world);
  const match = (given = call) => {
    const met = of.match(given, "trace");
    return met && [met.before, met.after].map((all) => all.map(({ row }) => row.fault_id));
  };
  return { faults: of, log, set, write, match };
};

it.each([
  // A call that ends before it works meets no delay after its work.
  ["before", [["d1", "end"], []]],
  ["after", [["d1"], ["d2", "end"]]],
] as const)("an end %s a call's work meets the delays that still apply", (when, met) => {
  const end = fault("end", { effect: { error: { code: "internal", when } } as never });
  const { match } = armed(delay("d1", "before"), end, fault("second"), delay("d2", "after"));
  expect(match()).toEqual(met);
});

it("delays alone all apply, and what matches no call changes nothing", () => {
  const { match, write } = armed(delay("d1", "after"), delay("d2", "before"), fault("x", { operation: "jobs.delete" }));
  expect(match()).toEqual([["d2"], ["d1"]]);
  const other = armed(fault("x", { operation: "jobs.delete" }));
  expect([other.match(), other.write.mock.calls.length, write.mock.calls.length]).toEqual([null, 0, 1]);
});

it("a count that can't be written fails no call", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  const { match, write } = armed(fault("third", { calls: { nth: 3 } }));
  write.mockRejectedValueOnce(new Error("disk full"));
  expect(match()).toBeNull();
  await new Promise((resolve) => setTimeout(resolve));
  expect(unhandled).not.toHaveBeenCalled();
});

it("counts each match and each effect, and records them with the call", async () => {
  const { faults, match, log, set } = armed(fault("third", { calls: { nth: 2 } }));
  expect(match()).toBeNull();
  const met = faults.match(call, "trace");
  await met?.recorded;
  expect(met?.before[0] && faultMark(met.before[0])).toEqual({ id: "third", kind: "drop", when: "before" });
  expect(log.mock.calls).toMatchObject([["fault", "trace", { fault_id: "third", number: 1, left: 0, ...call }]]);
  expect(set.mock.lastCall?.[1]).toMatchObject([{ matched: 2, fired: 1 }]);
  expect([faults.armed, match()]).toEqual([false, null]);
});

it("limits the calls of each integration on its own, and says when to come back", () => {
  const { faults } = armed(fault("limit", { effect: { rate_limit: { limit: 1, window_seconds: 60 } } }));
  const wait = (integration_id: string | null) =>
    faults.match({ ...call, integration_id }, "trace")?.before[0]?.retryAfterSeconds ?? null;
  expect([wait("a"), wait("b"), wait(null)]).toEqual([null, null, null]);
  expect([wait("a"), wait(null)]).toEqual([60, 60]);
});

it("keeps a hundred that are armed, and drops those that are over for a new one", async () => {
  const usedUp = fault("over", { uses: 1, fired: 1 });
  const many = Array.from({ length: MAX_FAULTS - 1 }, (_, n) => fault(`f${n}`));
  const { faults, log } = armed(usedUp, ...many);
  expect(await faults.set(fault("new"))).toBe(true);
  expect(faults.list().map(({ id }) => id)).toEqual([...many.map(({ id }) => id), "new"]);
  expect(log.mock.calls).toMatchObject([["world", null, { what: "faults" }]]);
  expect([await faults.set(fault("one more")), faults.list().length]).toEqual([false, MAX_FAULTS]);
  const few = armed(usedUp);
  await few.faults.set(fault("new"));
  expect(few.faults.list().map(({ id }) => id)).toEqual(["over", "new"]);
});

it("clears one or all, and none if the disk refuses", async () => {
  const { faults, write } = armed(fault("a"), fault("b"), fault("c"));
  expect([await faults.clear("none"), write.mock.calls.length]).toEqual([0, 0]);
  expect([await faults.clear("b"), faults.list().map(({ id }) => id)]).toEqual([1, ["a", "c"]]);
  write.mockRejectedValueOnce(new Error("disk full"));
  await expect(faults.clear(null)).rejects.toThrow("disk full");
  expect(faults.list()).toHaveLength(2);
  expect([await faults.clear(null), faults.list(), faults.armed]).toEqual([2, [], false]);
});
