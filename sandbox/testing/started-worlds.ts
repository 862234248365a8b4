import fs from "node:fs";
import path from "node:path";
import { onTestFinished, vi } from "vitest";
import { ServiceDatabase } from "../storage/service-database.ts";
import type { World } from "../worlds/world.ts";
import { Worlds } from "../worlds/worlds.ts";
import type { WorldsOptions } from "../worlds/worlds-options.ts";
import { folderWithTemplate } from "./harness.ts";

/** A data folder with the template, deleted after the test. */
export const newDataFolder = (): string => {
  const prepared = folderWithTemplate();
  onTestFinished(() => fs.rmSync(prepared, { recursive: true, force: true }));
  return prepared;
};

/** Limit on open worlds. */
export const MAX_OPEN_WORLDS = 20;

/** A service's worlds on a folder; call `stop` before another uses the same folder. */
export const startWorlds = (data = newDataFolder(), changes: Partial<WorldsOptions> = {}) => {
  const service = new ServiceDatabase(path.join(data, "service.sqlite"));
  const opened: string[] = [];
  const removed: string[] = [];
  const left: string[] = [];
  const reset: string[] = [];
  const onError = vi.fn<(error: unknown) => void>();
  const worlds = new Worlds({
    folder: data,
    service,
    durability: "off",
    idleResetMs: 3_600_000,
    mostWorlds: 10_000,
    mostRetention: 1_024,
    mostOpen: MAX_OPEN_WORLDS,
    credentials: null,
    deliveries: true,
    fold: () => Promise.resolve(),
    listeners: {
      onPublish: () => undefined,
      onError,
      opened: (world) => opened.push(world.name),
      removed: (name, why) => removed.push(`${name}: ${why}`),
      left: (name, why) => left.push(`${name}: ${why}`),
      reset: (name) => reset.push(name),
    },
    ...changes,
  });
  let stopped = false;
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    worlds.close();
    service.close();
  };
  onTestFinished(stop);
  return { data, service, worlds, opened, removed, left, reset, onError, stop };
};

/** Returns a world by name, creating it if missing. Valid beyond its lease, because only the test uses it. */
export const openWorld = (worlds: Worlds, name: string): World => worlds.use(name, (world) => world);

/** Queues a delivery that is due at a time. */
export const queueDelivery = (world: World, at: number): Promise<void> =>
  world.write(() => {
    const { subscriptions, outbox } = world.stores;
    const address = { integration_id: "i", url: "http://127.0.0.1/" };
    subscriptions.insert({ id: "s", ...address, created_at: at });
    const event_seq = outbox.insertEvent({
      id: "e",
      event_type: "repairer.jobs",
      event_timestamp: at,
      organization_id: "o",
      payload: { job_id: "j", change_action: "inserted" },
      trace_id: "t",
      traceparent: null,
      job_id: "j",
      procurement_id: null,
      label: "T-1",
      announces: "inserted",
    });
    const delivery = { id: "d", event_seq, message_id: "m", subscription_id: "s", created_at: at, repeats_id: null };
    outbox.insertDelivery({ ...delivery, ...address });
  });
