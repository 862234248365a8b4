import { MOST_AUDITED } from "../contract/control/audit-operations.ts";
import type { AuditRecord, AuditStore } from "../storage/audit-store.ts";
import type { SharedDatabase } from "./database.ts";

const PULLED_AT_ONCE = 1_000;

/** The record of changes through the control plane, of all nodes together. */
export class SharedAudit {
  readonly #database: SharedDatabase;
  readonly #audit: AuditStore;
  readonly #node: string;
  /** Up to where what was recorded here is stored, and where that of others is here; of the former, what is theirs. */
  #pushed = 0;
  #pulled = 0;
  readonly #theirs = new Set<number>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(database: SharedDatabase, audit: AuditStore, node: string) {
    this.#database = database;
    this.#audit = audit;
    this.#node = node;
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Stores what was recorded here. */
  push(): Promise<void> {
    return this.#inTurn(async () => {
      for (const { seq, ...record } of this.#audit.after(this.#pushed)) {
        const insert = "INSERT INTO sandbox_audit (node, record) VALUES ($1, $2)";
        if (!this.#theirs.delete(seq)) await this.#database.run(insert, [this.#node, JSON.stringify(record)]);
        this.#pushed = seq;
      }
    });
  }

  /** Has what other nodes recorded be here too. */
  pull(): Promise<void> {
    return this.#inTurn(async () => {
      for (let rows = PULLED_AT_ONCE; rows === PULLED_AT_ONCE; ) {
        const select = `SELECT id, node, record FROM sandbox_audit WHERE id > $1 ORDER BY id LIMIT ${PULLED_AT_ONCE}`;
        const found = await this.#database.run(select, [this.#pulled]);
        for (const { id, node, record } of found) {
          const one = JSON.parse(String(record)) as Omit<AuditRecord, "seq">;
          if (node !== this.#node) this.#theirs.add(this.#audit.insert(one));
          this.#pulled = Number(id);
        }
        rows = found.length;
      }
    });
  }

  /** Deletes what is older than what a service keeps. */
  async clear(): Promise<void> {
    await this.#database.run("DELETE FROM sandbox_audit WHERE id <= (SELECT max(id) FROM sandbox_audit) - $1", [
      MOST_AUDITED,
    ]);
  }
}
