import { describe, expect, it } from "vitest";
import { everything } from "../address.ts";
import { noneWords } from "./nothing.tsx";

const names = new Map([["s", "Tarn & Rowe, Penrose"]]);

describe("what was looked for in vain", () => {
  it("is said as one sentence", () => {
    expect(noneWords({ ...everything, search: " TRX " }, names)).toBe("No order matches “TRX”");
    expect(noneWords({ ...everything, status: "cancelled", site: "s" }, names)).toBe(
      "No order is cancelled and is for Tarn & Rowe, Penrose",
    );
    expect(noneWords({ search: "x", status: "order_requested", site: "s", supplier: "?" }, names)).toBe(
      "No order matches “x”, is order_requested, is for Tarn & Rowe, Penrose and is from that supplier",
    );
  });

  it("is nothing in particular without a filter", () => expect(noneWords(everything, names)).toBe("No order"));
});
