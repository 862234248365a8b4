import { describe, expect, it, vi } from "vitest";
import { fillDisk, freeDisk, longText, openMarkedFile } from "../testing/marked-file.ts";
import { LostChangesError, NotDurableError, Undo } from "./writer.ts";

describe("the writer", () => {
  it("returns a task's result once it is durable", async () => {
    const { writer, mark, durable } = openMarkedFile();
    const answer = writer.submit(() => mark("a"));
    expect(durable()).toEqual([]);
    expect(await answer).toBe(1);
    expect(durable()).toEqual(["a"]);
  });

  it("commits tasks of one turn together, in order", async () => {
    const { writer, mark, marks, ran, hooks } = openMarkedFile();
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
    expect([ran("COMMIT"), hooks.committed.mock.calls.length]).toEqual([1, 1]);
  });

  it("commits tasks of another turn separately", async () => {
    const { writer, mark, ran } = openMarkedFile();
    await writer.submit(() => mark("a"));
    await writer.submit(() => mark("b"));
    expect(ran("COMMIT")).toBe(2);
  });

  it("reports the commit before any result", async () => {
    const { writer, mark, happened } = openMarkedFile();
    await Promise.all([
      writer.submit(() => mark("a")).then(() => happened.push("first answer")),
      writer.submit(() => mark("b")).then(() => happened.push("second answer")),
    ]);
    expect(happened).toEqual(["committed", "first answer", "second answer"]);
  });

  it("undoes a task that throws, without affecting its neighbours", async () => {
    const { writer, mark, marks, hooks } = openMarkedFile();
    const before = writer.submit(() => mark("before"));
    const thrown = writer.submit(() => {
      mark("half of it");
      throw new Error("no");
    });
    const after = writer.submit(() => mark("after"));
    await expect(thrown).rejects.toThrow("no");
    expect(await Promise.all([before, after])).toEqual([1, 2]);
    expect(marks()).toEqual(["before", "after"]);
    expect(hooks.committed).toHaveBeenCalledOnce();
  });

  it("undoes a task that breaks a constraint, without affecting its neighbours", async () => {
    const { writer, mark, marks } = openMarkedFile();
    const answers = await Promise.allSettled(["a", "a", "b"].map((text) => writer.submit(() => mark(text))));
    expect(answers.map((answer) => answer.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(marks()).toEqual(["a", "b"]);
  });

  it("undoes a task on request, and still returns its value", async () => {
    const { writer, mark, marks } = openMarkedFile();
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
  });

  it("shows a task the writes of earlier ones, but no undone ones", async () => {
    const { writer, mark, marks } = openMarkedFile();
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

  it("runs a task submitted by another one in a later commit", async () => {
    const { writer, mark, marks, ran } = openMarkedFile();
    let inner: Promise<number> | undefined;
    await writer.submit(() => {
      inner = writer.submit(() => mark("inner"));
      return mark("outer");
    });
    await inner;
    expect([marks(), ran("COMMIT")]).toEqual([["outer", "inner"], 2]);
  });

  it("undoes a task whose record fails, without affecting its neighbours", async () => {
    const { writer, mark, marks } = openMarkedFile();
    const record = () => {
      mark("half of a record");
      throw new Error("no record");
    };
    const answers = await Promise.allSettled([
      writer.submit(() => mark("before")),
      writer.submit(() => mark("unrecorded"), { record }),
      writer.submit(() => "reads alone", { record, durable: true }),
      writer.submit(() => mark("after")),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(marks()).toEqual(["before", "after"]);
  });

  it("syncs if a task of the commit needs it, but not for reads", async () => {
    const { writer, mark, hooks } = openMarkedFile();
    await Promise.all([writer.submit(() => "read", { durable: false }), writer.submit(() => mark("a"))]);
    await Promise.all([1, 2].map(() => writer.submit(() => "read", { durable: false })));
    expect(hooks.committed.mock.calls).toEqual([[true], [false]]);
  });

  it("ends a commit after its time slice, and lets others continue", async () => {
    const { writer, mark, marks, ran } = openMarkedFile();
    const other = openMarkedFile();
    const texts = Array.from({ length: 20 }, (_, index) => `slow ${index}`);
    const order: string[] = [];
    const slow = texts.map((text) =>
      writer
        .submit(() => {
          const until = performance.now() + 3;
          while (performance.now() < until);
          return mark(text);
        })
        .then(() => order.push(text)),
    );
    const quick = other.writer.submit(() => other.mark("quick")).then(() => order.push("quick"));
    await Promise.all([...slow, quick]);
    expect(marks()).toEqual(texts);
    expect(ran("COMMIT")).toBeGreaterThan(1);
    expect(order.indexOf("quick")).toBeLessThan(texts.length);
  });

  it("commits several files in one turn, for up to 10 ms", async () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const order: unknown[] = [];
    const commit = (name: string, takes: number) => {
      const { writer } = openMarkedFile();
      return writer.submit(() => {
        now += takes;
        order.push(name);
        setImmediate(() => order.push(`turn of ${name}`));
      });
    };
    await Promise.all([commit("a", 4), commit("b", 5), commit("c", 1), commit("d", 0), commit("e", 0)]);
    expect(order.slice(0, 5)).toEqual(["a", "b", "c", "turn of a", "turn of b"]);
  });

  it.each([
    [3, [8, 8, 4]],
    [1, [11, 9]],
  ])(
    "commits at least eight tasks together, and as many as start within 10 ms: of %i ms each %j",
    async (takes, sizes) => {
      let now = 0;
      vi.spyOn(performance, "now").mockImplementation(() => now);
      const { writer, hooks, happened } = openMarkedFile();
      const task = () => {
        now += takes;
        happened.push("task");
      };
      await Promise.all(Array.from({ length: 20 }, () => writer.submit(task)));
      const tasks = happened
        .join(" ")
        .split("committed")
        .map((text) => text.split("task").length - 1);
      expect([tasks.slice(0, -1), hooks.committed.mock.calls.length]).toEqual([sizes, sizes.length]);
    },
  );

  it("a flush writes waiting tasks immediately, and does nothing without any", async () => {
    const { writer, mark, durable, ran } = openMarkedFile();
    writer.flush();
    expect(ran("COMMIT")).toBe(0);
    const answer = writer.submit(() => mark("a"));
    writer.flush();
    expect(durable()).toEqual(["a"]);
    expect(await answer).toBe(1);
    expect(ran("COMMIT")).toBe(1);
  });
});

describe("a change that can't be made durable", () => {
  it("rejects and discards the whole commit, and the writer works again when there is space", async () => {
    const { db, writer, mark, marks, durable, hooks, happened } = openMarkedFile();
    await writer.submit(() => mark("kept"));
    happened.length = 0;
    fillDisk(db, 2);
    const answers = await Promise.allSettled([
      writer.submit(() => mark("small")),
      writer.submit(() => mark(longText("x"))),
      writer.submit(() => mark("small too")),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: "rejected", reason: expect.any(NotDurableError) });
    expect([marks(), durable()]).toEqual([["kept"], ["kept"]]);
    expect(happened.at(-1)).toBe("undone");
    expect(hooks.committed).toHaveBeenCalledOnce();
    expect(db.handle.inTransaction).toBe(false);

    freeDisk(db);
    await writer.submit(() => mark("again"));
    expect(durable()).toEqual(["kept", "again"]);
    expect(hooks.committed).toHaveBeenCalledTimes(2);
  });

  it("has a sentence, with the disk's error as its cause", async () => {
    const { db, writer, mark } = openMarkedFile();
    fillDisk(db, 2);
    const answer = writer.submit(() => mark(longText("x")));
    await expect(answer).rejects.toThrow(/^The change could not be written to disk, so nothing was changed\. .+\.$/);
    await expect(answer).rejects.toMatchObject({ name: "NotDurableError", cause: { code: "SQLITE_FULL" } });
  });

  it("has the same sentence if only the statement was undone", async () => {
    const { db, writer, mark, marks } = openMarkedFile();
    await writer.submit(() => mark("kept"));
    fillDisk(db, 4);
    // SQLite undoes only the failed statement when the disk is full, because it has its own journal.
    const many =
      "INSERT INTO marks (text) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT printf('%d-%s', i, hex(zeroblob(200))) FROM n";
    await expect(writer.submit(() => db.run(many))).rejects.toThrow(NotDurableError);
    expect(marks()).toEqual(["kept"]);
  });

  it("is reported if the commit itself fails", async () => {
    const { db, writer, mark, marks, hooks } = openMarkedFile();
    db.handle.exec(
      "CREATE TABLE parents (id INTEGER PRIMARY KEY); CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)",
    );
    db.handle.pragma("foreign_keys = ON");
    const neighbour = writer.submit(() => mark("neighbour"));
    const orphan = writer.submit(() => db.run("INSERT INTO children VALUES (1)"));
    await expect(neighbour).rejects.toThrow(NotDurableError);
    await expect(orphan).rejects.toThrow(NotDurableError);
    expect([marks(), hooks.committed.mock.calls.length, db.handle.inTransaction]).toEqual([[], 0, false]);
    expect(hooks.undone).toHaveBeenCalled();
  });

  it("is reported if no transaction can start, and the writer works again later", async () => {
    const { db, writer, mark, marks, hooks } = openMarkedFile();
    vi.mocked(db.sql).mockImplementationOnce(() => {
      throw new Error("database is locked");
    });
    const answers = await Promise.allSettled([writer.submit(() => mark("a")), writer.submit(() => mark("b"))]);
    for (const answer of answers) expect(answer).toMatchObject({ reason: expect.any(NotDurableError) });
    expect([marks(), hooks.undone.mock.calls.length]).toEqual([[], 1]);
    expect(await writer.submit(() => mark("a"))).toBe(1);
  });

  it("stops the writer if the disk failed before its confirmation", async () => {
    const { writer, mark, hooks } = openMarkedFile();
    hooks.committed.mockImplementationOnce(() => Promise.reject(new Error("EIO")) as never);
    const failed = writer.submit(() => mark("a"));
    const waiting = writer.submit(() => mark("b"));
    await expect(failed).rejects.toThrow(LostChangesError);
    await expect(waiting).rejects.toThrow(LostChangesError);
    const run = vi.fn();
    await expect(writer.submit(run)).rejects.toThrow(LostChangesError);
    await expect(writer.confirming).rejects.toThrow(LostChangesError);
    writer.flush();
    expect([run.mock.calls.length, writer.isOver]).toEqual([0, true]);
  });

  it("is reported if the file is closed", async () => {
    const { db, writer, mark, hooks } = openMarkedFile("full");
    db.close();
    await expect(writer.submit(() => mark("a"))).rejects.toThrow(NotDurableError);
    expect([hooks.undone.mock.calls.length, hooks.committed.mock.calls.length]).toEqual([1, 0]);
  });
});
