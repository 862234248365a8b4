import { expect, it } from "vitest";
import type { DrillName } from "../contract/drill-names.ts";
import { DeliveringWorld, SECRET } from "../testing/delivering-world.ts";
import { okAnswer, receiver } from "../testing/scripted-receiver.ts";
import { Drills } from "./drills.ts";
import { Listeners } from "./listeners.ts";

/** Runs drills of one delivery. @param answers whether the receiver answers at all */
const drilling = async (answers: boolean) => {
  const { port, seen } = await receiver((socket) => void (answers ? socket.write(okAnswer()) : socket.destroy()));
  const known = new DeliveringWorld();
  known.subscribe("s", `http://127.0.0.1:${port}/hooks`);
  const [id = ""] = known.queue("s");
  const drills = new Drills({ allows: () => true, listeners: new Listeners() }, known.withWorld);
  const source = { world: "team", delivery: known.delivery(id), secret: SECRET, foreignSecret: "pwh_other" };
  const run = (drill: DrillName, unwanted = new AbortController().signal) => drills.run(source, drill, unwanted);
  return { known, drills, source, seen, run };
};

it("sends one message after the other, and none after a receiver that doesn't answer", async () => {
  const [good, silent] = [await drilling(true), await drilling(false)];
  expect(await good.run("reordered")).toMatchObject({ verdict: "passed", exchanges: [{}, {}] });
  expect((await silent.run("reordered")).exchanges).toHaveLength(1);
  expect([good.seen.requests, good.known.published.at(-1)?.kind]).toEqual([2, "drill"]);
});

it("shows how a receiver verifies each message", async () => {
  const { run } = await drilling(true);
  const verdictsOf = async (drill: DrillName) =>
    (await run(drill)).exchanges.map(({ verification }) => verification.map(({ verdict }) => verdict).join(" "));
  const valid = "passed passed passed passed";
  expect(await verdictsOf("duplicate")).toEqual([valid, valid]);
  expect(await verdictsOf("wrong_secret")).toEqual(["passed failed skipped skipped"]);
  expect(await verdictsOf("stale")).toEqual(["passed passed passed failed"]);
});

it("keeps no result that nobody waits for, nor one after its subscription ended", async () => {
  const { known, run, drills, source, seen } = await drilling(true);
  await run("duplicate", AbortSignal.abort());
  expect(known.published).toEqual([]);
  const before = seen.requests;
  await drills.runAll(source, AbortSignal.abort());
  expect(seen.requests).toBe(before);
  known.world.stores.subscriptions.end("s");
  await run("duplicate");
  expect(known.published).toEqual([]);
});
