import { describe, expect, it } from "vitest";
import { badWorldIn, inWorld, namingWorld, withoutWorld, worldIn } from "./world-address.ts";

describe("an address in a world", () => {
  it("contains the world after its other parameters", () => {
    expect(inWorld("/jobs", "qa")).toBe("/jobs?world=qa");
    expect(inWorld("/jobs?add&state=estimated#top", "qa")).toBe("/jobs?add&state=estimated&world=qa#top");
  });
  it("omits the world default", () => expect(inWorld("/jobs?add", "default")).toBe("/jobs?add"));
  it("keeps a world it already names, including default", () => {
    expect(inWorld("/jobs?world=other&add", "qa")).toBe("/jobs?add&world=other");
    expect(inWorld("/?world=default", "qa")).toBe("/");
  });
  it("is unchanged if it leads elsewhere", () => {
    expect(inWorld("https://example.invalid/x", "qa")).toBe("https://example.invalid/x");
    expect(inWorld("//example.invalid/x", "qa")).toBe("//example.invalid/x");
  });
});

describe("an address with an explicit world", () => {
  it("names default too, so that a link can leave another world", () => {
    expect(namingWorld("/jobs?add", "default")).toBe("/jobs?add&world=default");
    expect(inWorld(namingWorld("/jobs?add", "default"), "qa")).toBe("/jobs?add");
  });
  it("keeps the world it already names", () =>
    expect(namingWorld("/jobs?world=other", "qa")).toBe("/jobs?world=other"));
});

describe("a query", () => {
  it("contains its world", () => {
    expect(worldIn("?state=x&world=qa")).toBe("qa");
    expect(worldIn("?state=x")).toBeNull();
  });
  it("rejects an invalid world name and returns it", () => {
    expect(worldIn("?world=a%20b")).toBeNull();
    expect(badWorldIn("?world=a%20b")).toBe("a b");
    expect(badWorldIn("?world=qa")).toBeNull();
  });
  it("without its world is otherwise unchanged", () => {
    expect(withoutWorld("?world=qa&add&q=a%20b")).toBe("?add&q=a%20b");
    expect(withoutWorld("?world=qa")).toBe("");
    expect(withoutWorld("?worldly=1")).toBe("?worldly=1");
  });
});
