import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catalogue, catalogueEntryFor, ghcaIdFor, partCategories } from "./catalogue.ts";

describe("the catalogue", () => {
  it("describes every part once, with a unique ID", () => {
    const names = catalogue.map((entry) => entry.description.toLowerCase());
    const ids = catalogue.flatMap((entry) => entry.ghca_id ?? []);
    expect(catalogue.length).toBeGreaterThanOrEqual(120);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^GHCA\d{6}$/);
    expect(new Set(catalogue.map((entry) => entry.category)).size).toBe(partCategories.length);
    for (const { base_price } of catalogue) expect(Number.isInteger(base_price) && base_price > 0).toBe(true);
  });

  it("finds a part in any case and spacing of its description", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...catalogue),
        fc.constantFrom(" ", "  ", "\t", "\u00a0", "\n "),
        fc.boolean(),
        (entry, gap, loud) => {
          const spelt = gap + entry.description.replaceAll(" ", gap) + gap;
          const written = loud ? spelt.toUpperCase() : spelt;
          expect(ghcaIdFor(written)).toBe(entry.ghca_id);
          expect(catalogueEntryFor(written)).toEqual(entry);
        },
      ),
    );
  });

  it("has no ID for fasteners, tyres and unknown parts", () => {
    for (const text of ["Retaining clip set", "Tyre 225/55 R19", "", "Flux capacitor", "constructor"])
      expect(ghcaIdFor(text), text).toBeNull();
  });

  it("assigns an unknown description the same plausible part every time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const entry = catalogueEntryFor(text);
        expect(catalogueEntryFor(` ${text.trim()} `)).toEqual({ ...entry, description: ` ${text.trim()} ` });
        expect(entry.base_price).toBeGreaterThanOrEqual(300);
        expect(entry.base_price).toBeLessThan(150_000);
      }),
    );
  });

  it("classifies an unknown description by its words", () => {
    expect(catalogueEntryFor("Fender, LH").category).toBe("panel");
    expect(catalogueEntryFor("Left taillight").category).toBe("lamp");
    expect(catalogueEntryFor("Lane assist camera").category).toBe("electronic");
    expect(catalogueEntryFor("Tyre 185/65 R15").category).toBe("wear");
  });
});
