import path from "node:path";
import Sqlite from "better-sqlite3";
import { retentionBounds, retentionSet } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { worldFileName } from "../rules/worlds/world-name.ts";
import { benchHeaders } from "./load.ts";
import type { Bench, Service } from "./processes.ts";

/** Raises a world's retention limits for a run. */
export const keepAll = async (service: Service, world: string): Promise<void> => {
  const body = JSON.stringify({
    world,
    max_age_hours: retentionBounds.max_age_hours.maximum,
    max_megabytes: retentionBounds.max_megabytes.maximum,
  });
  const headers = benchHeaders(service, retentionSet);
  const response = await fetch(service.base + operationPath(retentionSet), { method: "POST", headers, body });
  if (!response.ok) throw new Error(`${retentionSet.id} answered ${response.status}: ${await response.text()}`);
};

/** Counts a world's recorded calls in the file of a stopped service. */
export const countExchanges = (bench: Bench, data: string, world: string): number => {
  const file = path.join(bench.folder, data, "worlds", worldFileName(world));
  const db = new Sqlite(file, { readonly: true });
  const count = db.prepare("SELECT count(*) FROM requests").pluck().get();
  db.close();
  return Number(count);
};
