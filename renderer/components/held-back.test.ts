import { describe, expect, it } from "vitest";
import { holdBack } from "./held-back.ts";

const hold = (shown: string, items: string, selected: string | null = null) => {
  const held = holdBack([...shown], [...items], (item) => item, selected);
  return `${held.shown.join("")} ${held.waiting}`;
};

describe("rows held back while someone reads", () => {
  it("waits with what came in above", () => expect(hold("cba", "edcba")).toBe("cba 2"));
  it("shows a further page at the end", () => expect(hold("cb", "cba")).toBe("cba 0"));
  it("keeps the order when a row was moved to the top", () => expect(hold("cba", "acb")).toBe("cba 0"));
  it("lets rows go that are gone", () => expect(hold("cba", "ca")).toBe("ca 0"));
  it("never waits with the selected row, and shows it behind the row it follows", () => {
    expect(hold("cba", "edcba", "d")).toBe("dcba 1");
    expect(hold("ca", "xcyba", "b")).toBe("cba 2");
    expect(hold("cba", "edcba", "?")).toBe("cba 2");
  });
  it("shows everything when none of it was shown before", () => expect(hold("xyz", "cba")).toBe("cba 0"));
  it("shows an empty list as empty", () => expect(hold("cba", "")).toBe(" 0"));
});
