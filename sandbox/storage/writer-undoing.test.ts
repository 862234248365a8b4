import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { fillDisk, longText, openMarkedFile } from "../testing/marked-file.ts";
import { NotDurableError, Undo } from "./writer.ts";

const SAVEPOINT = "SAVEPOINT task";

describe("a task refused before its first write", () => {
  it("costs its neighbours nothing: no savepoint, no rollback, no repetition", async () => {
    const { writer, mark, marks, ran, happened } = openMarkedFile();
    const runs = vi.fn();
    const task = <T>(run: () => T | Undo<T>) =>
      writer.submit<T>(() => {
        runs();
        return run();
      });
    const outcomes = await Promise.allSettled([
      task(() => mark("before")),
      task(() => new Undo("refused")),
      task(() => {
        marks();
        throw new Error("broken");
      }),
      task(() => mark("after")),
    ]);
    expect(outcomes).toEqual([
      { status: "fulfilled", value: 1 },
      { status: "fulfilled", value: "refused" },
      { status: "rejected", reason: new Error("broken") },
      { status: "fulfilled", value: 2 },
    ]);
    expect(marks()).toEqual(["before", "after"]);
    expect(happened).toEqual(["committed"]);
    expect([runs.mock.calls.length, ran(SAVEPOINT), ran("ROLLBACK")]).toEqual([4, 0, 0]);
  });

  it("costs nothing if its only write broke a constraint", async () => {
    const { writer, mark, marks, ran } = openMarkedFile();
    const outcomes = await Promise.allSettled(["a", "a", "b"].map((text) => writer.submit(() => mark(text))));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect([marks(), ran(SAVEPOINT)]).toEqual([["a", "b"], 0]);
  });

  it("costs nothing if it is alone", async () => {
    const { writer, ran, happened } = openMarkedFile();
    expect(await writer.submit(() => new Undo("refused"))).toBe("refused");
    expect([happened, ran("COMMIT")]).toEqual([["committed"], 1]);
  });
});

describe("a task undone after a write", () => {
  it("repeats all tasks with savepoints, each effective once, with the results of that run", async () => {
    const { writer, mark, marks, durable, ran, happened } = openMarkedFile();
    const runs = { before: 0, refused: 0, after: 0 };
    const outcomes = await Promise.all([
      writer.submit(() => [mark("before"), ++runs.before]),
      writer.submit(() => {
        mark("refused");
        return new Undo(["refused", ++runs.refused]);
      }),
      writer.submit(() => [mark("after"), ++runs.after]),
    ]);
    expect(outcomes).toEqual([
      [1, 2],
      ["refused", 2],
      [2, 1],
    ]);
    expect([marks(), durable()]).toEqual([
      ["before", "after"],
      ["before", "after"],
    ]);
    expect([ran(SAVEPOINT), ran("RELEASE task"), ran("COMMIT")]).toEqual([3, 3, 1]);
    // Hooks of the whole first run, then of the second run's one task.
    expect(happened).toEqual(["undone", "undone", "committed"]);
  });

  it("is undone alone if it threw, with its own error", async () => {
    const { writer, mark, marks } = openMarkedFile();
    const error = new Error("half way");
    const outcomes = await Promise.allSettled([
      writer.submit(() => mark("before")),
      writer.submit(() => {
        mark("first half");
        throw error;
      }),
      writer.submit(() => mark("after")),
    ]);
    expect(outcomes.map((answer) => (answer.status === "rejected" ? answer.reason : answer.value))).toEqual([
      1,
      error,
      2,
    ]);
    expect(marks()).toEqual(["before", "after"]);
  });

  it("is undone if it is alone, and the next one succeeds", async () => {
    const { writer, mark, marks, hooks } = openMarkedFile();
    const refused = () => new Undo(mark("refused"));
    expect(await writer.submit(refused)).toBe(1);
    expect(marks()).toEqual([]);
    expect(hooks.undone).toHaveBeenCalled();
    expect(await writer.submit(() => mark("next"))).toBe(1);
    expect(marks()).toEqual(["next"]);
  });

  it("may be one of several, even consecutive ones", async () => {
    const { writer, mark, marks } = openMarkedFile();
    const texts = ["a", "no 1", "no 2", "b", "no 3"];
    const outcomes = await Promise.all(
      texts.map((text) =>
        writer.submit(() => {
          const seq = mark(text);
          return text.startsWith("no") ? new Undo(seq) : seq;
        }),
      ),
    );
    expect(outcomes).toEqual([1, 2, 2, 2, 3]);
    expect(marks()).toEqual(["a", "b"]);
  });

  it("may succeed in the second run", async () => {
    const { writer, mark, marks } = openMarkedFile();
    let turn = 0;
    const answer = await writer.submit(() => {
      const seq = mark("a");
      turn += 1;
      return turn === 1 ? new Undo(seq) : seq;
    });
    expect([answer, marks()]).toEqual([1, ["a"]]);
  });
});

describe("a disk that fills up during the second run", () => {
  it("fails all tasks, stores nothing, and reports no commit", async () => {
    const { db, writer, mark, marks, hooks, ran } = openMarkedFile();
    await writer.submit(() => mark("kept"));
    fillDisk(db, 2);
    const outcomes = await Promise.allSettled([
      writer.submit(() => new Undo(mark("refused"))),
      writer.submit(() => mark("small")),
      writer.submit(() => mark(longText("x"))),
    ]);
    expect(ran(SAVEPOINT)).toBeGreaterThan(0);
    for (const answer of outcomes) expect(answer).toMatchObject({ reason: expect.any(NotDurableError) });
    expect([marks(), hooks.committed.mock.calls.length, db.handle.inTransaction]).toEqual([["kept"], 1, false]);
  });

  it("fails one task if only its statement was undone", async () => {
    const { db, writer, mark, marks } = openMarkedFile();
    await writer.submit(() => mark("kept"));
    fillDisk(db, 4);
    const many =
      "INSERT INTO marks (text) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT printf('%d-%s', i, hex(zeroblob(200))) FROM n";
    const outcomes = await Promise.allSettled([
      writer.submit(() => mark("before")),
      writer.submit(() => {
        mark("half");
        return db.run(many);
      }),
    ]);
    expect(outcomes).toMatchObject([{ value: 2 }, { reason: expect.any(NotDurableError) }]);
    expect(marks()).toEqual(["kept", "before"]);
  });
});

describe("any sequence of tasks", () => {
  const kinds = [
    "writes",
    "writes twice",
    "reads",
    "refuses",
    "writes and refuses",
    "throws",
    "writes and throws",
  ] as const;
  type Kind = (typeof kinds)[number];

  it("stores exactly the rows of successful tasks, in order, and returns each result", async () => {
    const turns = fc.array(fc.array(fc.constantFrom<Kind>(...kinds), { minLength: 1, maxLength: 7 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(turns, async (batches) => {
        const { db, writer, mark, marks, durable, ran, hooks } = openMarkedFile();
        const expected: string[] = [];
        for (const [turn, batch] of batches.entries()) {
          const outcomes = batch.map((kind, index) => {
            const text = `${turn}-${index} ${kind}`;
            return writer.submit<string>(() => {
              if (kind.startsWith("writes")) mark(text);
              if (kind === "writes twice") mark(`${text} again`);
              if (kind === "reads") marks();
              if (kind.endsWith("throws")) throw new Error(text);
              return kind.endsWith("refuses") ? new Undo(text) : text;
            });
          });
          const results = await Promise.allSettled(outcomes);
          for (const [index, kind] of batch.entries()) {
            const text = `${turn}-${index} ${kind}`;
            expect(results[index]).toEqual(
              kind.endsWith("throws")
                ? { status: "rejected", reason: new Error(text) }
                : { status: "fulfilled", value: text },
            );
            if (kind === "writes" || kind === "writes twice") expected.push(text);
            if (kind === "writes twice") expected.push(`${text} again`);
          }
          expect(marks()).toEqual(expected);
        }
        expect(durable()).toEqual(expected);
        expect([ran("COMMIT"), hooks.committed.mock.calls.length]).toEqual([batches.length, batches.length]);
        db.close();
      }),
      { numRuns: 40 },
    );
  });
});
