import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  deliveriesList,
  eventsList,
  jobsList,
  procurementsList,
  requestsList,
  tier1List,
  uploadsList,
} from "../contract/control/operations.ts";
import { receiversCreate, receiversReceived } from "../contract/control/receiver-operations.ts";
import type { JobRow, ProcurementRow } from "../contract/control/rows.ts";
import { clockAdvance } from "../contract/control/world-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { operationPath } from "../contract/operation.ts";
import {
  jobsInsert,
  partsInsert,
  procurementsCancel,
  repairerProcurementsGet,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { jobStates } from "../contract/values.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { placeOrder } from "../testing/order.ts";

let service: TestService;
let jobs: readonly JobRow[] = [];
let orders: readonly ProcurementRow[] = [];
beforeAll(async () => {
  service = await startTestService();
  jobs = (await service.control(jobsList, { limit: 500 })).items;
  orders = (await service.control(procurementsList, { limit: 500 })).items;
});
afterAll(() => service.end());

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);
const stateOf = ({ parts, procurements }: JobRow): (typeof jobStates)[number] => {
  if (procurements.order_requested > 0) return "order_requested";
  if (procurements.order_confirmed > 0) return "order_confirmed";
  return parts > 0 ? "estimated" : "no_parts";
};
const refused = async (body: object): Promise<unknown> => {
  const authorization = `Bearer ${service.ready.control_token}`;
  return service.post("/__sandbox/jobs.list", body, { authorization });
};

describe("jobs.list", () => {
  test("filters by state, of which each job has exactly one", async () => {
    const found: string[] = [];
    for (const state of jobStates) {
      const page = await service.control(jobsList, { state, limit: 500 });
      expect([state, page.total, idsOf(page.items)]).toEqual([
        state,
        page.items.length,
        idsOf(jobs.filter((job) => stateOf(job) === state)),
      ]);
      found.push(...idsOf(page.items));
    }
    expect(found.toSorted()).toEqual(idsOf(jobs).toSorted());
  });

  test("filters by repairer, site and insurer, alone and combined", async () => {
    const some = jobs.find((job) => job.work_provider !== null);
    const [site_id, work_provider_id] = [some?.site.id ?? "", some?.work_provider?.id ?? ""];
    const of = {
      site: (job: JobRow) => job.site.id === site_id,
      provider: (job: JobRow) => job.work_provider?.id === work_provider_id,
    };
    const ask = async (body: object) => idsOf((await service.control(jobsList, { ...body, limit: 500 })).items);
    expect(await ask({ site_id: site_id.toUpperCase() })).toEqual(idsOf(jobs.filter(of.site)));
    expect(await ask({ work_provider_id })).toEqual(idsOf(jobs.filter(of.provider)));
    const { organization_id = "" } = some ?? {};
    const own = jobs.filter((job) => job.organization_id === organization_id);
    expect(own.length).toBeLessThan(jobs.length);
    expect(await ask({ organization_id: organization_id.toUpperCase() })).toEqual(idsOf(own));
    expect(some?.site.currency_code).toMatch(/^[A-Z]{3}$/);
    expect(await ask({ site_id, work_provider_id })).toEqual(
      idsOf(jobs.filter((job) => of.site(job) && of.provider(job))),
    );
  });

  test("sorts by change, creation and number, in both directions, by page", async () => {
    const keys = {
      updated: (job: JobRow) => job.updated_at,
      created: (job: JobRow) => job.created_at,
      job_number: (job: JobRow) => job.job_number ?? "",
    };
    for (const sort of ["updated", "created", "job_number"] as const) {
      for (const direction of ["asc", "desc"] as const) {
        const rows: JobRow[] = [];
        let cursor: string | undefined;
        do {
          const page = await service.control(jobsList, { sort, direction, limit: 7, ...(cursor ? { cursor } : {}) });
          rows.push(...page.items);
          cursor = page.next_cursor ?? undefined;
        } while (cursor);
        const sorted = rows.map(keys[sort]).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect([sort, direction, rows.map(keys[sort])]).toEqual([
          sort,
          direction,
          direction === "asc" ? sorted : sorted.toReversed(),
        ]);
        expect(idsOf(rows).toSorted()).toEqual(idsOf(jobs).toSorted());
      }
    }
  });

  test("continues after the previous page, whatever is inserted", async () => {
    const world = "meanwhile";
    const seeded = (await service.control(jobsList, { world, limit: 500 })).items;
    const first = await service.control(jobsList, { world, limit: 10 });
    const job = { identity: { external: "meanwhile" }, repairer_site_id: ownSite() };
    await service.ok(jobsInsert, job, repairer, { "x-sandbox-tenant": world });
    const second = await service.control(jobsList, { world, limit: 10, cursor: first.next_cursor ?? "" });
    expect(idsOf([...first.items, ...second.items])).toEqual(idsOf(seeded.slice(0, 20)));
    expect([first.total, second.total]).toEqual([seeded.length, seeded.length + 1]);
  });

  test("filters jobs inserted between two times of the world’s clock, including the first", async () => {
    const world = "inserted";
    const at = async (external: string) => {
      const job = { identity: { external }, repairer_site_id: ownSite() };
      await service.ok(jobsInsert, job, repairer, { "x-sandbox-tenant": world });
      const { items } = await service.control(jobsList, { world, search: external });
      return items[0]?.created_at ?? "";
    };
    const first = await at("first-of-three");
    await service.control(clockAdvance, { world, seconds: 3_600 });
    const second = await at("second-of-three");
    await service.control(clockAdvance, { world, seconds: 3_600 });
    const third = await at("third-of-three");
    const between = async (range: { readonly from?: string; readonly to?: string }) => {
      const page = await service.control(jobsList, { world, sort: "created", direction: "asc", ...range });
      expect(page.total_is_minimum).toBe(false);
      return page.items.flatMap(({ external_id }) => (external_id?.endsWith("-of-three") ? [external_id] : []));
    };
    expect(await between({ from: first, to: third })).toEqual(["first-of-three", "second-of-three"]);
    expect(await between({ from: second })).toEqual(["second-of-three", "third-of-three"]);
    expect(await between({ to: second })).toEqual(["first-of-three"]);
    expect(await between({ from: third, to: first })).toEqual([]);
    const answer = (await refused({ world, from: "yesterday" })) as { status: number };
    expect(answer.status).toBe(400);
  });

  test("counts all jobs and filtered jobs beyond the page", async () => {
    const world = "many";
    const as = { "x-sandbox-tenant": world };
    const seeded = (await service.control(jobsList, { world })).total;
    const numbers = Array.from({ length: 620 }, (_, index) => `many-${index}`);
    await Promise.all(
      numbers.map((external) =>
        service.ok(jobsInsert, { identity: { external }, repairer_site_id: ownSite() }, repairer, as),
      ),
    );
    const all = await service.control(jobsList, { world, limit: 10 });
    expect([all.total, all.total_is_minimum]).toEqual([seeded + 620, false]);
    const bare = await service.control(jobsList, { world, limit: 10, state: "no_parts" });
    expect(bare.total).toBeGreaterThanOrEqual(620);
    expect(bare.total_is_minimum).toBe(false);
    const next = await service.control(jobsList, { world, limit: 10, cursor: all.next_cursor ?? "" });
    expect(next.total).toBe(seeded + 620);
  });

  test("searches a job's identifiers anywhere in either case, with an exact total", async () => {
    const [job] = jobs.filter((one) => one.job_number && one.plate_number && one.claim_number);
    for (const text of [
      job?.job_number,
      job?.plate_number,
      job?.claim_number,
      job?.chassis_number,
      job?.id,
      job?.id.slice(0, 12),
    ]) {
      for (const search of [text ?? "", (text ?? "").toLowerCase(), `  ${(text ?? "").slice(0, -1).toUpperCase()} `]) {
        const page = await service.control(jobsList, { search, limit: 500 });
        expect([search, idsOf(page.items), page.total_is_minimum]).toEqual([
          search,
          expect.arrayContaining([job?.id]),
          false,
        ]);
        expect(page.total).toBe(page.items.length);
      }
    }
    expect((await service.control(jobsList, { search: "%" })).total).toBe(0);
    expect((await service.control(jobsList, { search: "no job has this" })).items).toEqual([]);
  });

  test("reflects a job's new state immediately", async () => {
    const [world, as] = ["moves", { "x-sandbox-tenant": "moves" }];
    const identity = { external: "moves" };
    await service.ok(jobsInsert, { identity, repairer_site_id: ownSite() }, repairer, as);
    const states = async () => {
      const found = jobStates.map((state) => service.control(jobsList, { world, state, search: "moves" }));
      return (await Promise.all(found)).map(({ total }) => total);
    };
    expect(await states()).toEqual([1, 0, 0, 0]);
    await service.ok(partsInsert, { job_identity: identity, parts: [{ description: "Head lamp" }] }, repairer, as);
    expect(await states()).toEqual([0, 1, 0, 0]);
  });

  test("counts placing, confirming and cancelling an order as a change of its job", async () => {
    const [world, as] = ["changed", { "x-sandbox-tenant": "changed" }];
    const rowOf = async (id: string) => (await service.control(jobsList, { world, ids: [id] })).items[0]?.updated_at;
    const confirmed = await placeOrder(service, "confirmed", as);
    const cancelled = await placeOrder(service, "cancelled", as);
    for (const [{ id, job_id }, operation, key] of [
      [confirmed, supplierProcurementsConfirm, supplier],
      [cancelled, procurementsCancel, repairer],
    ] as const) {
      const placed = await service.ok(repairerProcurementsGet, { identity: { id } }, repairer, as);
      expect(await rowOf(job_id)).toBe(placed.updated_at);
      const moved = await service.ok(operation, { identity: { id } }, key, as);
      expect(moved.updated_at > placed.updated_at).toBe(true);
      expect(await rowOf(job_id)).toBe(moved.updated_at);
    }
  });

  test("like every list refuses a cursor that ended no page, and names it", async () => {
    const { integration_id } = fixedCredentials.repairer;
    const { id } = await service.control(receiversCreate, { integration_id });
    const authorization = `Bearer ${service.ready.control_token}`;
    const ofWorld = [jobsList, procurementsList, eventsList, requestsList, deliveriesList, tier1List, uploadsList];
    for (const [list, body] of [...ofWorld.map((list) => [list, {}] as const), [receiversReceived, { id }] as const]) {
      const ends = [
        ["another.list", "seq desc", 1, 1],
        [list.id, "other desc", 1, 1],
        [list.id, "seq asc", 1, 1],
        [list.id, "seq desc", "1", null],
      ];
      for (const end of ends) {
        const cursor = Buffer.from(JSON.stringify(end)).toString("base64url");
        const { status, body: answer } = await service.post(
          operationPath(list),
          { ...body, cursor },
          { authorization },
        );
        expect([end, status, answer]).toEqual([
          end,
          400,
          { type: "bad_request", message: expect.stringContaining("/cursor") },
        ]);
      }
    }
  });

  test("refuses a foreign or forged cursor, and unknown filters and sort orders", async () => {
    const { next_cursor } = await service.control(jobsList, { limit: 1, sort: "created" });
    const foreign = (await service.control(procurementsList, { limit: 1 })).next_cursor;
    const written = (end: string): string => Buffer.from(end).toString("base64url");
    const forged = [["jobs.list", "updated desc", {}, 1], ["jobs.list", "updated desc", 1, "1"], [], {}, null, "x"].map(
      (end) => written(JSON.stringify(end)),
    );
    for (const cursor of [next_cursor, foreign, "garbage", "", ...forged])
      expect(await refused({ cursor })).toMatchObject({
        status: 400,
        body: { type: "bad_request", message: expect.stringContaining("/cursor") },
      });
    for (const body of [{ state: "cancelled" }, { sort: "plate" }, { direction: "up" }, { work_provider_id: "x" }])
      expect(await refused(body)).toMatchObject({ status: 400, body: { type: "bad_request" } });
  });
});

/** A site of the repairer credential. */
const ownSite = (): string => jobs.find((job) => job.external_id?.startsWith("estimate:"))?.site.id ?? "";

describe("procurements.list", () => {
  const ask = async (body: object) => service.control(procurementsList, { ...body, limit: 500 });

  test("filters by status, site, supplier and job, alone and combined, newest first", async () => {
    const [order] = orders;
    const filters = {
      status: order?.status,
      site_id: order?.buyer.business_id,
      supplier_business_id: order?.supplier.business_id,
      job_id: order?.job_id,
    };
    const meets: Record<keyof typeof filters, (row: ProcurementRow) => boolean> = {
      status: (row) => row.status === filters.status,
      site_id: (row) => row.buyer.business_id === filters.site_id,
      supplier_business_id: (row) => row.supplier.business_id === filters.supplier_business_id,
      job_id: (row) => row.job_id === filters.job_id,
    };
    for (const [name, value] of Object.entries(filters)) {
      const page = await ask({ [name]: value });
      const expected = orders.filter(meets[name as keyof typeof filters]);
      expect([name, page.total, idsOf(page.items)]).toEqual([name, expected.length, idsOf(expected)]);
    }
    const all = await ask(filters);
    expect(idsOf(all.items)).toEqual(idsOf(orders.filter((row) => Object.values(meets).every((one) => one(row)))));
    expect(orders.map((row) => row.created_at)).toEqual(
      orders
        .map((row) => row.created_at)
        .toSorted()
        .toReversed(),
    );
  });

  test("searches reference, plate, job number, supplier and id", async () => {
    const order = orders.find((row) => row.reference && row.plate_number && row.job_number);
    const texts = [order?.reference, order?.plate_number, order?.job_number, order?.supplier.name, order?.id];
    for (const search of texts) {
      const page = await ask({ search: search?.toUpperCase() ?? "" });
      expect([search, idsOf(page.items), page.total_is_minimum]).toEqual([
        search,
        expect.arrayContaining([order?.id]),
        false,
      ]);
    }
    const both = await ask({ search: order?.job_number ?? "", job_id: order?.job_id ?? "" });
    expect(idsOf(both.items)).toEqual(idsOf(orders.filter((row) => row.job_id === order?.job_id)));
  });
});
