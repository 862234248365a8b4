import fs from "node:fs";
import { SCENARIO_FORMAT, type Scenario } from "../contract/scenario.ts";
import { beginningsOf } from "../rules/branching.ts";
import { PICTURES_NOTE, redacted, stepsOf } from "../rules/recorded-steps.ts";
import { redactor } from "../rules/redaction.ts";
import { iso } from "../rules/timestamp.ts";
import { secretsOf } from "../snapshots/export-document.ts";
import { WorkRefusal } from "../snapshots/work.ts";
import { Database } from "../storage/database.ts";
import { openStores } from "../storage/stores.ts";
import { type Beginning, Recording, type Then, thenAt } from "./record-scenario.ts";

interface BranchWork {
  /** The world's file, which the service may have open. */
  readonly file: string;
  readonly world: string;
  /** Its snapshots, and the seed. */
  readonly beginnings: readonly Beginning[];
  /** The call before which the new world goes on. */
  readonly request_id: string;
  /** Where the file of the new world's beginning belongs. */
  readonly to: string;
  readonly baseUrl: string;
  /** What is masked beside the secrets of the world. */
  readonly secrets: readonly string[];
}

/** What leads from a beginning to a call. */
export interface Branching {
  /** The snapshot it begins with; null: the seed. */
  readonly from: string | null;
  readonly scenario: Scenario;
  readonly notes: readonly string[];
  /** When the call was made on the world's clock, milliseconds since 1970. */
  readonly clock: number;
}

/** Real time that passes between two calls is made to pass from so much on: the branch's timestamps follow the world's. */
const GAP_MS = 1_000;

/** Why the world before a call can't be had, and what to do. */
const notReached = ({ world, to }: BranchWork, later: readonly Beginning[], db: Database): WorkRefusal => {
  const reached = later.find((one) => {
    const isReached = thenAt(one, to, db) !== null;
    fs.rmSync(to, { force: true });
    return isReached;
  });
  const first =
    reached &&
    db.get<{ id: string; operation: string | null; at: number }>(
      "SELECT id, operation, at FROM requests WHERE at >= ? ORDER BY at, id LIMIT 1",
      db.toStored(reached.at),
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

/** Finds what leads up to a call, and puts the file of a world that it can be repeated in where it belongs. */
export const branchSteps = (asked: BranchWork): Branching => {
  const { file, to, beginnings, request_id: id, baseUrl, secrets } = asked;
  const db = new Database(file, { durability: "off" });
  try {
    // What comes in meanwhile is none of it.
    db.handle.exec("BEGIN");
    const call = openStores(db).requests.ofTrace(id);
    if (!call)
      throw new WorkRefusal(
        "not_found",
        `/request_id ${id} names no recorded call in this world. A reset or retention may have deleted it`,
      );
    const at = Date.parse(call.at);
    const { before, later } = beginningsOf(beginnings, at);
    for (const one of before) {
      const then = thenAt(one, to, db);
      // Real time may have been set back since: then a snapshot from before the call is not one.
      if (!then || !db.get("SELECT 1 FROM requests WHERE id = ? AND seq > ?", id, then.requests)) {
        fs.rmSync(to, { force: true });
        continue;
      }
      if (one.name === null) fs.renameSync(one.file, to);
      const redact = redactor([...secrets, ...secretsOf(db.handle)]);
      const onClock = clockOf(db, then);
      // How the clock was moved is in the times.
      const acts = new Recording(db, then, null, redact, { id, at })
        .acts()
        .filter((act) => !("control" in act && act.control.startsWith("clock.")))
        .map((act) => ({ ...act, at: onClock(act.at) }));
      const { steps, notes } = stepsOf(acts, baseUrl, onClock(one.at), GAP_MS);
      makeReady(to, onClock(one.at));
      const scenario: Scenario = { scenario: SCENARIO_FORMAT, name: id, steps: redacted(steps, redact) };
      return { from: one.name, scenario, notes: notes.filter((note) => note !== PICTURES_NOTE), clock: onClock(at) };
    }
    throw notReached(asked, later, db);
  } finally {
    db.close();
  }
};

/** What a world's clock showed at a moment of real time. */
const clockOf = (db: Database, then: Then) => {
  const sql =
    "SELECT at, data FROM log WHERE seq > ? AND kind = 'world' AND data LIKE '{\"what\":\"clock\"%' ORDER BY seq";
  const moved = db.all<{ at: number; data: string }>(sql, then.log).map(({ at, data }) => {
    const { after } = JSON.parse(data) as { readonly after: { readonly offset_seconds: number } };
    return { at: db.fromStored(at), offset: Math.round(after.offset_seconds * 1_000) };
  });
  return (at: number): number => at + (moved.findLast((one) => one.at <= at)?.offset ?? then.offset);
};

/** In a world that nobody has open: sets its clock, which goes on from there, and takes away what would be sent. */
const goOn = (db: Database, clock: number): void => {
  const { settings, log } = openStores(db);
  const before = { offset_seconds: settings.get("clock_offset") / 1_000 };
  const offset = Math.round(clock - Date.now());
  db.run("DELETE FROM deliveries WHERE status = 'pending'");
  settings.set("clock_offset", offset);
  log.append(Date.now(), "world", null, { what: "clock", before, after: { offset_seconds: offset / 1_000 } });
};

const makeReady = (file: string, clock: number): void => {
  const db = new Database(file, { durability: "off" });
  try {
    goOn(db, clock);
  } finally {
    db.close();
  }
};

/**
 * Makes a world of calls that were repeated in a file ready to go on: with what is random in every run as it is in the world
 * it branches from, and with nothing that would leave by itself.
 */
export const finishBranch = ({ file, of, clock }: { file: string; of: string; clock: number }): null => {
  const db = new Database(file, { durability: "full" });
  try {
    db.handle.prepare("ATTACH ? AS origin").run(of);
    db.handle.transaction(() => {
      db.run(
        "UPDATE credentials SET api_key = o.api_key, webhook_secret = o.webhook_secret FROM origin.credentials o " +
          "WHERE o.integration_id = credentials.integration_id",
      );
      // Pictures are not among the calls; their files are shared with the world they were sent to.
      db.run(
        "UPDATE uploads SET uploaded_at = o.uploaded_at, content_type = o.content_type, size = o.size FROM origin.uploads o " +
          "WHERE o.id = uploads.id AND o.uploaded_at < ?",
        db.toStored(clock),
      );
      // Whoever does not want notifications any more gets none of this world either.
      db.run(
        "UPDATE subscriptions SET paused_at = ?, paused_by = 'person' WHERE ended_at IS NULL AND paused_at IS NULL AND url NOT IN (SELECT url FROM receivers) " +
          "AND (integration_id, url) NOT IN (SELECT integration_id, url FROM origin.subscriptions WHERE ended_at IS NULL AND paused_at IS NULL)",
        db.toStored(clock),
      );
      goOn(db, clock);
    })();
    return null;
  } finally {
    db.close();
  }
};
