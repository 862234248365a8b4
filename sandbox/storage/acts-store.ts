import type { Database } from "./database.ts";

/** Kinds of automatic acts: confirm, cancel or place an order, or send an event's notification. */
type ActKind = "confirm" | "cancel" | "order" | "notify";
const actOutcomes = ["done", "skipped", "refused"] as const;
export type ActOutcome = (typeof actOutcomes)[number];

/** An act due at a moment of the world's clock. */
export interface ActRecord {
  readonly seq: number;
  readonly kind: ActKind;
  /** The world's clock, milliseconds since 1970. */
  readonly due_at: number;
  /** Organization that acts; for a notification, the event's owner. */
  readonly organization_id: string;
  /** Source of the act: a counterpart's rule, or a test value as it was sent. */
  readonly rule_id: string | null;
  readonly test_value: string | null;
  readonly job_id: string | null;
  readonly procurement_id: string | null;
  readonly event_seq: number | null;
  /** Number of calls already made. */
  readonly step: number;
}

type NewAct = Pick<ActRecord, "kind" | "due_at" | "organization_id"> & Partial<Omit<ActRecord, "seq" | "step">>;

/** A finished act with its result. */
export interface EndedAct extends ActRecord {
  /** Real time, milliseconds since 1970. */
  readonly ended_at: number;
  readonly outcome: ActOutcome;
  readonly sentence: string;
  /** Its last call; null if it made none. */
  readonly trace_id: string | null;
}

/** Finished acts kept; the oldest are deleted. */
const MAX_ENDED = 100;
const COLUMNS = "seq, kind, due_at, organization_id, rule_id, test_value, job_id, procurement_id, event_seq, step";
const SELECT = `SELECT ${COLUMNS} FROM acts WHERE ended_at IS NULL`;

/** A supplier's automatic response to its orders. `after` is in milliseconds from now. */
export interface WaitingResponse {
  readonly rule_id: string;
  readonly kind: "confirm" | "cancel";
  readonly organization_id: string;
  readonly after: number;
}

/** Newest orders searched for waiting ones. */
const MAX_WAITING_ORDERS = 10_000;
const RESPOND_TO_WAITING = `INSERT INTO acts (due_at, kind, organization_id, rule_id, job_id, procurement_id)
  SELECT ? + (r.value ->> 'after'), r.value ->> 'kind', p.supplier_organization_id, r.value ->> 'rule_id', p.job_id, p.id
  FROM (SELECT id, job_id, status, created_at, supplier_organization_id FROM procurements INDEXED BY procurements_by_creation
      ORDER BY created_at DESC LIMIT ?) p
    JOIN json_each(?) r ON r.value ->> 'organization_id' = p.supplier_organization_id
  WHERE p.status = 'order_requested'
    AND NOT EXISTS (SELECT 1 FROM acts a WHERE a.ended_at IS NULL AND a.job_id = p.job_id AND a.procurement_id = p.id)
  ORDER BY p.created_at`;

/** Pending and finished acts of counterparts and test values. */
export class ActsStore {
  readonly #db: Database;
  #touched = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Records that the next due time may have changed. */
  touch(): void {
    this.#touched = true;
  }

  /** @returns whether {@link touch} was called since the last clear */
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

  /** Acts due by a moment of the world's clock, earliest first. */
  due(now: number, limit: number): ActRecord[] {
    const sql = `${SELECT} AND due_at <= ? ORDER BY due_at, seq LIMIT ?`;
    return this.#db.all<ActRecord>(sql, this.#db.toStored(now), limit).map(this.#record);
  }

  /** Pending acts, earliest first: so many, and the first call of each organization. */
  upcoming(limit: number): ActRecord[] {
    const earliest = this.#db.all<ActRecord>(`${SELECT} ORDER BY due_at, seq LIMIT ?`, limit).map(this.#record);
    if (earliest.length < limit) return earliest;
    // SQLite takes `seq` from the row with the least time.
    const firstOfEach =
      "SELECT seq FROM (SELECT seq, min(due_at) FROM acts WHERE ended_at IS NULL AND kind <> 'notify' GROUP BY organization_id)";
    const sql = `${SELECT} AND seq IN (${firstOfEach}) ORDER BY due_at, seq`;
    const firsts = this.#db.all<ActRecord>(sql).map(this.#record);
    return [...earliest, ...firsts.filter(({ seq }) => !earliest.some((one) => one.seq === seq))];
  }

  count(): number {
    return this.#db.get<{ n: number }>("SELECT count(*) AS n FROM acts WHERE ended_at IS NULL")?.n ?? 0;
  }

  /** Due time of the next act by the world's clock; null if none is pending. */
  nextDueAt(): number | null {
    const found = this.#db.get<{ at: number }>(
      "SELECT due_at AS at FROM acts WHERE ended_at IS NULL ORDER BY due_at, seq LIMIT 1",
    );
    return found ? this.#db.fromStored(found.at) : null;
  }

  /** Largest `seq` among pending acts; 0 if none is pending. */
  lastSeq(): number {
    return this.#db.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM acts WHERE ended_at IS NULL")?.seq ?? 0;
  }

  /** Moves the due time of pending acts up to a `seq` forward by this many milliseconds. */
  bringForward(ms: number, lastSeq: number): void {
    this.#db.run("UPDATE acts SET due_at = due_at - ? WHERE ended_at IS NULL AND seq <= ?", Math.round(ms), lastSeq);
  }

  findPending(seq: number): ActRecord | undefined {
    const found = this.#db.get<ActRecord>(`${SELECT} AND seq = ?`, seq);
    return found && this.#record(found);
  }

  /** The job's notification that waits for another one to be sent first. */
  findHeldBack(jobId: string, organizationId: string, testValue: string): ActRecord | undefined {
    const sql = `${SELECT} AND job_id = ? AND kind = 'notify' AND organization_id = ? AND test_value = ? ORDER BY seq LIMIT 1`;
    const found = this.#db.get<ActRecord>(sql, jobId, organizationId, testValue);
    return found && this.#record(found);
  }

  /** Records the progress. Doesn't change the due time. */
  advance(seq: number, step: number, jobId: string | null): void {
    this.#db.run("UPDATE acts SET step = ?, job_id = ? WHERE seq = ?", step, jobId, seq);
  }

  /** Ends an act, in the transaction of its effect. @param at real time */
  end(seq: number, at: number, outcome: ActOutcome, sentence: string, traceId: string | null): void {
    const ended = this.#db.toStored(at);
    const sql =
      "UPDATE acts SET ended_at = ?, outcome = ?, sentence = ?, trace_id = ? WHERE seq = ? AND ended_at IS NULL";
    this.#db.run(sql, ended, outcome, sentence, traceId, seq);
    this.#db.run(
      "DELETE FROM acts WHERE seq = (SELECT seq FROM acts WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, seq DESC LIMIT 1 OFFSET ?)",
      MAX_ENDED,
    );
  }

  /** Newest first. */
  ended(limit: number): EndedAct[] {
    const sql = `SELECT ${COLUMNS}, ended_at, outcome, sentence, trace_id FROM acts WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, seq DESC LIMIT ?`;
    return this.#db
      .all<EndedAct>(sql, limit)
      .map((row) => ({ ...row, ...this.#record(row), ended_at: this.#db.fromStored(row.ended_at) }));
  }

  findNextForOrder(procurementId: string): ActRecord | undefined {
    const sql = `${SELECT} AND procurement_id = ? ORDER BY due_at, seq LIMIT 1`;
    const found = this.#db.get<ActRecord>(sql, procurementId);
    return found && this.#record(found);
  }

  /** Result of a finished act, by its `seq`, or of the last one on an order, by its ID. */
  findResult(of: number | string): Pick<EndedAct, "outcome" | "sentence" | "trace_id"> | undefined {
    const where = typeof of === "number" ? "seq = ?" : "procurement_id = ?";
    const sql = `SELECT outcome, sentence, trace_id FROM acts WHERE ${where} AND ended_at IS NOT NULL ORDER BY seq DESC LIMIT 1`;
    return this.#db.get(sql, of);
  }

  /** Deletes pending acts of all rules except these. */
  keepRules(ids: readonly string[]): void {
    this.#touched = true;
    const sql =
      "DELETE FROM acts WHERE ended_at IS NULL AND rule_id IS NOT NULL AND rule_id NOT IN (SELECT value FROM json_each(?))";
    this.#db.run(sql, JSON.stringify(ids));
  }

  dropRule(ruleId: string): void {
    this.#db.run("DELETE FROM acts WHERE ended_at IS NULL AND rule_id = ?", ruleId);
  }

  /**
   * Schedules supplier responses to the newest waiting orders that have no pending act.
   *
   * @param now by the world's clock
   */
  respondToWaiting(responses: readonly WaitingResponse[], now: number): void {
    if (responses.length === 0) return;
    this.#touched = true;
    this.#db.run(RESPOND_TO_WAITING, this.#db.toStored(now), MAX_WAITING_ORDERS, JSON.stringify(responses));
  }

  dropResponses(jobId: string): void {
    this.#touched = true;
    const sql = "DELETE FROM acts WHERE ended_at IS NULL AND job_id = ? AND kind IN ('confirm', 'cancel')";
    this.#db.run(sql, jobId);
  }
}
