import fs from "node:fs";
import { SCENARIO_FORMAT, type Scenario } from "../contract/scenario.ts";
import { type OriginalTime, PICTURES_NOTE, recordSteps } from "../rules/scenarios/recorded-steps.ts";
import { iso } from "../rules/timestamp.ts";
import { createRedactor, redactJson } from "../secrets/masking.ts";
import { Database } from "../storage/database.ts";
import { realTime } from "../storage/real-time.ts";
import { openStores } from "../storage/stores.ts";
import { findSecrets } from "./export-document.ts";
import { type Effect, Recording, type RecordingStart, type StartPoint, usableBeginnings } from "./record-scenario.ts";
import { WorkRefusal } from "./work.ts";

interface BranchWork {
  /** The world's file; the service may have it open. */
  readonly file: string;
  readonly world: string;
  /** The world's snapshots, newest first, and the seed. */
  readonly beginnings: readonly StartPoint[];
  /** The first call that is not repeated. */
  readonly request_id: string;
  /** Destination of the new world's initial file. */
  readonly to: string;
  readonly baseUrl: string;
}

/** The steps from a starting point to a call. */
export interface BranchPlan {
  /** The snapshot to start from; null: the seed. */
  readonly from: string | null;
  readonly scenario: Scenario;
  readonly notes: readonly string[];
  /** Time at which each step first took effect. */
  readonly times: readonly OriginalTime[];
  /** The world's clock at the call, in milliseconds since 1970. */
  readonly clock: number;
  /** The last log entry at the starting point, and the call's first entry. */
  readonly entries: readonly [number, number];
}

/** Clock changes between two log entries. */
const CLOCK_ENTRIES = "seq > ? AND seq < ? AND kind = 'world' AND data LIKE '{\"what\":\"clock\"%'";

/** Explains why the world before a call cannot be restored, with the fix. */
const notReached = ({ world, to }: BranchWork, later: readonly StartPoint[], db: Database): WorkRefusal => {
  const [reached] = usableBeginnings(db, later, to);
  const first =
    reached &&
    db.get<{ id: string; operation: string | null; at: number }>(
      "SELECT id, operation, at FROM requests WHERE at >= ? ORDER BY at, id LIMIT 1",
      db.toStored(reached.beginning.at),
    );
  return new WorkRefusal(
    "unprocessable",
    `retention deleted some calls of world ${world} from before this one, and no snapshot replaces them. ${
      first
        ? `The earliest call to branch from is ${first.id} (${first.operation ?? "no operation"}, ${iso(db.fromStored(first.at))})`
        : "Save a snapshot now, then branch from a later call"
    }`,
  );
};

/** Finds the steps that lead to a call, and writes the file to repeat them in. */
export const branchSteps = (input: BranchWork): BranchPlan => {
  const { file, to, beginnings, request_id: id, baseUrl } = input;
  const db = new Database(file, { durability: "off" });
  try {
    // A transaction hides concurrent writes.
    db.handle.exec("BEGIN");
    const call = openStores(db).requests.findByTrace(id);
    if (!call)
      throw new WorkRefusal(
        "not_found",
        `/request_id ${id} isn’t a recorded call of this world. Only calls of the API can be branched from, not control operations or receivers. A reset or retention may have deleted the call`,
      );
    const at = Date.parse(call.at);
    // The call that created a world started before the world existed.
    const isBefore = (one: StartPoint): boolean => one.name === null || one.at <= at;
    for (const { beginning, then } of usableBeginnings(db, beginnings.filter(isBefore), to)) {
      // Real time may have been set back: a snapshot from before the call is then not usable.
      if (!db.get("SELECT 1 FROM requests WHERE id = ? AND seq > ?", id, then.last)) continue;
      if (beginning.name === null) fs.renameSync(beginning.file, to);
      const redact = createRedactor(findSecrets(db.handle));
      const { acts: all, end } = new Recording(db, then, null, redact, id).acts();
      if (!end) throw new Error(`the call ${id} is not on record`);
      // The times already contain clock changes and elapsed time.
      const acts = all.filter((act) => !("control" in act && act.control.startsWith("clock.")));
      const { steps, notes, of } = recordSteps(
        acts.map((act) => ({ ...act, at: 0 })),
        baseUrl,
        null,
      );
      const times = effectTimes(db, then, [...acts, end]);
      copyRetention(db, to);
      return {
        from: beginning.name,
        scenario: { scenario: SCENARIO_FORMAT, name: id, steps: redactJson(steps, redact) },
        notes: notes.filter((note) => note !== PICTURES_NOTE),
        times: of.map((act) => times[act] as OriginalTime),
        clock: (times.at(-1) as OriginalTime).clock,
        entries: [then.last, end.seq],
      };
    }
    throw notReached(input, beginnings.filter((one) => !isBefore(one)).toReversed(), db);
  } finally {
    db.close();
  }
};

/** Returns when acts took effect. The clock never goes back between two acts unless it was moved. */
const effectTimes = (db: Database, then: RecordingStart, acts: readonly Effect[]) => {
  const sql = `SELECT seq, at, data FROM log WHERE ${CLOCK_ENTRIES} ORDER BY seq`;
  const moves = db
    .all<{ seq: number; at: number; data: string }>(sql, then.last, acts.at(-1)?.seq)
    .map(({ data, ...move }) => {
      const { after } = JSON.parse(data) as { readonly after: { readonly offset_seconds: number } };
      return { ...move, at: db.fromStored(move.at), offset: Math.round(after.offset_seconds * 1_000) };
    });
  let last = { offset: Number.NaN, clock: 0 };
  return acts.map(({ seq, at }): OriginalTime => {
    const move = moves.findLast((one) => one.at < at || (one.at === at && one.seq < seq));
    const offset = move?.offset ?? then.offset;
    const clock = offset === last.offset ? Math.max(at + offset, last.clock) : at + offset;
    last = { offset, clock };
    return { at, clock };
  });
};

/** Copies retention limits to a world file that nobody has open. */
const copyRetention = (as: Database, file: string): void => {
  const db = new Database(file, { durability: "off" });
  try {
    openStores(db).settings.set("retention", openStores(as).settings.get("retention"));
  } finally {
    db.close();
  }
};

interface FinishWork extends Pick<BranchPlan, "clock" | "entries"> {
  readonly file: string;
  /** File of the original world. */
  readonly of: string;
}

/**
 * Prepares the file of repeated calls as a world: restores the original's random values and removes everything that
 * would be sent automatically.
 */
export const finishBranch = ({ file, of, clock, entries }: FinishWork): null => {
  const db = new Database(file, { durability: "full" });
  try {
    db.handle.prepare("ATTACH ? AS origin").run(of);
    db.handle.transaction(() => {
      // Skips worlds with keys of their own, which open no other world.
      db.run(
        "UPDATE credentials SET api_key = o.api_key, webhook_secret = o.webhook_secret FROM origin.credentials o " +
          "WHERE o.integration_id = credentials.integration_id AND EXISTS (SELECT 1 FROM origin.credentials theirs " +
          "JOIN main.credentials ours USING (api_key) WHERE theirs.preloaded = 1)",
      );
      db.run(
        "UPDATE subscriptions SET id = o.id FROM origin.subscriptions o WHERE subscriptions.ended_at IS NULL AND o.created_at < ? " +
          "AND (o.ended_at IS NULL OR o.ended_at >= ?) AND (o.integration_id, o.url) = (subscriptions.integration_id, subscriptions.url)",
        db.toStored(clock),
        db.toStored(clock),
      );
      // Calls don't contain pictures, so both worlds share the files.
      db.run(
        "UPDATE uploads SET uploaded_at = o.uploaded_at, content_type = o.content_type, size = o.size FROM origin.uploads o " +
          "WHERE o.id = uploads.id AND o.uploaded_at < ?",
        db.toStored(clock),
      );
      // Unsubscribed receivers get nothing from this world either.
      db.run(
        "UPDATE subscriptions SET paused_at = ?, paused_by = 'person' WHERE ended_at IS NULL AND paused_at IS NULL AND url NOT IN (SELECT url FROM receivers) " +
          "AND (integration_id, url) NOT IN (SELECT integration_id, url FROM origin.subscriptions WHERE ended_at IS NULL AND paused_at IS NULL)",
        db.toStored(clock),
      );
      // Keeps the original's clock changes, so the clock at each repeated call is known.
      db.run(`INSERT OR IGNORE INTO log SELECT * FROM origin.log WHERE ${CLOCK_ENTRIES}`, ...entries);
      // The clock continues from the call, and nothing is sent.
      const { settings, log } = openStores(db);
      const before = { offset_seconds: settings.get("clock_offset") / 1_000 };
      const offset = Math.round(clock - realTime());
      db.run("DELETE FROM deliveries WHERE status = 'pending'");
      // A counterpart buyer's orders are repeated as calls, so its pending orders are unknown.
      db.run("DELETE FROM acts WHERE ended_at IS NULL AND kind = 'order'");
      settings.set("clock_offset", offset);
      log.append(realTime(), "world", null, { what: "clock", before, after: { offset_seconds: offset / 1_000 } });
    })();
    return null;
  } finally {
    db.close();
  }
};
