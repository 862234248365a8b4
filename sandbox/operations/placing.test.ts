import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { OfferDraft } from "../rules/procurements/baskets.ts";
import type { PartRecord } from "../rules/records.ts";
import type { SiteRow } from "../storage/directory-store.ts";
import { openStores } from "../storage/stores.ts";
import { createSeededDatabase } from "../worlds/template.ts";
import { latestBasket } from "./latest-basket.ts";
import { groupBySupplier, orderItems, orderReference, shippingPrice } from "./placing.ts";

const offer = (
  sellable_id: string,
  supplier_business_id: string,
  job_part_ids: string[],
  more: Partial<OfferDraft> = {},
): OfferDraft => ({
  sellable_id,
  supplier_business_id,
  job_part_ids,
  condition: { type: "new", payload: {} },
  name: `offer ${sellable_id}`,
  quantity: 1,
  trade_price: "10.00",
  warehouse_id: "warehouse",
  ...more,
});
const part = (id: string, more: Partial<PartRecord> = {}): PartRecord => ({
  id,
  description: `part ${id}`,
  external_id: null,
  ghca_id: null,
  note: null,
  quantity: null,
  status: "estimated",
  ...more,
});
const counter = () => {
  const made: string[] = [];
  return () => `id-${made.push("")}`;
};

describe("placing an order", () => {
  it("groups offers by supplier, in the chosen order", () => {
    const groups = groupBySupplier([offer("1", "B", []), offer("2", "A", []), offer("3", "B", [])]);
    expect([...groups].map(([supplier, offers]) => [supplier, offers.map((one) => one.sellable_id)])).toEqual([
      ["B", ["1", "3"]],
      ["A", ["2"]],
    ]);
    expect(groupBySupplier([]).size).toBe(0);
  });

  it("requests each covered part once, in the job's order, with its quantity or one", () => {
    const parts = [part("p1", { quantity: 4 }), part("p2"), part("p3"), part("p4", { quantity: 0 })];
    const { source_items } = orderItems(
      [offer("1", "A", ["p4", "p2"]), offer("2", "A", ["p2", "p1"])],
      parts,
      counter(),
    );
    expect(source_items.map((item) => [item.job_part_id, item.quantity, item.description, item.part_identity])).toEqual(
      [
        ["p1", 4, "part p1", null],
        ["p2", 1, "part p2", null],
        ["p4", 0, "part p4", null],
      ],
    );
  });

  it("links each offer to its parts' source items and to its original offer", () => {
    const parts = [part("p1"), part("p2")];
    const { source_items, offered_items } = orderItems(
      [offer("s", "A", ["p2", "p1", "gone"], { condition: null, quantity: 3 })],
      parts,
      counter(),
    );
    const sourceOf = new Map(source_items.map((item) => [item.job_part_id, item.id]));
    expect(offered_items).toEqual([
      {
        id: expect.any(String),
        fulfills_source_ids: [sourceOf.get("p2"), sourceOf.get("p1")],
        description: "offer s",
        quantity: 3,
        condition: null,
        inventory: { sellable_id: "s", warehouse_id: "warehouse" },
        trade_price: "10.00",
        offer: { sellable_id: "s", warehouse_id: "warehouse", trade_price: "10.00" },
      },
    ]);
    const ids = [...source_items, ...offered_items].map((item) => item.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("builds the reference from the site's letters, the job number's digits and a counter", () => {
    expect(orderReference("TRC", "J-20418", "12345678-aaaa", 1)).toBe("TRC-20418-1");
    expect(orderReference("TRC", "2026/00012345678", "12345678-aaaa", 2)).toBe("TRC-0012345678-2");
    expect(orderReference("TRC", "kil-1", "12345678-aaaa", 1)).toBe("TRC-KIL1-1");
    expect(orderReference("TRC", "CR-4820", "12345678-aaaa", 1)).toBe("TRC-4820-1");
    expect(orderReference("TRC", "DRK-1", "12345678-aaaa", 1)).toBe("TRC-DRK1-1");
    expect(orderReference("TRC", "no digits", "12345678-90abcdef", 3)).toBe("TRC-90abcdef-3");
    expect(orderReference("TRC", null, "12345678-a0b1c2d3", 4)).toBe("TRC-a0b1c2d3-4");
  });

  it("D55: ships four items per box at a flat price, in the currency's digits", () => {
    expect([1, 4, 5, 8, 9].map((count) => shippingPrice(count, "NZD").value)).toEqual([
      "28.00",
      "28.00",
      "56.00",
      "56.00",
      "84.00",
    ]);
    expect(shippingPrice(1, "JPY")).toEqual({ type: "absolute", value: "2800" });
  });
});

it("offers are priced in the currency of the job's site, in dollars if that has none", () => {
  const db = createSeededDatabase(null);
  onTestFinished(() => db.close());
  const stores = openStores(db);
  const { id = "" } =
    db.get<{ id: string }>("SELECT job_id AS id FROM job_parts WHERE quantity IS NULL OR quantity > 0") ?? {};
  const job = stores.jobs.get(id);
  if (!job) throw new Error("the seed has no job with parts");
  const site = vi.spyOn(stores.directory, "site");
  const prices = (currency_code: string | null): string[] => {
    site.mockReturnValue({ currency_code } as SiteRow);
    const context = { stores, policies: stores.settings.get("policies"), note: () => undefined };
    return latestBasket(context, { ...job, claim_number: null }).offers.map(({ trade_price }) => trade_price);
  };
  const [yen, euros, none] = [prices("JPY"), prices("EUR"), prices(null)];
  expect(yen.length).toBeGreaterThan(0);
  expect(yen.every((price) => /^\d+$/.test(price))).toBe(true);
  expect(none).toEqual(prices("USD"));
  expect([euros.every((price) => /\.\d\d$/.test(price)), none.every((price) => /\.\d\d$/.test(price))]).toEqual([
    ...[true, true],
  ]);
});
