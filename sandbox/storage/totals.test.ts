import { expect, it } from "vitest";
import { newFile } from "../testing/database-files.ts";
import { dice, job, openWithSuppliers } from "../testing/many-jobs.ts";
import { MOST_COUNTED } from "./lists.ts";
import { totalsOf } from "./totals.ts";

it("what there is much of is counted as far as a list is", () => {
  const { db, stores } = openWithSuppliers(newFile());
  const roll = dice(1);
  for (let number = 1; number <= MOST_COUNTED; number += 1) stores.jobs.insert(job(number, roll));
  expect(totalsOf(db).jobs).toMatchObject({ total: MOST_COUNTED, total_is_minimum: false });
  stores.jobs.insert(job(MOST_COUNTED + 1, roll));
  expect(totalsOf(db).jobs).toMatchObject({ total: MOST_COUNTED, total_is_minimum: true });
  expect(totalsOf(db)).toMatchObject({
    parts: { total: 0, total_is_minimum: false },
    procurements: { by_status: { cancelled: { total: 0, last_at: null } } },
  });
  db.close();
});
