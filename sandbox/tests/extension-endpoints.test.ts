import { afterAll, beforeAll, expect, test } from "vitest";
import { errorCodes } from "../contract/errors.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import * as shapes from "../testing/contract-shapes.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  supplier,
  type TestCredential,
  type TestService,
} from "../testing/harness.ts";
import { placeOrder } from "../testing/order.ts";
import { arrayOf, exactly, expectShape, type Shape, text, unsigned, uuid } from "../testing/shape.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

let service: TestService;
let requested = "";
let confirmed = "";
let basket: { offers: { sellable_id: string }[] };
beforeAll(async () => {
  service = await startTestService();
  requested = (await placeOrder(service, "requested")).id;
  confirmed = (await placeOrder(service, "confirmed")).id;
  await post("/api/2026-01/supplier.procurements.confirm", { identity: { id: confirmed } }, supplier);
  const answer = await post("/api/2026-01/repairer.jobs.baskets.latest.get", job("requested"), repairer);
  basket = answer.body as typeof basket;
});
afterAll(() => service.end());

const post = (address: string, body: unknown, credential?: TestCredential): Promise<ServiceResponse> =>
  service.post(address, body, credential ? credentialHeaders(credential) : {});
const call = (id: string, body: unknown, credential?: TestCredential) =>
  post(`/__extensions/2026-01/${id}`, body, credential);
const job = (external: string) => ({ job_identity: { external } });
const order = (id: string) => ({ identity: { id } });

const line = unsigned(16);
const difference = exactly({ line, offered_item_id: uuid, ordered: () => [], invoiced: () => [] });
const reconciliation = exactly({
  matched: arrayOf(exactly({ line, offered_item_id: uuid })),
  price_differences: arrayOf(difference),
  quantity_differences: arrayOf(difference),
  missing: arrayOf(exactly({ offered_item_id: uuid, description: text, quantity: unsigned(16) })),
  unexpected: arrayOf(exactly({ line })),
  ordered_total: text,
  invoiced_total: text,
});

interface Extension {
  readonly body: () => unknown;
  readonly success: Shape;
  readonly notFound: () => unknown;
  readonly unprocessable: () => unknown;
  readonly eitherScope?: true;
}

/** Ordered so that each operation finds its prerequisites. */
const extensions: Readonly<Record<string, Extension>> = {
  "repairer.procurements.place": {
    body: () => ({ ...job("requested"), sellable_ids: [basket.offers[0]?.sellable_id] }),
    success: shapes.items(shapes.buyerProcurement),
    notFound: () => ({ ...job("nothing"), sellable_ids: [UNKNOWN] }),
    unprocessable: () => ({ ...job("requested"), sellable_ids: [UNKNOWN] }),
  },
  "procurements.cancel": {
    body: () => order(requested),
    success: shapes.buyerProcurement,
    notFound: () => order(UNKNOWN),
    unprocessable: () => order(confirmed),
    eitherScope: true,
  },
  "repairer.invoices.reconcile": {
    body: () => ({ ...order(confirmed), lines: [{ description: "Tea", quantity: 1, unit_price: "1.00" }] }),
    success: reconciliation,
    notFound: () => ({ ...order(UNKNOWN), lines: [] }),
    unprocessable: () => ({ ...order(requested), lines: [] }),
  },
  "repairer.jobs.delete": {
    body: () => ({ identity: { external: "to delete" } }),
    success: exactly({ id: uuid }),
    notFound: () => ({ identity: { external: "nothing" } }),
    unprocessable: () => ({ identity: { external: "confirmed" } }),
  },
};

const expectRefusal = (
  answer: ServiceResponse,
  code: "unauthorized" | "forbidden" | "not_found" | "unprocessable",
): void => {
  expect(answer.status).toBe(errorCodes[code].status);
  const message = code === "unprocessable" ? { message: expect.any(String) } : {};
  expect(answer.body).toEqual({ type: code, ...message });
};

test("the four extensions use the contract's credentials, conventions and error form", async () => {
  const declared = partnerOperations.filter((operation) => operation.surface === "extension").map(({ id }) => id);
  expect(new Set<string>(declared)).toEqual(new Set(Object.keys(extensions)));
  for (const [id, one] of Object.entries(extensions)) {
    expectRefusal(await call(id, one.body()), "unauthorized");
    if (!one.eitherScope) expectRefusal(await call(id, one.body(), supplier), "forbidden");
    expectRefusal(await call(id, one.notFound(), repairer), "not_found");
    expectRefusal(await call(id, one.unprocessable(), repairer), "unprocessable");
    for (const bad of [{}, [], "{"]) expect([400, 422]).toContain((await call(id, bad, repairer)).status);
  }
});

test("each extension succeeds with exactly its success body", async () => {
  const site = { repairer_site_id: "27dd09b9-f7a0-507e-99fd-e42e88e60a99" };
  await post("/api/2026-01/repairer.jobs.insert", { identity: { external: "to delete" }, ...site }, repairer);
  for (const [id, one] of Object.entries(extensions)) {
    const answer = await call(id, one.body(), repairer);
    expect([id, answer.status]).toEqual([id, 200]);
    expectShape(answer.body, one.success);
  }
});
