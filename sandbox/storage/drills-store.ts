import type { Drill, DrillExchange, DrillRow } from "../contract/control/receiver-operations.ts";
import type { DrillName } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import type { Database } from "./database.ts";

/** Latest result of each drill of a subscription. Results are deleted with their subscription. */
export class DrillsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Replaces the previous result of this drill. */
  insert(row: DrillRow, exchanges: readonly DrillExchange[]): void {
    this.#db.run("DELETE FROM drills WHERE subscription_id = ? AND drill = ?", row.subscription_id, row.drill);
    const { id, subscription_id, drill } = row;
    this.#db.insert("drills", {
      ...{ id, subscription_id, drill, at: this.#db.toStored(Date.parse(row.at)) },
      ...{ summary: JSON.stringify(row), exchanges: JSON.stringify(exchanges) },
    });
  }

  get(id: string): Drill | undefined {
    const found = this.#db.get<{ summary: string; exchanges: string }>(
      "SELECT summary, exchanges FROM drills WHERE id = ?",
      id,
    );
    if (!found) return undefined;
    const row = JSON.parse(found.summary) as DrillRow;
    return { ...row, expected: drills[row.drill].expects, exchanges: JSON.parse(found.exchanges) as DrillExchange[] };
  }

  latest(subscriptionId: string): ReadonlyMap<DrillName, DrillRow> {
    return new Map(
      this.#db
        .all<{ summary: string }>(
          "SELECT summary FROM drills WHERE subscription_id = ? ORDER BY drill, seq",
          subscriptionId,
        )
        .map(({ summary }) => JSON.parse(summary) as DrillRow)
        .map((row) => [row.drill, row]),
    );
  }
}
