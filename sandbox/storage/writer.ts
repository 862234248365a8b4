import type { Database } from "./database.ts";
import { isDiskFailure } from "./disk-failure.ts";

export const NOTHING_CHANGED =
  "The change could not be written to disk, so nothing was changed. Free some space or check the data folder, then try again.";

/** The change could not be made durable: the disk is full or failing. */
export class NotDurableError extends Error {
  constructor(
    cause: unknown,
    message = "The change could not be written to disk. Free some space or check the data folder. Check whether it was made before you try again.",
  ) {
    super(message, { cause });
    this.name = "NotDurableError";
  }
}

/**
 * The disk failed before it confirmed a change. Everything read or written since the last confirmed change may be lost
 * or kept.
 */
export class LostChangesError extends NotDurableError {
  constructor(cause: unknown) {
    super(
      cause,
      "The disk failed before it confirmed the latest changes, so they may be lost or kept. Check the disk of the data folder, then read what you changed before you try again.",
    );
  }
}

/** Return value of a task that rolls back its writes but still responds with a value. */
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

interface WriterHooks {
  /**
   * Called once after each commit, before the responses are sent.
   *
   * @param durable whether any task requires durability
   * @returns a promise that responses, reads and the next commit wait for; undefined if the commit is already safe
   */
  readonly committed: (durable: boolean) => Promise<void> | undefined;
  /** Some tasks were not committed, or may not have been. */
  readonly failed?: () => void;
  /** A task was rolled back, so caches of the file may be wrong. */
  readonly undone: () => void;
}

interface SubmitOptions<T> {
  readonly record?: (value: T) => void;
  readonly durable?: boolean;
}

type Outcome = { readonly task: Task; readonly value: unknown } | { readonly task: Task; readonly error: unknown };

/** A task that wrote must be rolled back alone. */
const apart = Symbol("apart");

/** Longest time that commits of all worlds may block the event loop, in milliseconds. */
const TURN_MS = 10;

/** Fewer tasks than this always share one commit, which costs as much as several tasks. */
const MIN_TASKS = 8;
const isEnough = ({ length }: readonly Outcome[], until: number): boolean =>
  length >= MIN_TASKS && performance.now() > until;

/** Shares the event loop among writers with waiting commits, first come, first served. */
class Turns {
  readonly #waiting: ((until: number) => void)[] = [];
  #scheduled = false;

  /** @param commit receives the time to end at, by `performance.now()` */
  add(commit: (until: number) => void): void {
    this.#waiting.push(commit);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Runs after the poll phase, so all calls read in this turn share the commit.
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
 * Runs mutations in order. Waiting ones share one transaction, and each responds once the commit is durable. A lone
 * mutation never waits for others.
 *
 * A savepoint costs more than a task, and most refused tasks have written nothing. So tasks run without savepoints. If
 * a task that wrote must be rolled back, the whole batch runs again with them.
 */
export class Writer {
  readonly #db: Database;
  readonly #hooks: WriterHooks;
  #queue: Task[] = [];
  #scheduled = false;
  #confirming: Promise<void> | null = null;
  /** Set after a failure that may have lost the last commit. Nothing is written after it. */
  #over: NotDurableError | null = null;

  constructor(db: Database, hooks: WriterHooks) {
    this.#db = db;
    this.#hooks = hooks;
  }

  /**
   * @param run may run more than once, so its other effects must be repeatable
   * @param options.record writes the result in the same transaction; it stays when an {@link Undo} rolls back the rest
   * @param options.durable false if the response needn't wait for the disk
   * @returns the value of `run`, once durable. A thrown error or an {@link Undo} rolls back this task alone; an Undo
   * still responds with its value.
   * @throws NotDurableError if the commit fails, or an earlier one may be lost
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

  /** Settles when the file's content may be shown; null if it may be shown now. Rejects if it may be lost. */
  get confirming(): Promise<void> | null {
    return this.#over ? Promise.reject(this.#over) : this.#confirming;
  }

  /** True if the writer stopped because its last commit may be lost. */
  get isOver(): boolean {
    return this.#over !== null;
  }

  flush(): void {
    while (this.#queue.length > 0) this.#commit(Number.POSITIVE_INFINITY);
  }

  /** Commits the waiting tasks, or those that run before `until`. */
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
      // Responds even if a hook throws, because the changes are durable.
      if (confirmed === undefined) this.#settle(outcomes);
    }
    if (confirmed !== undefined) this.#confirm(confirmed, outcomes);
    this.#schedule();
  }

  #settle(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      if ("error" in outcome) outcome.task.reject(outcome.error);
      else outcome.task.resolve(outcome.value);
    }
  }

  /** Responds once the commit is safe. Tasks that arrive meanwhile share the next commit. */
  #confirm(confirmed: Promise<void>, outcomes: readonly Outcome[]): void {
    const done = confirmed.then(
      () => {
        if (this.#confirming === done) this.#confirming = null;
        this.#settle(outcomes);
        this.#schedule();
      },
      (error: unknown) => {
        this.#over = error instanceof NotDurableError ? error : new LostChangesError(error);
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
      this.#hooks.undone();
    } finally {
      for (const task of tasks) task.reject(failure);
    }
  }

  /** Number of rows this connection has changed. */
  #changes(): number {
    return this.#db.get<{ n: number }>("SELECT total_changes() AS n")?.n ?? 0;
  }

  #together(tasks: readonly Task[], until: number): Outcome[] | typeof apart {
    const outcomes: Outcome[] = [];
    for (const task of tasks) {
      // Only durable tasks need a count. Others, such as most reads, write at most one record.
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

  /** Result of a task after its record was written. */
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
      // A full disk can end the whole transaction. The batch then fails.
      if (!this.#db.handle.inTransaction) throw error;
      return { task, error: isDiskFailure(error) ? new NotDurableError(error, NOTHING_CHANGED) : error };
    }
  }
}
