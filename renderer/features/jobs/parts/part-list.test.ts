import { describe, expect, it } from "vitest";
import { quantityProblem, readPartList, toPartInsert } from "./part-list.ts";

const read = (text: string) =>
  readPartList(text).map(({ description, quantity, note }) => [quantity, description, note]);

describe("a pasted list of parts", () => {
  it("has one part per line, with a quantity before and a note after it", () => {
    expect(read("2 x Bonnet\nHeadlamp, right; LED; heated\n12× Clip set\n3 * Bolt;  M8 ")).toEqual([
      [2, "Bonnet", null],
      [null, "Headlamp, right", "LED; heated"],
      [12, "Clip set", null],
      [3, "Bolt", "M8"],
    ]);
  });

  it("keeps other numbers in the description", () => {
    expect(read("4x4 badge\nTyre 225/55 R19\n2 Bonnets\n3M tape")).toEqual([
      [null, "4x4 badge", null],
      [null, "Tyre 225/55 R19", null],
      [null, "2 Bonnets", null],
      [null, "3M tape", null],
    ]);
  });

  it("reads the cells of a spreadsheet", () => {
    expect(read("2\tBonnet\tdented\r\nGrille\tchrome\n\tGrille")).toEqual([
      [2, "Bonnet", "dented"],
      [null, "Grille", "chrome"],
      [null, "Grille", null],
    ]);
  });

  it("takes a lone number in the first, second or last cell as the quantity", () => {
    expect(read("Bonnet\t2\nBonnet\t2\tdented\nBonnet\tdented\t2\n2\t3M tape\tblack")).toEqual([
      [2, "Bonnet", null],
      [2, "Bonnet", "dented"],
      [2, "Bonnet", "dented"],
      [2, "3M tape", "black"],
    ]);
    expect(read("Tyre\t225/55 R19\nBolt\tM8\tzinc\n2\t10")).toEqual([
      [null, "Tyre", "225/55 R19"],
      [null, "Bolt", "M8; zinc"],
      [2, "10", null],
    ]);
    expect(readPartList("Bonnet\t300")[0]?.problem).toContain("above 255");
  });

  it("skips empty lines and list marks, and keeps line numbers", () => {
    expect(readPartList("\n- Bonnet\n\n• 2 x Clip\n").map(({ line, description }) => `${line} ${description}`)).toEqual(
      ["2 Bonnet", "4 Clip"],
    );
    expect(readPartList(" \n\n")).toEqual([]);
  });

  it("reports an invalid quantity and keeps the line", () => {
    const problems = readPartList("255 x A\n256 x B\n-1 x C\n1.5 x D\n0 x E").map(({ problem }) => problem);
    expect(problems).toEqual([
      null,
      "256 is above 255. Use 0 to 255",
      "-1 is below 0. Use 0 to 255",
      "1.5 isn’t a whole number. Use 0 to 255",
      null,
    ]);
  });

  it("warns about allowed but surprising values", () => {
    expect(readPartList("0 x E\n2 x").map(({ remark }) => remark)).toEqual([
      "Quantity 0 gets no offers",
      "No description. It will be empty",
    ]);
  });

  it("sends only the keys that a line contains", () => {
    expect(readPartList("2 x Bonnet; dented\nGrille").map(toPartInsert)).toEqual([
      { description: "Bonnet", quantity: 2, note: "dented" },
      { description: "Grille" },
    ]);
  });
});

describe("a quantity", () => {
  it("is a whole number from 0 to 255", () => {
    expect([0, 1, 255].map(quantityProblem)).toEqual([null, null, null]);
    expect([-1, 256, 0.5].every((quantity) => quantityProblem(quantity) !== null)).toBe(true);
  });
});
