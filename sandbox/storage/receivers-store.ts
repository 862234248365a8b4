import type { Receipt, ReceiverAnswer, ReceiverBehaviour } from "../contract/control/receiver-rows.ts";
import type { Database } from "./database.ts";

/** How many receipts a receiver keeps; repeats are known by those that are kept. */
export const KEPT_RECEIPTS = 500;

export interface ReceiverRow {
  readonly seq: number;
  readonly id: string;
  readonly integration_id: string;
  readonly url: string;
  readonly created_at: number;
  readonly behaviour: ReceiverBehaviour;
  /** Arrivals since the behaviour was set or the receiver reset. */
  readonly counted: number;
  /** Null once its subscription has ended. */
  readonly subscription_id: string | null;
  readonly received: number;
}

/** What arrived, and what became of it. `at` is real time. */
export interface ReceiptRecord extends Omit<Receipt, "at" | "body_base64"> {
  readonly at: number;
  /** At most the first 16 KiB. */
  readonly body: Buffer;
}

interface Stored {
  readonly seq: number;
  readonly id: string;
  readonly integration_id: string;
  readonly url: string;
  readonly created_at: number;
  readonly answer: ReceiverAnswer;
  readonly status: number;
  readonly first: number | null;
  readonly verify: number;
  readonly deduplicate: number;
  readonly counted: number;
  readonly subscription_id: string | null;
  readonly received: number;
}

interface StoredReceipt extends Omit<ReceiptRecord, "repeat" | "headers" | "verification"> {
  readonly seq: number;
  readonly repeat: number;
  readonly headers: string;
  readonly verification: string;
}

const SELECT =
  "SELECT r.seq, r.id, r.integration_id, r.url, r.created_at, r.answer, r.status, r.first, r.verify, r.deduplicate, r.counted, " +
  "s.id AS subscription_id, (SELECT count(*) FROM receipts t WHERE t.receiver_seq = r.seq) AS received " +
  "FROM receivers r LEFT JOIN subscriptions s ON s.integration_id = r.integration_id AND s.url = r.url AND s.ended_at IS NULL";

/** The built-in receivers: what each does, and what it was sent. */
export class ReceiversStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  readonly #row = ({ answer, status, first, verify, deduplicate, ...row }: Stored): ReceiverRow => ({
    ...row,
    created_at: this.#db.fromStored(row.created_at),
    behaviour: { answer, status, first, verify: Boolean(verify), deduplicate: Boolean(deduplicate) },
  });

  insert(row: Pick<ReceiverRow, "id" | "integration_id" | "url" | "created_at" | "behaviour">): void {
    this.#db.run(
      "INSERT INTO receivers (id, integration_id, url, created_at, answer, status, first, verify, deduplicate, counted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
      row.id,
      row.integration_id,
      row.url,
      this.#db.toStored(row.created_at),
      ...this.#columns(row.behaviour),
    );
  }

  #columns({ answer, status, first, verify, deduplicate }: ReceiverBehaviour): unknown[] {
    return [answer, status, first, Number(verify), Number(deduplicate)];
  }

  /** Oldest first. */
  list(): ReceiverRow[] {
    return this.#db.all<Stored>(`${SELECT} ORDER BY r.seq`).map(this.#row);
  }

  get(id: string): ReceiverRow | undefined {
    const found = this.#db.get<Stored>(`${SELECT} WHERE r.id = ?`, id);
    return found && this.#row(found);
  }

  /** Changes what a receiver does, from the next arrival on, which is counted as the first. */
  set(seq: number, behaviour: ReceiverBehaviour): void {
    this.#db.run(
      "UPDATE receivers SET answer = ?, status = ?, first = ?, verify = ?, deduplicate = ?, counted = 0 WHERE seq = ?",
      ...this.#columns(behaviour),
      seq,
    );
  }

  /** Its address is another one from now on. */
  move(seq: number, url: string): void {
    this.#db.run("UPDATE receivers SET url = ? WHERE seq = ?", url, seq);
  }

  /** Forgets what a receiver was sent. */
  reset(seq: number): void {
    this.#db.run("UPDATE receivers SET counted = 0 WHERE seq = ?", seq);
    this.#db.run("DELETE FROM receipts WHERE receiver_seq = ?", seq);
  }

  delete(seq: number): void {
    this.#db.run("DELETE FROM receipts WHERE receiver_seq = ?", seq);
    this.#db.run("DELETE FROM receivers WHERE seq = ?", seq);
  }

  /** Whether a message was acknowledged before, as far as receipts are kept. */
  knows(seq: number, messageId: string): boolean {
    return (
      this.#db.get(
        "SELECT 1 FROM receipts WHERE receiver_seq = ? AND message_id = ? AND outcome IN ('accepted', 'repeated') LIMIT 1",
        seq,
        messageId,
      ) !== undefined
    );
  }

  /** Keeps a receipt and counts the arrival; the oldest beyond the limit are forgotten. */
  receive(seq: number, receipt: ReceiptRecord): void {
    this.#db.run("UPDATE receivers SET counted = counted + 1 WHERE seq = ?", seq);
    this.#db.run(
      "INSERT INTO receipts (receiver_seq, id, at, outcome, status, reason, repeat, message_id, event_type, integration_id, headers, body_bytes, body, verification) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      seq,
      receipt.id,
      this.#db.toStored(receipt.at),
      receipt.outcome,
      receipt.status,
      receipt.reason,
      Number(receipt.repeat),
      receipt.message_id,
      receipt.event_type,
      receipt.integration_id,
      JSON.stringify(receipt.headers),
      receipt.body_bytes,
      receipt.body,
      JSON.stringify(receipt.verification),
    );
    this.#db.run(
      "DELETE FROM receipts WHERE receiver_seq = ? AND seq <= (SELECT seq FROM receipts WHERE receiver_seq = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)",
      seq,
      seq,
      KEPT_RECEIPTS,
    );
  }

  /** Newest first; `seq` is a receipt's position. @param before the position of the last one of the page before */
  receipts(seq: number, before: number | null, limit: number): (ReceiptRecord & { readonly seq: number })[] {
    return this.#db
      .all<StoredReceipt>(
        "SELECT seq, id, at, outcome, status, reason, repeat, message_id, event_type, integration_id, headers, body_bytes, body, verification " +
          "FROM receipts WHERE receiver_seq = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        seq,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .map((row) => ({
        ...row,
        at: this.#db.fromStored(row.at),
        repeat: Boolean(row.repeat),
        headers: JSON.parse(row.headers) as ReceiptRecord["headers"],
        verification: JSON.parse(row.verification) as ReceiptRecord["verification"],
      }));
  }
}
