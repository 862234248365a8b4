import { describe, expect, it } from "vitest";
import { badWorldIn, inWorld, namingWorld, withoutWorld, worldIn } from "./world-address.ts";

describe("an address in a world", () => {
  it("names it behind what else it asks for", () => {
    expect(inWorld("/jobs", "qa")).toBe("/jobs?world=qa");
    expect(inWorld("/jobs?add&state=estimated#top", "qa")).toBe("/jobs?add&state=estimated&world=qa#top");
  });
  it("names none in the world of calls that name none", () =>
    expect(inWorld("/jobs?add", "default")).toBe("/jobs?add"));
  it("keeps the world it names itself, default too", () => {
    expect(inWorld("/jobs?world=other&add", "qa")).toBe("/jobs?add&world=other");
    expect(inWorld("/?world=default", "qa")).toBe("/");
  });
  it("is left alone when it leads elsewhere", () => {
    expect(inWorld("https://example.invalid/x", "qa")).toBe("https://example.invalid/x");
    expect(inWorld("//example.invalid/x", "qa")).toBe("//example.invalid/x");
  });
});

describe("an address that names its world", () => {
  it("says default too, so that a link leads out of another world", () => {
    expect(namingWorld("/jobs?add", "default")).toBe("/jobs?add&world=default");
    expect(inWorld(namingWorld("/jobs?add", "default"), "qa")).toBe("/jobs?add");
  });
  it("keeps the one it names", () => expect(namingWorld("/jobs?world=other", "qa")).toBe("/jobs?world=other"));
});

describe("a query", () => {
  it("is read for its world", () => {
    expect(worldIn("?state=x&world=qa")).toBe("qa");
    expect(worldIn("?state=x")).toBeNull();
  });
  it("with a name that no world can have names none, and the name is told", () => {
    expect(worldIn("?world=a%20b")).toBeNull();
    expect(badWorldIn("?world=a%20b")).toBe("a b");
    expect(badWorldIn("?world=qa")).toBeNull();
  });
  it("without its world keeps the rest as it was written", () => {
    expect(withoutWorld("?world=qa&add&q=a%20b")).toBe("?add&q=a%20b");
    expect(withoutWorld("?world=qa")).toBe("");
    expect(withoutWorld("?worldly=1")).toBe("?worldly=1");
  });
});
