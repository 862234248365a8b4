import type { Receipt, Receiver, ReceiverBehaviour } from "../contract/control/receiver-operations.ts";
import { iso } from "../rules/timestamp.ts";
import type { Database } from "./database.ts";

/** Receipts kept for each receiver. Repeats are recognized only among these. */
export const MAX_RECEIPTS = 500;

export type ReceiverRow = Receiver & { readonly seq: number };

type Flags<Row, Flag extends keyof Row> = Omit<Row, Flag> & Readonly<Record<Flag, number>>;
type StoredReceiver = Flags<ReceiverBehaviour, "verify" | "deduplicate"> &
  Omit<ReceiverRow, "behaviour" | "created_at"> & { readonly created_at: number };
type StoredReceipt = Flags<Omit<Receipt, "at" | "headers" | "verification" | "body_base64">, "repeat"> & {
  readonly seq: number;
  readonly receiver_seq: number;
  readonly at: number;
  readonly headers: string;
  readonly verification: string;
  readonly body: Buffer;
};

const SELECT =
  "SELECT r.seq, r.id, r.integration_id, r.url, r.created_at, r.answer, r.status, r.first, r.verify, r.deduplicate, r.counted, " +
  "s.id AS subscription_id, (SELECT count(*) FROM receipts t WHERE t.receiver_seq = r.seq) AS received " +
  "FROM receivers r LEFT JOIN subscriptions s ON s.integration_id = r.integration_id AND s.url = r.url AND s.ended_at IS NULL";

export class ReceiversStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  readonly #row = ({ answer, status, first, verify, deduplicate, ...row }: StoredReceiver): ReceiverRow => ({
    ...row,
    created_at: iso(this.#db.fromStored(row.created_at)),
    behaviour: { answer, status, first, verify: Boolean(verify), deduplicate: Boolean(deduplicate) },
  });

  /** @param created_at milliseconds since 1970 */
  insert(row: Pick<Receiver, "id" | "integration_id" | "url" | "behaviour">, created_at: number): void {
    const { behaviour, ...known } = row;
    this.#db.insert("receivers", { ...known, ...behaviour, created_at: this.#db.toStored(created_at), counted: 0 });
  }

  /** Oldest first. */
  list(): ReceiverRow[] {
    return this.#db.all<StoredReceiver>(`${SELECT} ORDER BY r.seq`).map(this.#row);
  }

  get(id: string): ReceiverRow | undefined {
    const found = this.#db.get<StoredReceiver>(`${SELECT} WHERE r.id = ?`, id);
    return found && this.#row(found);
  }

  /** Changes the behaviour. The next arrival counts as the first one. */
  set(seq: number, behaviour: ReceiverBehaviour): void {
    this.#db.update("receivers", seq, { ...behaviour, counted: 0 });
  }

  move(seq: number, url: string): void {
    this.#db.update("receivers", seq, { url });
  }

  delete(seq: number): void {
    this.#db.run("DELETE FROM receipts WHERE receiver_seq = ?", seq);
    this.#db.run("DELETE FROM receivers WHERE seq = ?", seq);
  }

  /** Checks whether a message was acknowledged, as far as receipts are kept. */
  hasAcknowledged(seq: number, messageId: string): boolean {
    const sql =
      "SELECT 1 FROM receipts WHERE receiver_seq = ? AND message_id = ? AND outcome IN ('accepted', 'repeated') LIMIT 1";
    return this.#db.get(sql, seq, messageId) !== undefined;
  }

  /** Stores a receipt, counts the arrival, and deletes receipts beyond the limit. */
  receive(seq: number, { body_base64, ...receipt }: Receipt): void {
    this.#db.run("UPDATE receivers SET counted = counted + 1 WHERE seq = ?", seq);
    this.#db.insert("receipts", {
      ...receipt,
      receiver_seq: seq,
      at: this.#db.toStored(Date.parse(receipt.at)),
      headers: JSON.stringify(receipt.headers),
      verification: JSON.stringify(receipt.verification),
      body: Buffer.from(body_base64, "base64"),
    });
    this.#db.run(
      "DELETE FROM receipts WHERE receiver_seq = ? AND seq <= (SELECT seq FROM receipts WHERE receiver_seq = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)",
      seq,
      seq,
      MAX_RECEIPTS,
    );
  }

  /** Newest first. @param before `seq` of the previous page's last receipt */
  receipts(seq: number, before: number, limit: number): (Receipt & { readonly seq: number })[] {
    return this.#db
      .all<StoredReceipt>(
        "SELECT * FROM receipts WHERE receiver_seq = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        seq,
        before,
        limit,
      )
      .map(({ body, receiver_seq: _of, ...row }) => ({
        ...row,
        at: iso(this.#db.fromStored(row.at)),
        repeat: Boolean(row.repeat),
        headers: JSON.parse(row.headers) as Receipt["headers"],
        verification: JSON.parse(row.verification) as Receipt["verification"],
        body_base64: body.toString("base64"),
      }));
  }
}
