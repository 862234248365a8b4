import { describe, expect, it } from "vitest";
import { wireIn, withoutWire, withWire } from "./wire-address.ts";

const ID = "01a1ff86-3653-4f6e-b85a-7ae8374fa8e1";

describe("an address with an exchange on the wire", () => {
  it("has it once, after all other parameters", () => {
    expect(withWire("/jobs", ID)).toBe(`/jobs?wire=${ID}`);
    expect(withWire(`/jobs?add&wire=${ID}&state=estimated#top`, ID)).toBe(`/jobs?add&state=estimated&wire=${ID}#top`);
  });
  it("loses it when the wire closes", () => {
    expect(withWire(`/jobs?wire=${ID}`, null)).toBe("/jobs");
    expect(withWire(`/jobs?wire=${ID}&world=qa#top`, null)).toBe("/jobs?world=qa#top");
  });
  it("contains a valid ID or none", () => {
    expect(wireIn(`?world=qa&wire=${ID.toUpperCase()}`)).toBe(ID);
    expect([wireIn("?wire=newest"), wireIn("?wire"), wireIn("?wired=1"), wireIn("")]).toEqual([null, null, null, null]);
  });
  it("is otherwise unchanged, byte for byte", () => {
    expect(withoutWire(`?q=a%20b&wire=${ID}&wired`)).toBe("?q=a%20b&wired");
    expect(withoutWire("?wire")).toBe("");
  });
});
