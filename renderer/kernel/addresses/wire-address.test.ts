import { describe, expect, it } from "vitest";
import { wireIn, withoutWire, withWire } from "./wire-address.ts";

const ID = "01a1ff86-3653-4f6e-b85a-7ae8374fa8e1";

describe("an address with an exchange on the wire", () => {
  it("names it behind everything else, and once", () => {
    expect(withWire("/jobs", ID)).toBe(`/jobs?wire=${ID}`);
    expect(withWire(`/jobs?add&wire=${ID}&state=estimated#top`, ID)).toBe(`/jobs?add&state=estimated&wire=${ID}#top`);
  });
  it("is the address without it when there is none", () => {
    expect(withWire(`/jobs?wire=${ID}`, null)).toBe("/jobs");
    expect(withWire(`/jobs?wire=${ID}&world=qa#top`, null)).toBe("/jobs?world=qa#top");
  });
  it("is read for it, and for nothing that could be none", () => {
    expect(wireIn(`?world=qa&wire=${ID.toUpperCase()}`)).toBe(ID);
    expect([wireIn("?wire=newest"), wireIn("?wire"), wireIn("?wired=1"), wireIn("")]).toEqual([null, null, null, null]);
  });
  it("keeps every other byte as it was", () => {
    expect(withoutWire(`?q=a%20b&wire=${ID}&wired`)).toBe("?q=a%20b&wired");
    expect(withoutWire("?wire")).toBe("");
  });
});
