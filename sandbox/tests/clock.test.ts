import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessCodesIssue, clientsList, organizationsList, procurementsList } from "../contract/control/operations.ts";
import { clockAdvance, clockGet, clockUpcoming, MAX_MOMENTS } from "../contract/control/world-operations.ts";
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

/** A world without deadlines except those a test adds. */
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

  async upcoming() {
    return (await service.control(clockUpcoming, { world: this.name })).items;
  }
}

describe("the next deadlines of a world's clock", () => {
  test("D22, D64: include expiring codes and upload addresses until the clock has passed them", async () => {
    const world = new ClockedWorld("ahead");
    const { access_code, expires_at } = await world.code();
    const upload_url = await world.upload("front.png");
    const upcoming = await world.upcoming();
    const label = expect.any(String);
    expect(upcoming.slice(0, 2)).toEqual([
      { what: "code_expires", at: expires_at, id: null, label, organization: label },
      {
        what: "upload_expires",
        at: expect.any(String),
        id: upload_url.split("/").at(-1)?.split("?")[0],
        label: "front.png",
        organization: label,
      },
    ]);
    expect(JSON.stringify(upcoming)).not.toContain(access_code);

    await service.control(clockAdvance, { world: world.name, seconds: 16 * 60 });
    expect((await world.upcoming()).map(({ what }) => what)).not.toContain("code_expires");
    const refused = await service.call(integrationsInsert, { access_code, ...(await world.client()) }, undefined, {
      "x-sandbox-tenant": world.name,
    });
    expect(refused.status).not.toBe(200);
  });

  test("exclude used codes and used upload addresses", async () => {
    const world = new ClockedWorld("used");
    const { access_code } = await world.code();
    await service.ok(integrationsInsert, { access_code, ...(await world.client()) }, undefined, {
      "x-sandbox-tenant": world.name,
    });
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(100, 7)]);
    expect((await fetch(await world.upload("a.png"), { method: "PUT", body: png })).status).toBe(200);
    expect((await world.upcoming()).map(({ what }) => what)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/_expires$/)]),
    );
  });

  test("D52: include the delivery date of a confirmed order, with its ID", async () => {
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
    const listed = async () => (await world.upcoming()).filter((one) => one.id === id);
    expect(await listed()).toEqual([]);
    const order = await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, headers);
    expect(await listed()).toEqual([
      expect.objectContaining({ what: "delivery_due", at: order.deliver_before, label: order.reference }),
    ]);
  });

  test("are limited, earliest first, and reading them moves nothing", async () => {
    const world = new ClockedWorld("many");
    await Promise.all(Array.from({ length: MAX_MOMENTS + 5 }, (_, number) => world.upload(`${number}.png`)));
    const items = await world.upcoming();
    expect(items.length).toBe(MAX_MOMENTS);
    expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).toSorted());
    expect(await service.control(clockGet, { world: world.name })).toMatchObject({ offset_seconds: 0 });
  });
});
