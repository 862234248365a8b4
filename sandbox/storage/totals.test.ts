import { expect, it } from "vitest";
import { newFile } from "../testing/database-files.ts";
import { job, openWithSuppliers, randomNumbers } from "../testing/many-jobs.ts";
import { MAX_COUNTED } from "./lists.ts";
import { createTotals } from "./totals.ts";

it("jobs are counted exactly, other things up to their list's limit", () => {
  const { db, stores } = openWithSuppliers(newFile());
  const roll = randomNumbers(1);
  for (let number = 1; number <= MAX_COUNTED + 1; number += 1) stores.jobs.insert(job(number, roll));
  expect(createTotals(db).jobs).toMatchObject({ total: MAX_COUNTED + 1, total_is_minimum: false });
  db.run("UPDATE jobs SET state = 'estimated' WHERE seq <= ?", MAX_COUNTED);
  expect(createTotals(db).baskets).toEqual({ total: MAX_COUNTED, total_is_minimum: false });
  db.run("UPDATE jobs SET state = 'estimated'");
  expect(createTotals(db)).toMatchObject({
    baskets: { total: MAX_COUNTED, total_is_minimum: true },
    parts: { total: 0, total_is_minimum: false },
    procurements: { by_status: { cancelled: { total: 0, last_at: null } } },
  });
  db.close();
});
