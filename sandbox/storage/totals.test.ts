import { expect, it } from "vitest";
import { Database } from "./database.ts";
import { MAX_SCANNED } from "./lists.ts";
import { createTotals } from "./totals.ts";

const JOBS = MAX_SCANNED + 1;

it("jobs are counted exactly, other things up to 20,000", () => {
  const db = new Database(":memory:", { durability: "off" });
  const totals = () => createTotals(db);
  db.run(
    `INSERT INTO jobs (id, organization_id, repairer_site_id, has_vehicle, images, created_at, updated_at, state)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${JOBS})
      SELECT format('job-%d', i), 'o', 's', 0, '[]', i, i, iif(i = 1, 'no_parts', 'estimated') FROM n`,
  );
  expect(totals()).toMatchObject({
    jobs: { total: JOBS, total_is_minimum: false },
    baskets: { total: MAX_SCANNED, total_is_minimum: false },
    parts: { total: 0, total_is_minimum: false },
    procurements: { by_status: { cancelled: { total: 0, last_at: null } } },
  });
  db.run("UPDATE jobs SET state = 'estimated' WHERE seq = 1");
  expect(totals().baskets).toEqual({ total: MAX_SCANNED, total_is_minimum: true });
  db.close();
});
