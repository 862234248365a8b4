import { createHash } from "node:crypto";
import type { JobRecord } from "../rules/records.ts";
import { Database } from "../storage/database.ts";
import { openStores } from "../storage/stores.ts";
import { numberText } from "./load/request-text.ts";
import { externalId } from "./workload.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const PLATES = LETTERS.length ** 5 * 100;
const JOB_NUMBERS = 10 ** 7;
/** Shares no factor with how many plates and job numbers there are, so that each number has its own. */
const STRIDE = 3 ** 18;
const BATCH = 20_000;
const MINUTE_MS = 60_000;

/** A plate that looks drawn at random, and is nobody else's: `KV42 QHT`. */
export const plateOf = (number: number): string => {
  let rest = (number * STRIDE) % PLATES;
  const take = (choices: number): number => {
    const taken = rest % choices;
    rest = Math.floor(rest / choices);
    return taken;
  };
  const letter = (): string => LETTERS[take(LETTERS.length)] ?? "";
  return `${letter()}${letter()}${String(take(100)).padStart(2, "0")} ${letter()}${letter()}${letter()}`;
};

const digest = (number: number): string => createHash("md5").update(String(number)).digest("hex");

const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;

interface Owner {
  readonly organization_id: string;
  readonly repairer_site_id: string;
}

/** The job of a number: the same in a world of any size, and as different from its neighbours as real ones are. */
export const grownJob = (number: number, owner: Owner, newest: number): JobRecord => {
  const hex = digest(number);
  const at = newest - number * MINUTE_MS;
  return {
    ...owner,
    id: uuidOf(hex),
    external_id: externalId(numberText(number)),
    job_number: `RO-${String((number * STRIDE) % JOB_NUMBERS).padStart(7, "0")}`,
    claim_number: `CLM/${hex.slice(7, 15).toUpperCase()}`,
    vehicle: {
      chassis_number: `WDD${hex.slice(0, 14).toUpperCase()}`,
      plate_number: plateOf(number),
      plate_state: null,
    },
    vehicle_variant: null,
    work_provider_id: null,
    images: [],
    created_at: at,
    updated_at: at,
  };
};

export interface Growth extends Owner {
  /** The file of a world that nobody has open. */
  readonly file: string;
  readonly jobs: number;
  /** Ends after so many milliseconds with the jobs there are. */
  readonly limitMs: number;
}

/**
 * Writes jobs into a world by the service's own stores, and has its search take them all in.
 *
 * @returns how many were written
 */
export const grow = ({ file, jobs, limitMs, ...owner }: Growth): number => {
  const db = new Database(file, { durability: "off" });
  db.handle.pragma("cache_size = -1000000");
  const { jobs: store } = openStores(db);
  const began = performance.now();
  const newest = Date.now() - MINUTE_MS;
  const write = db.handle.transaction((from: number, to: number) => {
    for (let number = from; number < to; number += 1) store.insert(grownJob(number, owner, newest));
  });
  const takeIn = db.handle.transaction(() => store.searched.advance(BATCH));
  const tidy = db.handle.transaction(() => store.searched.tidy());
  let written = 0;
  while (written < jobs && performance.now() - began < limitMs) {
    const to = Math.min(jobs, written + BATCH);
    write(written, to);
    written = to;
    while (takeIn());
  }
  while (tidy());
  db.close();
  return written;
};
