import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessCodesIssue, clientsList, organizationsList, procurementsList } from "../contract/control/operations.ts";
import { clockAdvance, clockBetween, clockGet, MOST_MOMENTS } from "../contract/control/world-operations.ts";
import {
  integrationsInsert,
  supplierProcurementsConfirm,
  supplierProcurementsGet,
  uploadsPrepare,
} from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const MINUTE = 60_000;
const after = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** A world with nothing of its own ahead but what a test puts there. */
class ClockedWorld {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  async code(): Promise<{ access_code: string; expires_at: string }> {
    const { items } = await service.control(organizationsList, { world: this.name });
    const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
    const { client_id } = await this.client();
    return service.control(accessCodesIssue, { world: this.name, client_id, organization_id, scope: "repairer" });
  }

  async client(): Promise<{ client_id: string; client_secret: string }> {
    const { items } = await service.control(clientsList, { world: this.name, reveal: true });
    const found = items.find(({ oauth_enabled }) => oauth_enabled);
    return { client_id: found?.client_id ?? "", client_secret: found?.client_secret ?? "" };
  }

  async upload(file_name: string): Promise<string> {
    const body = { file_name, media_type: "image", type: "job_media" } as const;
    const { upload_url } = await service.ok(uploadsPrepare, body, repairer, { "x-sandbox-tenant": this.name });
    return upload_url;
  }

  between(from?: string, until?: string) {
    return service.control(clockBetween, {
      world: this.name,
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until }),
    });
  }
}

describe("what comes on a world's clock", () => {
  test("D22, D64: codes and upload addresses that expire are listed before the clock is moved, and after it", async () => {
    const world = new ClockedWorld("ahead");
    const { access_code, expires_at } = await world.code();
    const upload_url = await world.upload("front.png");
    const { now, next, ...before } = await world.between(undefined, after(expires_at, MINUTE));
    expect(before).toEqual({
      items: [
        { what: "code_expires", at: expires_at, id: null, label: expect.any(String), organization: expect.any(String) },
        {
          what: "upload_expires",
          at: next.upload_expires,
          id: upload_url.split("/").at(-1)?.split("?")[0],
          label: "front.png",
          organization: expect.any(String),
        },
      ],
      more: false,
    });
    expect(next.code_expires).toBe(expires_at);
    expect(JSON.stringify(before)).not.toContain(access_code);

    await service.control(clockAdvance, { world: world.name, seconds: 16 * 60 });
    const later = await world.between(now);
    expect(later.items.slice(0, 2)).toEqual(before.items);
    expect(later.next).toMatchObject({ code_expires: null, upload_expires: null });
    expect((await world.between()).items.map(({ what }) => what)).not.toContain("code_expires");
    const refused = await service.call(integrationsInsert, { access_code, ...(await world.client()) }, undefined, {
      "x-sandbox-tenant": world.name,
    });
    expect(refused.status).not.toBe(200);
  });

  test("what was used does not expire: a code that was exchanged, an address that was uploaded to", async () => {
    const world = new ClockedWorld("used");
    const { access_code } = await world.code();
    await service.ok(integrationsInsert, { access_code, ...(await world.client()) }, undefined, {
      "x-sandbox-tenant": world.name,
    });
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(100, 7)]);
    expect((await fetch(await world.upload("a.png"), { method: "PUT", body: png })).status).toBe(200);
    expect((await world.between()).next).toMatchObject({ code_expires: null, upload_expires: null });
  });

  test("D52: the delivery date of an order is ahead once it is confirmed, with the order's id", async () => {
    const world = new ClockedWorld("delivered");
    const orders = await service.control(procurementsList, {
      world: world.name,
      status: "order_requested",
      limit: 500,
    });
    const items = orders.items.filter(({ supplier }) => supplier.has_credential);
    const headers = { "x-sandbox-tenant": world.name };
    const asked = await Promise.all(
      items.map(async ({ id }) => ({
        id,
        status: (await service.call(supplierProcurementsGet, { identity: { id } }, supplier, headers)).status,
      })),
    );
    const id = asked.find(({ status }) => status === 200)?.id ?? "";
    const listed = async () => (await world.between()).items.filter((one) => one.id === id);
    expect(await listed()).toEqual([]);
    const order = await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, headers);
    expect(await listed()).toEqual([
      expect.objectContaining({ what: "delivery_due", at: order.deliver_before, label: order.reference }),
    ]);
    // The moment itself is not among what comes before it.
    expect((await world.between(undefined, order.deliver_before ?? "")).items.map((one) => one.id)).not.toContain(id);
  });

  test("at most so many are listed, that there are more is said, and looking moves nothing", async () => {
    const world = new ClockedWorld("many");
    await Promise.all(Array.from({ length: MOST_MOMENTS + 5 }, (_, number) => world.upload(`${number}.png`)));
    const { items, more } = await world.between();
    expect([items.length, more]).toEqual([MOST_MOMENTS, true]);
    expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).toSorted());
    expect(await service.control(clockGet, { world: world.name })).toMatchObject({ offset_seconds: 0 });
  });

  test("a moment that is none is refused", async () => {
    const token = { authorization: `Bearer ${service.ready.control_token}` };
    for (const until of ["tomorrow", "2026-13-01T00:00:00Z", ""])
      expect(await service.call(clockBetween, { until }, undefined, token)).toMatchObject({
        status: 400,
        body: { type: "bad_request", message: expect.stringContaining("/until") },
      });
  });
});
