import { expect, it } from "vitest";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { doneWords } from "./result-words.ts";

const words = (operation: string, outcome: string, procurement_id: string | null = null) =>
  doneWords({ operation, outcome, procurement_id, path: "/" } as RequestRow);

it.each([
  ["repairer.jobs.insert", "inserted", "Inserted job"],
  ["repairer.jobs.insert", "updated", "Updated job"],
  ["repairer.jobs.parts.insert", "1 part inserted", "Added 1 part to"],
  ["repairer.jobs.parts.insert", "2 updated", "Updated parts of"],
  ["repairer.procurements.place", "2 requested", "Placed 2 orders for"],
  ["supplier.procurements.confirm", "now order_confirmed", "Confirmed order"],
  ["repairer.invoices.reconcile", "read only", "Reconcile invoice"],
])("%s, %s: %s", (operation, outcome, said) => expect(words(operation, outcome)).toBe(said));

it("names one order, several by their job", () =>
  expect(words("repairer.procurements.place", "1 requested", "id")).toBe("Placed order"));
