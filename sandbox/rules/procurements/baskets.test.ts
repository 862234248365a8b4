import { hash } from "node:crypto";
import fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { Basket } from "../../contract/resources/basket.ts";
import type { OfferChoice } from "../../contract/test-values.ts";
import type { SupplierKind } from "../records.ts";
import { type BasketPart, buildBasket, makeBasket, type OfferDraft } from "./baskets.ts";
import { catalogue, ghcaIdFor } from "./catalogue.ts";
import { namedUuid } from "./dice.ts";
import { parseMinor } from "./money.ts";
import { roundPrice } from "./offers.ts";

const kinds: readonly SupplierKind[] = ["genuine", "dismantler", "aftermarket", "salvage", "mechanical", "consumables"];
const suppliers = kinds.map((kind) => ({
  business_id: namedUuid("business", kind),
  organization_id: namedUuid("organization", kind),
  name: `The ${kind} one`,
  kind,
}));
const businessOf = (kind: SupplierKind): string => namedUuid("business", kind);

const part = (description: string, quantity: number | null = 1, id = namedUuid("part", description)): BasketPart => ({
  id,
  description,
  quantity,
  ghca_id: ghcaIdFor(description),
});
const basket = (jobId: string, parts: readonly BasketPart[], currency = "NZD"): OfferDraft[] =>
  makeBasket({ jobId, currency, parts, suppliers });

const inKits = /liner|clip set|brake (disc|pad)|bumper cover|bumper fixing/i;
const description = fc.oneof(
  fc.constantFrom(...catalogue.map((entry) => entry.description)),
  fc.constantFrom("", "Pare-chocs avant", "part"),
  fc.string({ unit: "binary", maxLength: 40 }).filter((text) => text.isWellFormed() && !text.includes("\u0000")),
  fc.string({ minLength: 300, maxLength: 4096 }).map((text) => text.replaceAll("\u0000", " ")),
);
const parts = fc
  .array(fc.tuple(description, fc.option(fc.integer({ min: 0, max: 255 }))), { maxLength: 14 })
  .map((lines) => lines.map(([text, quantity], index) => part(text, quantity, namedUuid("part", String(index), text))));
const jobId = fc.uuid();
const byId = (offers: readonly OfferDraft[]): Map<string, OfferDraft> =>
  new Map(offers.map((offer) => [offer.sellable_id, offer]));

it.each([
  [87_312, "NZD", false, 87_310],
  [9_949, "NZD", true, 9_900],
  [10_249, "NZD", true, 10_000],
  [10_250, "NZD", true, 10_500],
  [98, "JPY", true, 98],
  [102, "JPY", true, 100],
  [1, "NZD", true, 100],
])("a price of %i in %s is rounded, never to zero", (minor, currency, used, rounded) => {
  expect(roundPrice(minor, currency, used)).toBe(rounded);
});

describe("a basket", () => {
  it("is the same for the same job and parts", () => {
    fc.assert(
      fc.property(jobId, parts, (job, list) => {
        expect(basket(job, list)).toEqual(basket(job, structuredClone(list)));
      }),
    );
  });

  it("has the contract's shape, positive prices with two decimals, and its parts' quantities", () => {
    fc.assert(
      fc.property(jobId, parts, fc.constantFrom("NZD", "AUD", "GBP"), (job, list, currency) => {
        const drafts = basket(job, list, currency);
        expect(Check(Basket, buildBasket(drafts, suppliers))).toBe(true);
        for (const draft of drafts) {
          expect(draft.trade_price).toMatch(/^\d+\.\d\d$/);
          expect(parseMinor(draft.trade_price, currency)).toBeGreaterThan(0);
          const asked = draft.job_part_ids.map((id) => list.find((one) => one.id === id)?.quantity ?? 1);
          expect(draft.quantity).toBe(asked.length === 1 ? asked[0] : 1);
          expect(asked).not.toContain(0);
        }
        expect(new Set(drafts.map((draft) => draft.sellable_id)).size).toBe(drafts.length);
      }),
    );
  });

  it("keeps every offer when a part is added, and adds only offers for the new part", () => {
    fc.assert(
      fc.property(jobId, parts, description, (job, list, text) => {
        const added = part(text, 1, namedUuid("added", text));
        const before = basket(job, list);
        const after = byId(basket(job, [...list, added]));
        for (const offer of before) {
          expect(after.get(offer.sellable_id)).toEqual(offer);
          after.delete(offer.sellable_id);
        }
        for (const offer of after.values()) expect(offer.job_part_ids).toContain(added.id);
      }),
    );
  });

  it("has the same offers for a part at any position among unrelated parts", () => {
    const unrelated = parts.map((list) => list.filter((one) => !inKits.test(one.description)));
    fc.assert(
      fc.property(jobId, unrelated, (job, list) => {
        expect(byId(basket(job, [...list].reverse()))).toEqual(byId(basket(job, list)));
      }),
    );
  });

  it("is sorted by part, then by supplier", () => {
    fc.assert(
      fc.property(jobId, parts, (job, list) => {
        const places = basket(job, list).map((offer) => {
          const first = Math.min(...offer.job_part_ids.map((id) => list.findIndex((one) => one.id === id)));
          return first * 100 + suppliers.findIndex((one) => one.business_id === offer.supplier_business_id);
        });
        expect(places).toEqual([...places].sort((one, other) => one - other));
      }),
    );
  });

  it("is empty for a job without parts, or with only quantity 0", () => {
    expect(basket("job", [])).toEqual([]);
    expect(buildBasket([], suppliers)).toEqual({ offers: [], suppliers: [] });
    expect(basket("job", [part("Bonnet", 0)])).toEqual([]);
  });

  it("counts a part without a quantity as one", () => {
    for (const offer of basket("job", [part("Bonnet", null)])) expect(offer.quantity).toBe(1);
  });

  it("lists only suppliers with offers, in the given order", () => {
    const drafts = basket("job", [part("Airbag module, driver")]);
    expect(buildBasket(drafts, suppliers).suppliers.map((one) => one.name)[0]).toBe("The genuine one");
    expect(buildBasket(drafts, suppliers).suppliers.length).toBeLessThan(suppliers.length);
    expect(buildBasket(drafts, suppliers).offers[0]).not.toHaveProperty("warehouse_id");
  });

  it("prices yen without decimals", () => {
    for (const offer of basket("job", [part("Bonnet")], "JPY")) expect(offer.trade_price).toMatch(/^[1-9]\d*$/);
  });
});

describe("the suppliers of a basket", () => {
  const jobs = Array.from({ length: 60 }, (_, index) => namedUuid("job", String(index)));
  const many = jobs.flatMap((job) =>
    basket(
      job,
      catalogue.map((entry) => part(entry.description)),
    ),
  );
  const offersBy = (kind: SupplierKind): OfferDraft[] => {
    const business = businessOf(kind);
    return many.filter((offer) => offer.supplier_business_id === business);
  };

  it("always include a new identified panel at the genuine dealer's full price", () => {
    for (const job of jobs) {
      const drafts = basket(job, [part("Front bumper cover")]);
      const genuine = drafts.find((offer) => offer.supplier_business_id === businessOf("genuine"));
      expect(genuine?.condition).toEqual({ type: "new", payload: {} });
      for (const offer of drafts)
        expect(parseMinor(offer.trade_price, "NZD")).toBeLessThanOrEqual(
          parseMinor(genuine?.trade_price ?? "0", "NZD"),
        );
    }
  });

  it("D43: makes the same offers as earlier versions, because recorded scenarios order them", () => {
    const lines = [...catalogue, { description: "Pare-chocs" }, { description: " " }].map(({ description }, index) =>
      part(description, 1 + (index % 3)),
    );
    const restrictedBaskets = [undefined, "one", "used"].map((only) =>
      makeBasket({ jobId: "job", currency: "AUD", parts: lines, suppliers, only: only as OfferChoice | undefined }),
    );
    expect(hash("sha256", JSON.stringify([many, restrictedBaskets]))).toBe(
      "101dc1f995cdc99268227f29c2f31fa7df8a31aff86b2eb283a73207c384db44",
    );
  });

  it("sell used panels by grade, machines by use and wear parts by thickness", () => {
    const grades = new Map<string, number>();
    for (const offer of offersBy("dismantler")) {
      if (offer.condition === null) continue;
      expect(offer.condition.type).toBe("used");
      if (offer.condition.type !== "used") continue;
      const { type, payload } = offer.condition.payload;
      grades.set(type === "panel" ? payload : type, (grades.get(type === "panel" ? payload : type) ?? 0) + 1);
      if (type === "remaining_thickness") expect(String(payload)).toMatch(/^\d+(\.\d)?$/);
    }
    for (const kind of [
      "grade0",
      "grade_a",
      "grade_b",
      "grade_c",
      "distance_traveled",
      "operation_hours",
      "remaining_thickness",
    ]) {
      expect(grades.get(kind), kind).toBeGreaterThan(10);
    }
    expect(offersBy("dismantler").some((offer) => /airbag|seat belt/i.test(offer.name))).toBe(false);
  });

  it("ask less for a worse grade of the same part", () => {
    const asked = (grade: string): number => {
      const prices = many.flatMap((offer) =>
        offer.name.startsWith("Bonnet, dis") && JSON.stringify(offer.condition).includes(grade)
          ? [parseMinor(offer.trade_price, "NZD")]
          : [],
      );
      return prices.reduce((total, one) => total + one, 0) / prices.length;
    };
    expect(asked("grade0")).toBeGreaterThan(asked("grade_a"));
    expect(asked("grade_a")).toBeGreaterThan(asked("grade_b"));
    expect(asked("grade_b")).toBeGreaterThan(asked("grade_c"));
  });

  it("sometimes leave the condition open or sell two parts as one", () => {
    expect(many.some((offer) => offer.condition === null)).toBe(true);
    expect(many.every((offer) => offer.condition !== null)).toBe(false);
    expect(many.filter((offer) => offer.job_part_ids.length === 2).length).toBeGreaterThan(20);
  });

  it("don't cover every part, except the dealer, on which scripts can rely", () => {
    const coveredBy = (kind: SupplierKind) => offersBy(kind).flatMap((offer) => offer.job_part_ids).length;
    expect(coveredBy("genuine")).toBe(jobs.length * catalogue.length);
    for (const kind of kinds.filter((one) => one !== "genuine")) {
      const covered = coveredBy(kind);
      expect(covered, kind).toBeGreaterThan(500);
      expect(covered, kind).toBeLessThan(jobs.length * catalogue.length);
    }
  });
});

describe("a kit", () => {
  const liner = part("Guard liner, front right");
  const clips = part(" Retaining clip set ", 12);
  const jobs = Array.from({ length: 40 }, (_, index) => namedUuid("job", String(index)));

  it("covers both parts of a supplier that sells neither alone, below their total price", () => {
    const kits = jobs.flatMap((job) => basket(job, [liner, clips]).filter((offer) => offer.job_part_ids.length === 2));
    expect(kits.length).toBeGreaterThan(10);
    for (const kit of kits) {
      expect(kit.job_part_ids).toEqual([liner.id, clips.id]);
      expect(kit.name).toBe("Guard liner, front right, with retaining clip set");
    }
    for (const job of jobs) {
      const drafts = basket(job, [clips, liner]);
      for (const kit of drafts.filter((offer) => offer.job_part_ids.length === 2)) {
        expect(kit.job_part_ids).toEqual([liner.id, clips.id]);
        expect(drafts.filter((offer) => offer.supplier_business_id === kit.supplier_business_id)).toEqual([kit]);
      }
    }
  });

  it("contains each part once", () => {
    const second = part("Guard liner, front left");
    for (const job of jobs) {
      const covered = basket(job, [liner, clips, second])
        .filter((offer) => offer.job_part_ids.length === 2)
        .map((offer) => offer.supplier_business_id);
      expect(new Set(covered).size).toBe(covered.length);
    }
  });
});

describe("IDs derived from names", () => {
  it("are version 5 UUIDs, different for each list of names", () => {
    expect(namedUuid("a", "b")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(namedUuid("a", "b")).toBe(namedUuid("a", "b"));
    expect(namedUuid("ab")).not.toBe(namedUuid("a", "b"));
  });
});
