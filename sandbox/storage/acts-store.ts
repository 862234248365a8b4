import type { Database } from "./database.ts";

/** What the sandbox does by itself: an order is confirmed, cancelled or placed, or an event is notified of. */
export type ActKind = "confirm" | "cancel" | "order" | "notify";
export const actOutcomes = ["done", "skipped", "refused"] as const;
export type ActOutcome = (typeof actOutcomes)[number];

/** Something that is to be done at a moment of the world's clock. */
export interface NewAct {
  readonly kind: ActKind;
  /** The world's clock, milliseconds since 1970. */
  readonly due_at: number;
  /** Who does it; of a notification, whose event it is. */
  readonly organization_id: string;
  /** The counterpart's rule that asked for it, or the test value that did, as it was sent. */
  readonly rule_id?: string;
  readonly test_value?: string;
  readonly job_id?: string;
  readonly procurement_id?: string;
  /** The event it notifies of. */
  readonly event_seq?: number;
}

export interface ActRecord {
  readonly seq: number;
  readonly kind: ActKind;
  readonly due_at: number;
  readonly organization_id: string;
  readonly rule_id: string | null;
  readonly test_value: string | null;
  readonly job_id: string | null;
  readonly procurement_id: string | null;
  readonly event_seq: number | null;
  /** How many of its calls are made. */
  readonly step: number;
}

/** One that is over, and what came of it. */
export interface EndedAct extends ActRecord {
  /** Real time, milliseconds since 1970. */
  readonly ended_at: number;
  readonly outcome: ActOutcome;
  readonly sentence: string;
  /** The last of the calls it made; null: it made none. */
  readonly trace_id: string | null;
}

/** So many of those that are over are kept, the newest. */
const MOST_ENDED = 100;
const COLUMNS = "seq, kind, due_at, organization_id, rule_id, test_value, job_id, procurement_id, event_seq, step";
const SELECT = `SELECT ${COLUMNS} FROM acts WHERE ended_at IS NULL`;

/** How a supplier answers its orders: so many milliseconds from now. */
export interface WaitingAnswer {
  readonly rule_id: string;
  readonly kind: "confirm" | "cancel";
  readonly organization_id: string;
  readonly after: number;
}

/** So many of a world's orders are looked at for those that wait, the newest. */
const MOST_WAITING_ORDERS = 10_000;
const ANSWER_WAITING = `INSERT INTO acts (due_at, kind, organization_id, rule_id, job_id, procurement_id)
  SELECT ? + (r.value ->> 'after'), r.value ->> 'kind', p.supplier_organization_id, r.value ->> 'rule_id', p.job_id, p.id
  FROM (SELECT id, job_id, status, created_at, supplier_organization_id FROM procurements INDEXED BY procurements_by_creation
      ORDER BY created_at DESC LIMIT ?) p
    JOIN json_each(?) r ON r.value ->> 'organization_id' = p.supplier_organization_id
  WHERE p.status = 'order_requested'
    AND NOT EXISTS (SELECT 1 FROM acts a WHERE a.ended_at IS NULL AND a.job_id = p.job_id AND a.procurement_id = p.id)
  ORDER BY p.created_at`;

/** What the sandbox does by itself, and when: for its counterparts and for test values. */
export class ActsStore {
  readonly #db: Database;
  #touched = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** When the next one is due may be another time than it was. */
  touch(): void {
    this.#touched = true;
  }

  /** Whether that has been so since this was last asked. */
  clearTouched(): boolean {
    const touched = this.#touched;
    this.#touched = false;
    return touched;
  }

  readonly #record = (row: ActRecord): ActRecord => ({ ...row, due_at: this.#db.fromStored(row.due_at) });

  insert(act: NewAct): void {
    this.#touched = true;
    this.#db.insert("acts", { ...act, due_at: this.#db.toStored(act.due_at) });
  }

  /** Those that are due by a moment of the world's clock, in their order, at most so many. */
  due(now: number, limit: number): ActRecord[] {
    const sql = `${SELECT} AND due_at <= ? ORDER BY due_at, seq LIMIT ?`;
    return this.#db.all<ActRecord>(sql, this.#db.toStored(now), limit).map(this.#record);
  }

  /** The next ones, in their order. */
  upcoming(limit: number): ActRecord[] {
    return this.#db.all<ActRecord>(`${SELECT} ORDER BY due_at, seq LIMIT ?`, limit).map(this.#record);
  }

  /** How many are to come. */
  count(): number {
    return this.#db.get<{ n: number }>("SELECT count(*) AS n FROM acts WHERE ended_at IS NULL")?.n ?? 0;
  }

  /** When the next one is due by the world's clock; null: there is none. */
  nextDueAt(): number | null {
    const found = this.#db.get<{ at: number }>(
      "SELECT due_at AS at FROM acts WHERE ended_at IS NULL ORDER BY due_at, seq LIMIT 1",
    );
    return found ? this.#db.fromStored(found.at) : null;
  }

  /** The last row that is to be done; 0: there is none. */
  lastSeq(): number {
    return this.#db.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM acts WHERE ended_at IS NULL")?.seq ?? 0;
  }

  /** Has what was to be done as far as a row fall due so much earlier, in milliseconds. */
  bringForward(ms: number, lastSeq: number): void {
    this.#db.run("UPDATE acts SET due_at = due_at - ? WHERE ended_at IS NULL AND seq <= ?", Math.round(ms), lastSeq);
  }

  /** One that is still to be done, by its row. */
  pending(seq: number): ActRecord | undefined {
    const found = this.#db.get<ActRecord>(`${SELECT} AND seq = ?`, seq);
    return found && this.#record(found);
  }

  /** The notification of a job that is held back for an organization, until another one has left. */
  heldBack(jobId: string, organizationId: string, testValue: string): ActRecord | undefined {
    const sql = `${SELECT} AND job_id = ? AND kind = 'notify' AND organization_id = ? AND test_value = ? ORDER BY seq LIMIT 1`;
    const found = this.#db.get<ActRecord>(sql, jobId, organizationId, testValue);
    return found && this.#record(found);
  }

  /** Notes how far it has come, which changes nothing of when it is due. */
  advance(seq: number, step: number, jobId: string | null): void {
    this.#db.run("UPDATE acts SET step = ?, job_id = ? WHERE seq = ?", step, jobId, seq);
  }

  /** Ends one, in the transaction of what it did. @param at real time */
  end(seq: number, at: number, outcome: ActOutcome, sentence: string, traceId: string | null): void {
    const ended = this.#db.toStored(at);
    const sql =
      "UPDATE acts SET ended_at = ?, outcome = ?, sentence = ?, trace_id = ? WHERE seq = ? AND ended_at IS NULL";
    this.#db.run(sql, ended, outcome, sentence, traceId, seq);
    this.#db.run(
      "DELETE FROM acts WHERE seq = (SELECT seq FROM acts WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, seq DESC LIMIT 1 OFFSET ?)",
      MOST_ENDED,
    );
  }

  /** The newest that are over, newest first. */
  ended(limit: number): EndedAct[] {
    const sql = `SELECT ${COLUMNS}, ended_at, outcome, sentence, trace_id FROM acts WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, seq DESC LIMIT ?`;
    return this.#db
      .all<EndedAct>(sql, limit)
      .map((row) => ({ ...row, ...this.#record(row), ended_at: this.#db.fromStored(row.ended_at) }));
  }

  /** The next one that answers an order. */
  ofOrder(procurementId: string): ActRecord | undefined {
    const sql = `${SELECT} AND procurement_id = ? ORDER BY due_at, seq LIMIT 1`;
    const found = this.#db.get<ActRecord>(sql, procurementId);
    return found && this.#record(found);
  }

  /** How one that is over ended: by its row, or the last one that answered an order. */
  endedAs(of: number | string): Pick<EndedAct, "outcome" | "sentence" | "trace_id"> | undefined {
    const where = typeof of === "number" ? "seq = ?" : "procurement_id = ?";
    const sql = `SELECT outcome, sentence, trace_id FROM acts WHERE ${where} AND ended_at IS NOT NULL ORDER BY seq DESC LIMIT 1`;
    return this.#db.get(sql, of);
  }

  /** What other rules than these asked for is no longer to be done. */
  keepRules(ids: readonly string[]): void {
    this.#touched = true;
    const sql =
      "DELETE FROM acts WHERE ended_at IS NULL AND rule_id IS NOT NULL AND rule_id NOT IN (SELECT value FROM json_each(?))";
    this.#db.run(sql, JSON.stringify(ids));
  }

  /** What a rule asked for is no longer to be done. */
  dropRule(ruleId: string): void {
    this.#db.run("DELETE FROM acts WHERE ended_at IS NULL AND rule_id = ?", ruleId);
  }

  /**
   * Has suppliers answer those of the newest orders of the world that wait, and that nothing is to be done with already.
   *
   * @param now by the world's clock
   */
  answerWaiting(answers: readonly WaitingAnswer[], now: number): void {
    if (answers.length === 0) return;
    this.#touched = true;
    this.#db.run(ANSWER_WAITING, this.#db.toStored(now), MOST_WAITING_ORDERS, JSON.stringify(answers));
  }

  /** What was to be answered of a job's orders is not any more. */
  dropAnswersOf(jobId: string): void {
    this.#touched = true;
    const sql = "DELETE FROM acts WHERE ended_at IS NULL AND job_id = ? AND kind IN ('confirm', 'cancel')";
    this.#db.run(sql, jobId);
  }
}
