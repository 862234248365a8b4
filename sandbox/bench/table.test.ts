import { describe, expect, it } from "vitest";
import { comparedRow, plainRow, unmeasuredRow } from "./row.ts";
import { figureText, tableText } from "./table.ts";

describe("the table", () => {
  it("writes figures so that a person can read them", () => {
    expect(figureText({ value: 12_480.4, unit: "/s" })).toBe("12,480 /s");
    expect(figureText({ value: 0.6149, unit: "×" })).toBe("0.61 ×");
    expect(figureText({ value: 0.3456, unit: "ms" })).toBe("0.35 ms");
    expect(figureText({ value: 54.321, unit: "ms" })).toBe("54.3 ms");
    expect(figureText({ value: 1_359.7, unit: "ms" })).toBe("1,360 ms");
    expect(figureText({ value: 94.96, unit: "MB" })).toBe("95.0 MB");
  });

  it("lines up, says target and verdict of each row, and what there is to add below", () => {
    const rows = [
      comparedRow({
        group: "jobs.get",
        what: "reads",
        unit: "/s",
        values: [11_000, 12_000],
        reference: { name: "H", values: [20_000, 20_000] },
        target: { least: 0.55 },
      }),
      plainRow("memory", "idle", { value: 120, unit: "MB" }, { target: { most: 95 }, notes: ["after two seconds"] }),
      unmeasuredRow("peers", "peers", "no registry", { least: 15 }),
    ];
    expect(tableText(rows)).toBe(
      [
        "| what  | measured  | beside      | judged | range       | target   | verdict      |",
        "|-------|-----------|-------------|--------|-------------|----------|--------------|",
        "| reads | 11,500 /s | H 20,000 /s | 0.58 × | 0.55 – 0.60 | ≥ 0.55 × | met          |",
        "| idle  | 120 MB    |             | 120 MB |             | ≤ 95 MB  | **missed**   |",
        "| peers |           |             |        |             | ≥ 15 ×   | not measured |",
        "",
        "- idle: after two seconds",
        "- peers: no registry",
      ].join("\n"),
    );
  });
});
