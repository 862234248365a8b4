import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ServiceDatabase } from "../storage/service-database.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { buildSeedWorld } from "./seed/seed-world.ts";
import { ensureTemplate } from "./template.ts";
import type { World } from "./world.ts";
import { Worlds } from "./worlds.ts";

const START = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
/** More than are kept open at once. */
const MANY = 320;
const folder = temporaryFolder();
const seed = buildSeedWorld();
let template: string;
beforeAll(() => {
  template = ensureTemplate(folder, null);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
      now: START,
    }),
);
afterEach(() => void vi.useRealTimers());

const newFolder = (): string => {
  const made = fs.mkdtempSync(path.join(folder, "data-"));
  fs.copyFileSync(template, path.join(made, path.basename(template)));
  return made;
};

const start = (data = newFolder(), deliveries = true) => {
  const service = new ServiceDatabase(path.join(data, "service.sqlite"));
  const opened: string[] = [];
  const worlds = new Worlds({
    folder: data,
    service,
    durability: "off",
    idleResetMs: 60 * MINUTE,
    credentials: null,
    deliveries,
    listeners: {
      published: () => undefined,
      watched: () => false,
      troubled: (error) => expect.unreachable(String(error)),
      opened: (world) => opened.push(world.name),
      removed: () => undefined,
      reset: () => undefined,
    },
  });
  let stopped = false;
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    worlds.close();
    service.close();
  };
  onTestFinished(stop);
  worlds.openDue();
  return { data, service, worlds, opened, stop };
};

/** Queues a delivery that is due at a time. */
const queue = (world: World, at: number): Promise<void> =>
  world.write(() => {
    const { subscriptions, outbox } = world.stores;
    const subscription = { id: "s", integration_id: "i", url: "http://127.0.0.1/" };
    subscriptions.insert({ ...subscription, created_at: START });
    const event_seq = outbox.insertEvent({
      id: "e",
      event_type: "repairer.jobs",
      event_timestamp: START,
      organization_id: "o",
      payload: { job_id: "j", change_action: "inserted" },
      trace_id: "t",
      job_id: "j",
      procurement_id: null,
      label: "T-1",
      announces: "inserted",
    });
    const { id, ...address } = subscription;
    outbox.insertDelivery({
      id: "d",
      event_seq,
      message_id: "m",
      subscription_id: id,
      ...address,
      created_at: at,
      repeats_id: null,
    });
  });
const useMany = (worlds: Worlds): void => {
  for (let count = 0; count < MANY; count += 1) worlds.use(`other-${count}`);
};

describe("of hundreds of worlds", () => {
  it("the least used are closed, and open as they were when they are called", async () => {
    const { data, worlds } = start();
    const first = worlds.use("first");
    await first.write(() => first.stores.meta.setClockOffset(90_000));
    worlds.use("used");
    useMany(worlds);
    expect([first.closed, worlds.openWorlds().length]).toEqual([true, 200]);
    expect(fs.readdirSync(path.join(data, "worlds")).filter((name) => name.includes("first"))).toEqual([
      "w-first.sqlite",
    ]);
    expect([worlds.list().length, worlds.use("first").clockOffset]).toEqual([MANY + 2, 90_000]);
  });

  it("one that is called again and again stays open", () => {
    const { worlds } = start();
    const used = worlds.use("used");
    for (let count = 0; count < MANY; count += 1) {
      worlds.use(`other-${count}`);
      worlds.use("used");
    }
    expect([used.closed, worlds.use("used")]).toEqual([false, used]);
  });

  it("one in which something is about to be delivered stays open as well", async () => {
    const { worlds } = start();
    const [quiet, about] = [worlds.use("quiet"), worlds.use("about")];
    await queue(quiet, START + 10 * MINUTE);
    await queue(about, START + 1_000);
    useMany(worlds);
    expect([quiet.closed, about.closed]).toEqual([true, false]);
  });
});

describe("a closed world", () => {
  it("D72: is opened when what waits in it is due, and that is no call to it", async () => {
    const { worlds, opened } = start();
    await queue(worlds.use("team"), START + 10 * MINUTE);
    useMany(worlds);
    vi.advanceTimersByTime(10 * MINUTE - 1);
    expect(opened).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(opened).toEqual(["team"]);
    expect(worlds.list().find((entry) => entry.name === "team")?.last_active_at).toBe(START);
  });

  it("D72: is opened when that was due before the start, unless nothing is sent at all", async () => {
    const first = start();
    await queue(first.worlds.use("team"), START + MINUTE);
    first.stop();
    vi.setSystemTime(START + 2 * MINUTE);
    const silent = start(first.data, false);
    vi.advanceTimersByTime(MINUTE);
    expect(silent.opened).toEqual([]);
    silent.stop();
    const { opened } = start(first.data);
    vi.advanceTimersByTime(1_000);
    expect(opened).toEqual(["team"]);
  });

  it("says how much was in it when it was closed", async () => {
    const first = start();
    const team = first.worlds.use("team");
    await queue(team, START + 10 * MINUTE);
    await team.write(() => {
      team.stores.meta.setClockOffset(5_000);
      team.reread();
      const [job] = seed.jobs;
      if (job) team.stores.jobs.insert({ ...job, id: "another", external_id: null, job_number: null });
    });
    const open = team.summary();
    first.worlds.use("untouched");
    first.stop();
    const summaries = start(first.data)
      .worlds.list()
      .map(({ name, summary }) => [name, summary]);
    const counts = {
      jobs: seed.jobs.length,
      procurements: seed.procurements.length,
      credentials: seed.credentials.length,
    };
    expect(open).toEqual({ ...counts, jobs: seed.jobs.length + 1, subscriptions: 1, clock_offset: 5_000 });
    expect(summaries).toEqual([
      ["team", open],
      ["untouched", { ...counts, subscriptions: 0, clock_offset: 0 }],
    ]);
  });

  it("is opened by a search of all worlds only when what is known of it is worth it", async () => {
    const first = start();
    await queue(first.worlds.use("subscribed"), START + 10 * MINUTE);
    first.worlds.use("untouched");
    first.stop();
    const { worlds } = start(first.data);
    const looked: string[] = [];
    worlds.search(
      (world) => void looked.push(world.name),
      (summary) => summary.subscriptions > 0,
    );
    expect(looked).toEqual(["subscribed"]);
  });
});
