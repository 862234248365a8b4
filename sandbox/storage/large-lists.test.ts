import { afterAll, beforeAll, expect, test } from "vitest";
import { readPage } from "../testing/read-page.ts";
import { Database } from "./database.ts";
import { jobList } from "./jobs-store.ts";
import type { List, PageQuery } from "./lists.ts";
import { type RequestFilter, requestList, requestQuery } from "./requests-store.ts";
import { indexAll } from "./search.ts";

const ROWS = 200_000;
/** CPU time, so that other processes don't count. */
const MAX_MS = 50;

const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`;
const JOBS =
  `INSERT INTO jobs (id, organization_id, repairer_site_id, external_id, job_number, claim_number, has_vehicle, plate_number, images, created_at, updated_at) ${numbers} ` +
  "SELECT format('job-%08d', i), 'o', 's', format('estimate:%d', i), format('RO-%d', i), format('CLM %d', i * 7919 % 1000003), 1, " +
  "format('PLT%06d', i * 613 % 1000003), '[]', i, i * 7919 % 1000003 FROM n";
const CALLS =
  `INSERT INTO requests (id, at, method, path, operation, integration_id, side, status, error_code, duration_ms, request_headers, request_body, response_headers, response_body, outcome, events, job_id, label, body_masked) ${numbers} ` +
  "SELECT format('call-%08d', i), i, 'POST', '/api/2026-01/repairer.jobs.get', 'repairer.jobs.get', format('integration %d', i % 9), 'repairer', iif(i % 50 = 0, 422, 200), " +
  "iif(i % 50 = 0, 'unprocessable', NULL), 1, '[]', CAST(format('{\"text\":\"%.*c\"}', 700, 'a') AS BLOB), '[]', x'7b7d', iif(i = 77, 'the only one of its kind', 'read only'), 0, format('job-%08d', i), format('RO-%d', i), 0 FROM n";

let db: Database;
beforeAll(() => {
  db = new Database(":memory:", { durability: "off" });
  db.run(JOBS);
  db.run(CALLS);
  for (const { searchable } of [jobList, requestList]) indexAll(db, searchable);
}, 120_000);
afterAll(() => db.close());

/** Result of one page, and the longest CPU time before others were served. */
const blockedOnce = async (list: List, query: Partial<PageQuery>) => {
  let [longest, last, over] = [0, process.threadCpuUsage(), false];
  const check = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
    if (!over) setImmediate(check);
  };
  setImmediate(check);
  const order = { sort: Object.keys(list.orders)[0] ?? "", descending: true };
  const page = await readPage(db, list, { conditions: [], order, after: null, limit: 100, ...query });
  over = true;
  check();
  return { rows: page.seqs.length, longest };
};

/** Measures up to three times, because a garbage collection may disturb one of them. */
const blocked = async (list: List, query: Partial<PageQuery>) => {
  let found = await blockedOnce(list, query);
  for (let again = 0; again < 2 && found.longest >= MAX_MS; again += 1) found = await blockedOnce(list, query);
  return found;
};

test(`no page of ${ROWS} exchanges blocks for long, with any filter and search`, async () => {
  const asked: readonly (readonly [RequestFilter, number])[] = [
    [{}, 100],
    [{ changes: true }, 0],
    [{ refused: true }, 100],
    [{ status: 422, error_code: "unprocessable", integration_id: "integration 0" }, 100],
    [{ error_code: "nothing has this" }, 0],
    [{ origin: "explorer" }, 0],
    [{ user_agent: "nothing has this" }, 0],
    [{ integration_id: "integration 0", error_code: "nothing has this" }, 0],
    [{ search: "a a" }, 0],
    [{ search: "jobs.get" }, 100],
    [{ search: "only one of its" }, 1],
    [{ search: "nothing has this" }, 0],
    [{ search: "estimate:4711" }, 11],
  ];
  for (const [filter, rows] of asked) {
    const found = await blocked(requestList, requestQuery(db, filter));
    expect([filter, found.rows]).toEqual([filter, rows]);
    expect(found.longest, JSON.stringify(filter)).toBeLessThan(MAX_MS);
  }
}, 60_000);

test(`no page of ${ROWS} jobs blocks for long either`, async () => {
  const conditions = [{ sql: "r.state = ?", values: ["order_confirmed"] }];
  const asked: readonly (readonly [Partial<PageQuery>, number])[] = [
    [{}, 100],
    [{ conditions }, 0],
    [{ search: "ro-1999" }, 100],
    [{ search: "stimate:4711" }, 11],
    [{ search: "nothing has this" }, 0],
    [{ search: "zz" }, 0],
    [{ search: "99" }, 100],
    [{ search: "M 77", order: { sort: "job_number", descending: false } }, 100],
  ];
  for (const [query, rows] of asked) {
    const found = await blocked(jobList, query);
    expect([query, found.rows]).toEqual([query, rows]);
    expect(found.longest, JSON.stringify(query)).toBeLessThan(MAX_MS);
  }
}, 60_000);
