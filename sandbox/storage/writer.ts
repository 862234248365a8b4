import type { Database } from "./database.ts";
import { isDiskFailure } from "./disk-failure.ts";

export const NOTHING_CHANGED =
  "The change could not be written to disk, so nothing was changed. Free some space or check the data folder, then try again.";

/** The change could not be made durable: the disk is full or failing. */
export class NotDurableError extends Error {
  constructor(
    cause: unknown,
    message = "The change could not be written to disk. Free some space or check the data folder, look whether it was made, then try again.",
  ) {
    super(message, { cause });
    this.name = "NotDurableError";
  }
}

/** The disk failed before it confirmed a change: what was read or written since the last confirmed one may be lost, or kept. */
export class LostError extends NotDurableError {
  constructor(cause: unknown) {
    super(
      cause,
      "The disk failed before it confirmed the latest changes, so they may be lost or kept. Check the disk of the data folder, then read what you changed before you try again.",
    );
  }
}

/** Has the writer undo what a task wrote while still answering with its value. */
export class Undo<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

interface Task {
  readonly run: () => unknown;
  readonly record: ((value: unknown) => void) | undefined;
  readonly durable: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriterHooks {
  /** Tasks are about to run, maybe again: what earlier runs of them noted is void. */
  readonly begun: () => void;
  /**
   * Called once after each commit, before the answers leave.
   *
   * @param durable whether any of its tasks has to be on disk before it is answered
   * @returns what answers, reads and the next commit wait for, if for anything: that what was committed is safe
   */
  readonly committed: (durable: boolean) => Promise<void> | undefined;
  /** Something that ran was not kept, or may not have been. */
  readonly failed?: () => void;
  /** Something that ran was undone: what was remembered of the file may be wrong. */
  readonly undone: () => void;
}

export interface SubmitOptions<T> {
  readonly record?: (value: T) => void;
  readonly durable?: boolean;
}

type Outcome = { readonly task: Task; readonly value: unknown } | { readonly task: Task; readonly error: unknown };

/** A task that wrote must be undone while its neighbours must not. */
const apart = Symbol("apart");

/** How long the commits of all worlds may hold up the event loop before others are served, in milliseconds. */
const TURN_MS = 10;

/** A commit of fewer tasks is not ended early: it costs as much as several of them. */
const FEWEST_TASKS = 8;
const isEnough = ({ length }: readonly Outcome[], until: number): boolean =>
  length >= FEWEST_TASKS && performance.now() > until;

/** Shares the event loop among the writers that have something to commit, in the order they came. */
class Turns {
  readonly #waiting: ((until: number) => void)[] = [];
  #scheduled = false;

  /** @param commit is handed when it should end, by `performance.now()` */
  add(commit: (until: number) => void): void {
    this.#waiting.push(commit);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // After the poll phase: everything that was read in this turn of the event loop shares the commit.
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#scheduled = false;
    const until = performance.now() + TURN_MS;
    try {
      do this.#waiting.shift()?.(until);
      while (this.#waiting.length > 0 && performance.now() < until);
    } finally {
      if (this.#waiting.length > 0) this.#schedule();
    }
  }
}
const turns = new Turns();

/**
 * Runs mutations in the order they came, those that wait together in one transaction, and answers once the commit is
 * safe: acknowledged means on disk, and company shares the cost of it. A lone mutation never waits for others.
 *
 * A savepoint around each task would cost more than the task, and most that are refused have written nothing. So tasks
 * run without; when one has to be undone that wrote, all of them run again with savepoints.
 */
export class Writer {
  readonly #db: Database;
  readonly #hooks: WriterHooks;
  #queue: Task[] = [];
  #scheduled = false;
  #confirming: Promise<void> | null = null;
  /** Why nothing more is written: what was committed last may be lost. */
  #over: NotDurableError | null = null;

  constructor(db: Database, hooks: WriterHooks) {
    this.#db = db;
    this.#hooks = hooks;
  }

  /**
   * @param run may be called more than once, so that what it does beside writing to the file must come to the same
   * @param options.record writes down what came of it, in the same transaction; it stays when an {@link Undo} undoes the rest
   * @param options.durable false: it need not have reached the disk when it is answered
   * @returns what `run` returned, once it is durable. A thrown error undoes this task alone; so does an {@link Undo},
   * which still answers with its value.
   * @throws NotDurableError when the commit fails, or an earlier one may be lost
   */
  submit<T>(run: () => T | Undo<T>, { record, durable = true }: SubmitOptions<T> = {}): Promise<T> {
    if (this.#over) return Promise.reject(this.#over);
    return new Promise<T>((resolve, reject) => {
      const task = { run, record: record as Task["record"], durable, resolve: resolve as Task["resolve"], reject };
      this.#queue.push(task);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#confirming || this.#queue.length === 0) return;
    this.#scheduled = true;
    turns.add((until) => {
      this.#scheduled = false;
      this.#commit(until);
    });
  }

  /** Settles when what the file holds may be shown; null: all of it may. Rejects where it may be lost. */
  get confirming(): Promise<void> | null {
    return this.#over ? Promise.reject(this.#over) : this.#confirming;
  }

  /** Nothing is written any more: what was committed last may be lost. */
  get isOver(): boolean {
    return this.#over !== null;
  }

  /** Runs what waits, now. */
  flush(): void {
    while (this.#queue.length > 0) this.#commit(Number.POSITIVE_INFINITY);
  }

  /** Commits what waits, or as much of it as can run until then. */
  #commit(until: number): void {
    const tasks = this.#queue;
    if (tasks.length === 0) return;
    this.#queue = [];
    let outcomes: readonly Outcome[];
    try {
      const together = this.#transaction(() => this.#together(tasks, until));
      outcomes = together === apart ? this.#transaction(() => this.#allApart(tasks, until)) : together;
    } catch (error) {
      this.#fail(tasks, new NotDurableError(error, NOTHING_CHANGED));
      return;
    }
    this.#queue = [...tasks.slice(outcomes.length), ...this.#queue];
    let confirmed: Promise<void> | undefined;
    try {
      confirmed = this.#hooks.committed(outcomes.some(({ task }) => task.durable));
    } finally {
      // Whatever happens to those who listen: what is durable is acknowledged.
      if (confirmed === undefined) this.#answer(outcomes);
    }
    if (confirmed !== undefined) this.#confirm(confirmed, outcomes);
    this.#schedule();
  }

  #answer(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      if ("error" in outcome) outcome.task.reject(outcome.error);
      else outcome.task.resolve(outcome.value);
    }
  }

  /** Answers when what was committed is safe; what comes meanwhile shares the next commit. */
  #confirm(confirmed: Promise<void>, outcomes: readonly Outcome[]): void {
    const done = confirmed.then(
      () => {
        if (this.#confirming === done) this.#confirming = null;
        this.#answer(outcomes);
        this.#schedule();
      },
      (error: unknown) => {
        this.#over = error instanceof NotDurableError ? error : new LostError(error);
        const waiting = this.#queue;
        this.#queue = [];
        this.#fail([...outcomes.map(({ task }) => task), ...waiting], this.#over);
        throw this.#over;
      },
    );
    done.catch(() => undefined);
    this.#confirming = done;
  }

  #transaction<T>(run: () => T): T {
    try {
      this.#db.sql("BEGIN IMMEDIATE").run();
      this.#hooks.begun();
      const result = run();
      if (result === apart) this.#rollBack();
      else this.#db.sql("COMMIT").run();
      return result;
    } catch (error) {
      if (this.#db.handle.open && this.#db.handle.inTransaction) this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    this.#db.sql("ROLLBACK").run();
    this.#hooks.undone();
  }

  #fail(tasks: readonly Task[], failure: NotDurableError): void {
    try {
      this.#hooks.failed?.();
      this.#hooks.begun();
      this.#hooks.undone();
    } finally {
      for (const task of tasks) task.reject(failure);
    }
  }

  /** How many rows this connection has changed. */
  #changes(): number {
    return this.#db.get<{ n: number }>("SELECT total_changes() AS n")?.n ?? 0;
  }

  #together(tasks: readonly Task[], until: number): Outcome[] | typeof apart {
    const outcomes: Outcome[] = [];
    for (const task of tasks) {
      // What is not durable writes one record: it needs no counting, nearly all calls are such reads.
      const before = task.durable ? this.#changes() : -1;
      const outcome = this.#run(task);
      const undo = "error" in outcome || outcome.value instanceof Undo;
      if (undo && this.#changes() !== before) return apart;
      const recorded = this.#record(outcome);
      if ("error" in recorded && this.#changes() !== before) return apart;
      outcomes.push(recorded);
      if (isEnough(outcomes, until)) break;
    }
    return outcomes;
  }

  #allApart(tasks: readonly Task[], until: number): Outcome[] {
    const outcomes: Outcome[] = [];
    for (const task of tasks) {
      outcomes.push(this.#apart(task));
      if (isEnough(outcomes, until)) break;
    }
    return outcomes;
  }

  #apart(task: Task): Outcome {
    this.#db.sql("SAVEPOINT task").run();
    const outcome = this.#run(task);
    if ("error" in outcome || outcome.value instanceof Undo) this.#undoTask();
    const recorded = this.#record(outcome);
    if ("error" in recorded && !("error" in outcome)) this.#undoTask();
    this.#db.sql("RELEASE task").run();
    return recorded;
  }

  #undoTask(): void {
    this.#db.sql("ROLLBACK TO task").run();
    this.#hooks.undone();
  }

  /** What a task came to, once it is written down too. */
  #record(outcome: Outcome): Outcome {
    if ("error" in outcome) return outcome;
    const { task } = outcome;
    const value = outcome.value instanceof Undo ? outcome.value.value : outcome.value;
    const { record } = task;
    if (!record) return { task, value };
    return this.#run({
      ...task,
      run: () => {
        record(value);
        return value;
      },
    });
  }

  #run(task: Task): Outcome {
    try {
      return { task, value: task.run() };
    } catch (error) {
      // A full disk can end the whole transaction; then there is nothing to go on with, and the batch fails.
      if (!this.#db.handle.inTransaction) throw error;
      return { task, error: isDiskFailure(error) ? new NotDurableError(error, NOTHING_CHANGED) : error };
    }
  }
}
