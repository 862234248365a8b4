import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Database } from "./database.ts";
import { NotDurableError, Undo, Writer } from "./writer.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const setUp = () => {
  const file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite");
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  db.handle.exec("CREATE TABLE marks (seq INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)");
  const happened: string[] = [];
  const hooks = {
    committed: vi.fn(() => void happened.push("committed")),
    failed: vi.fn(() => void happened.push("failed")),
  };
  const writer = new Writer(db, hooks);
  const statements = vi.spyOn(db, "sql");
  return {
    file,
    db,
    writer,
    hooks,
    happened,
    mark: (text: string) => db.run("INSERT INTO marks (text) VALUES (?)", text).rowid,
    marks: () => db.all<{ text: string }>("SELECT text FROM marks ORDER BY seq").map((row) => row.text),
    commits: () => statements.mock.calls.filter(([text]) => text === "COMMIT").length,
    /** What another process would find on disk. */
    durable: () => {
      const other = new Database(file, { durability: "off" });
      const found = other.all<{ text: string }>("SELECT text FROM marks ORDER BY seq").map((row) => row.text);
      other.close();
      return found;
    },
  };
};

/** Lets the file grow by so many pages and no more: a disk that fills up. */
const fillDisk = (db: Database, pages: number): void => {
  const used = Number(db.handle.pragma("page_count", { simple: true }));
  db.handle.pragma(`max_page_count = ${used + pages}`);
};
const freeDisk = (db: Database): void => {
  db.handle.pragma("max_page_count = 1000000");
};
const long = (text: string): string => text.repeat(200_000);

describe("the writer", () => {
  it("answers with what the task returned, once it is durable", async () => {
    const { writer, mark, durable } = setUp();
    const answer = writer.submit(() => mark("a"));
    expect(durable()).toEqual([]);
    expect(await answer).toBe(1);
    expect(durable()).toEqual(["a"]);
  });

  it("runs what arrives in one turn in one commit, in the order it came", async () => {
    const { writer, mark, marks, commits, hooks } = setUp();
    const texts = ["a", "b", "c", "d", "e"];
    const order: string[] = [];
    const answers = await Promise.all(
      texts.map(async (text) => {
        const seq = await writer.submit(() => mark(text));
        order.push(text);
        return seq;
      }),
    );
    expect(answers).toEqual([1, 2, 3, 4, 5]);
    expect([marks(), order]).toEqual([texts, texts]);
    expect([commits(), hooks.committed.mock.calls.length]).toEqual([1, 1]);
  });

  it("gives what arrives in another turn a commit of its own", async () => {
    const { writer, mark, commits } = setUp();
    await writer.submit(() => mark("a"));
    await writer.submit(() => mark("b"));
    expect(commits()).toBe(2);
  });

  it("tells of the commit before any answer leaves", async () => {
    const { writer, mark, happened } = setUp();
    await Promise.all([
      writer.submit(() => mark("a")).then(() => happened.push("first answer")),
      writer.submit(() => mark("b")).then(() => happened.push("second answer")),
    ]);
    expect(happened).toEqual(["committed", "first answer", "second answer"]);
  });

  it("undoes a task that throws, and leaves its neighbours alone", async () => {
    const { writer, mark, marks, hooks } = setUp();
    const before = writer.submit(() => mark("before"));
    const thrown = writer.submit(() => {
      mark("half of it");
      throw new Error("no");
    });
    const after = writer.submit(() => mark("after"));
    await expect(thrown).rejects.toThrow("no");
    expect(await Promise.all([before, after])).toEqual([1, 2]);
    expect(marks()).toEqual(["before", "after"]);
    expect([hooks.committed.mock.calls.length, hooks.failed.mock.calls.length]).toEqual([1, 0]);
  });

  it("undoes a task that breaks a rule of the tables, and leaves its neighbours alone", async () => {
    const { writer, mark, marks } = setUp();
    const answers = await Promise.allSettled(["a", "a", "b"].map((text) => writer.submit(() => mark(text))));
    expect(answers.map((answer) => answer.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(marks()).toEqual(["a", "b"]);
  });

  it("undoes what a task wants undone, and still answers with its value", async () => {
    const { writer, mark, marks, hooks } = setUp();
    const answers = await Promise.all([
      writer.submit(() => mark("before")),
      writer.submit(() => {
        mark("refused");
        return new Undo("a refusal");
      }),
      writer.submit(() => mark("after")),
    ]);
    expect(answers).toEqual([1, "a refusal", 2]);
    expect(marks()).toEqual(["before", "after"]);
    expect(hooks.failed).not.toHaveBeenCalled();
  });

  it("lets a task see what those before it wrote, and nothing of what was undone", async () => {
    const { writer, mark, marks } = setUp();
    const markAndLook = (text: string): string[] => {
      mark(text);
      return marks();
    };
    const seen = await Promise.all([
      writer.submit(() => markAndLook("a")),
      writer.submit(() => new Undo(markAndLook("b"))),
      writer.submit(() => marks()),
    ]);
    expect(seen).toEqual([["a"], ["a", "b"], ["a"]]);
  });

  it("runs what a task submits meanwhile after it, in a later commit", async () => {
    const { writer, mark, marks, commits } = setUp();
    let inner: Promise<number> | undefined;
    await writer.submit(() => {
      inner = writer.submit(() => mark("inner"));
      return mark("outer");
    });
    await inner;
    expect([marks(), commits()]).toEqual([["outer", "inner"], 2]);
  });

  it("writes what waits at once when it is flushed, and nothing when nothing waits", async () => {
    const { writer, mark, durable, commits } = setUp();
    writer.flush();
    expect(commits()).toBe(0);
    const answer = writer.submit(() => mark("a"));
    writer.flush();
    expect(durable()).toEqual(["a"]);
    expect(await answer).toBe(1);
    expect(commits()).toBe(1);
  });
});

describe("when a change cannot be made durable", () => {
  it("rejects everything of the commit, keeps nothing of it, says so once, and works again when there is room", async () => {
    const { db, writer, mark, marks, durable, hooks } = setUp();
    await writer.submit(() => mark("kept"));
    fillDisk(db, 2);
    const answers = await Promise.allSettled([
      writer.submit(() => mark("small")),
      writer.submit(() => mark(long("x"))),
      writer.submit(() => mark("small too")),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: "rejected", reason: expect.any(NotDurableError) });
    expect([marks(), durable()]).toEqual([["kept"], ["kept"]]);
    expect([hooks.committed.mock.calls.length, hooks.failed.mock.calls.length]).toEqual([1, 1]);
    expect(db.handle.inTransaction).toBe(false);

    freeDisk(db);
    await writer.submit(() => mark("again"));
    expect(durable()).toEqual(["kept", "again"]);
    expect(hooks.committed).toHaveBeenCalledTimes(2);
  });

  it("says so in a sentence, with what the disk said as its cause", async () => {
    const { db, writer, mark } = setUp();
    fillDisk(db, 2);
    const answer = writer.submit(() => mark(long("x")));
    await expect(answer).rejects.toThrow(/^The change could not be written to disk, so nothing was changed\. .+\.$/);
    await expect(answer).rejects.toMatchObject({ name: "NotDurableError", cause: { code: "SQLITE_FULL" } });
  });

  it("says the same when only the statement was undone and not the whole transaction", async () => {
    const { db, writer, mark, marks } = setUp();
    await writer.submit(() => mark("kept"));
    fillDisk(db, 4);
    // A statement that writes many rows has a journal of its own, and a full disk undoes that one alone.
    const many =
      "INSERT INTO marks (text) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT printf('%d-%s', i, hex(zeroblob(200))) FROM n";
    await expect(writer.submit(() => db.run(many))).rejects.toThrow(NotDurableError);
    expect(marks()).toEqual(["kept"]);
  });

  it("says so when it is the commit itself that fails", async () => {
    const { db, writer, mark, marks, hooks } = setUp();
    db.handle.exec(
      "CREATE TABLE parents (id INTEGER PRIMARY KEY); CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)",
    );
    db.handle.pragma("foreign_keys = ON");
    const neighbour = writer.submit(() => mark("neighbour"));
    const orphan = writer.submit(() => db.run("INSERT INTO children VALUES (1)"));
    await expect(neighbour).rejects.toThrow(NotDurableError);
    await expect(orphan).rejects.toThrow(NotDurableError);
    expect([
      marks(),
      hooks.committed.mock.calls.length,
      hooks.failed.mock.calls.length,
      db.handle.inTransaction,
    ]).toEqual([[], 0, 1, false]);
  });

  it("says so when the file is locked or closed", async () => {
    const { file, db, writer, mark, hooks } = setUp();
    db.handle.pragma("busy_timeout = 0");
    const other = new Database(file, { durability: "off" });
    onTestFinished(() => other.close());
    other.handle.exec("BEGIN IMMEDIATE");
    await expect(writer.submit(() => mark("a"))).rejects.toThrow(NotDurableError);
    other.handle.exec("ROLLBACK");
    expect(await writer.submit(() => mark("a"))).toBe(1);
    db.close();
    await expect(writer.submit(() => mark("b"))).rejects.toThrow(NotDurableError);
    expect(hooks.failed).toHaveBeenCalledTimes(2);
  });
});
