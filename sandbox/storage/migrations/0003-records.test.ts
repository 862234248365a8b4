import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../testing/harness.ts";
import { Database, migrate } from "../database.ts";
import { openStores } from "../stores.ts";
import { migrations } from "./index.ts";

const EPOCH = 1_768_000_000_000;

interface OldExchange {
  readonly seq: number;
  readonly id: string;
  /** Its place in the log; null where that was forgotten. */
  readonly logged: number | null;
  readonly job_id?: string | null;
  readonly procurement_id?: string | null;
}

const summaryOf = (id: string) => ({
  id,
  trace_id: id,
  at: new Date(EPOCH + 7).toISOString(),
  method: "POST",
  path: "/api/2026-01/repairer.jobs.insert",
  operation: "repairer.jobs.insert",
  integration_id: "i",
  side: "repairer",
  status: 200,
  error_code: null,
  duration_ms: 1.5,
  request_bytes: 3,
  response_bytes: 2,
  outcome: 'inserted "T-1" 😀',
  events: 1,
});

/** The same as this version lists it. */
const listed = (id: string, about: { readonly job_id?: string; readonly procurement_id?: string } = {}) => ({
  ...summaryOf(id),
  job_id: null,
  procurement_id: null,
  label: null,
  ...about,
});

/** A world's file of data version 1, closed. */
const fileOfVersion1 = (fill: (handle: Sqlite.Database) => void): string => {
  const folder = temporaryFolder();
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "world.sqlite");
  const handle = new Sqlite(file);
  handle.pragma("journal_mode = WAL");
  migrate(handle, migrations.slice(0, 1));
  handle.prepare("INSERT INTO meta (key, value) VALUES ('epoch', ?)").run(String(EPOCH));
  fill(handle);
  handle.close();
  return file;
};

const addExchange = (
  handle: Sqlite.Database,
  { seq, id, logged, job_id = null, procurement_id = null }: OldExchange,
) => {
  handle
    .prepare(
      "INSERT INTO requests VALUES (?, ?, ?, 7, 'POST', '/api/2026-01/repairer.jobs.insert', 'repairer.jobs.insert', 'i', 'repairer', 200, NULL, 1.5, ?, ?, ?, ?, ?, 1, ?, ?)",
    )
    .run(
      seq,
      id,
      id,
      '[["host","a"]]',
      Buffer.from([0x7b, 0xff, 0x7d]),
      "[]",
      Buffer.from("{}"),
      summaryOf(id).outcome,
      job_id,
      procurement_id,
    );
  if (logged !== null) addEntry(handle, logged, "request", id, summaryOf(id));
};
const addEntry = (handle: Sqlite.Database, seq: number, kind: string, trace: string | null, data: unknown): void => {
  handle
    .prepare("INSERT INTO log (seq, kind, at, trace_id, data) VALUES (?, ?, 7, ?, ?)")
    .run(seq, kind, trace, JSON.stringify(data));
};
const addEvent = (handle: Sqlite.Database, seq: number, trace: string, procurement: string | null): void => {
  handle
    .prepare("INSERT INTO events VALUES (?, ?, 'repairer.jobs', 9, 'o', ?, ?, 'j', ?, 'T-1', 'inserted')")
    .run(seq, `event ${seq}`, '{"job_id":"j","change_action":"inserted"}', trace, procurement);
};

/** Opens a file as this version does. */
const opened = (file: string) => {
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  return { db, stores: openStores(db) };
};

const state = {
  entity: "job",
  id: "j",
  label: 'T-1 "quoted" 😀\n',
  change: "updated",
  job_id: "j",
  before: { nested: [1, 1.5, null, true, {}] },
  after: {},
} as const;

describe("a world's file from before exchanges and the log were kept in few pages", () => {
  it("keeps every exchange whole, in its place in the log, and tells it nowhere else", () => {
    const file = fileOfVersion1((handle) => {
      addEntry(handle, 1, "state", "one", state);
      addExchange(handle, { seq: 1, id: "one", logged: 2, job_id: "j" });
      addEntry(handle, 3, "world", null, { what: "clock" });
      addExchange(handle, { seq: 2, id: "two", logged: 4, procurement_id: "p" });
    });
    const { stores } = opened(file);
    expect(stores.requests.list({ limit: 10 })).toEqual({
      rows: [listed("two", { procurement_id: "p" }), listed("one", { job_id: "j" })],
      last: null,
      total: 2,
    });
    expect(stores.requests.get("one")).toEqual({
      ...listed("one", { job_id: "j" }),
      request_headers: [["host", "a"]],
      request_body: Buffer.from([0x7b, 0xff, 0x7d]).toString("utf8"),
      request_body_base64: Buffer.from([0x7b, 0xff, 0x7d]).toString("base64"),
      response_headers: [],
      response_body: "{}",
      response_body_base64: Buffer.from("{}").toString("base64"),
    });
    const at = new Date(EPOCH + 7).toISOString();
    expect(stores.log.page(0, 10).entries).toEqual([
      { id: 1, kind: "state", at, trace_id: "one", data: state },
      { id: 2, kind: "request", at, trace_id: "one", data: listed("one", { job_id: "j" }) },
      { id: 3, kind: "world", at, trace_id: null, data: { what: "clock" } },
      { id: 4, kind: "request", at, trace_id: "two", data: listed("two", { procurement_id: "p" }) },
    ]);
    expect(stores.log.ofTrace("one").map(({ kind }) => kind)).toEqual(["state"]);
    expect([
      stores.requests.list({ job_id: "j", limit: 10 }).rows.map(({ id }) => id),
      stores.requests.list({ procurement_id: "p", limit: 10 }).rows.map(({ id }) => id),
    ]).toEqual([["one"], ["two"]]);
  });

  it("keeps also the exchanges whose entry in the log was forgotten, before all the others", () => {
    const file = fileOfVersion1((handle) => {
      addExchange(handle, { seq: 1, id: "one", logged: null });
      addExchange(handle, { seq: 2, id: "two", logged: null });
      addEntry(handle, 8, "state", "three", state);
      addExchange(handle, { seq: 3, id: "three", logged: 9 });
    });
    const { stores } = opened(file);
    expect(stores.requests.list({ limit: 10 }).rows.map(({ id }) => id)).toEqual(["three", "two", "one"]);
    expect(stores.requests.ofTrace("one")).toEqual(listed("one"));
    expect(stores.log.newest(10).map(({ id }) => id)).toEqual([1, 2, 8, 9]);
  });

  it("keeps events with what refers to them", () => {
    const file = fileOfVersion1((handle) => {
      addEvent(handle, 3, "one", null);
      addEvent(handle, 5, "one", "p");
      addExchange(handle, { seq: 1, id: "one", logged: 1 });
      handle
        .prepare(
          "INSERT INTO deliveries VALUES (1, 'd', 5, 'm', 'i', 's', 'u', 'pending', 0, 11, NULL, NULL, 10, NULL, NULL)",
        )
        .run();
    });
    const { db, stores } = opened(file);
    expect(db.all("SELECT seq, id, trace_id, procurement_id FROM events ORDER BY seq")).toEqual([
      { seq: 3, id: "event 3", trace_id: "one", procurement_id: null },
      { seq: 5, id: "event 5", trace_id: "one", procurement_id: "p" },
    ]);
    expect(stores.outbox.delivery("d")).toMatchObject({
      id: "d",
      status: "pending",
      event: { id: "event 5", event_timestamp: EPOCH + 9, payload: { job_id: "j", change_action: "inserted" } },
    });
    expect(stores.requests.list({ procurement_id: "p", limit: 10 }).rows.map(({ id }) => id)).toEqual(["one"]);
  });

  it("goes on with ids after all that it holds; who knows one from before reads everything anew", () => {
    const file = fileOfVersion1((handle) => addExchange(handle, { seq: 1, id: "one", logged: 5 }));
    const { stores } = opened(file);
    const [entry] = stores.log.append(EPOCH + 9, "two", [{ kind: "state", data: state }]);
    expect(entry?.id).toBeGreaterThan(5);
    expect(stores.log.page(0, 10).entries.map(({ trace_id }) => trace_id)).toEqual(["one", "two"]);
    expect(stores.log.gaplessFrom()).toBeGreaterThan(5);
  });

  it("may have kept nothing yet", () => {
    const { stores } = opened(fileOfVersion1(() => undefined));
    expect([stores.log.newest(10), stores.requests.list({ limit: 10 }).total]).toEqual([[], 0]);
  });
});
