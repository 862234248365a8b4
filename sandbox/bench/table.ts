import { type Figure, type Row, type Target, type Unit, type Verdict, verdictOf } from "./row.ts";
import type { Range } from "./statistics.ts";

const decimals = (value: number, unit: Unit): number => {
  if (unit === "/s") return 0;
  if (unit === "×") return 2;
  return Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
};

const grouped = (value: number, digits: number): string =>
  value.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A figure as people read it, for example `12,480 /s` or `0.61 ×`. */
export const figureText = ({ value, unit }: Figure): string => `${grouped(value, decimals(value, unit))} ${unit}`;

const targetText = (target: Target | null, unit: Unit): string => {
  if (target === null) return "";
  const [sign, limit] = "least" in target ? ["≥", target.least] : ["≤", target.most];
  return `${sign} ${grouped(limit, Number.isInteger(limit) ? 0 : 2)} ${unit}`;
};

const rangeText = ({ least, greatest }: Range, unit: Unit): string =>
  [least, greatest].map((value) => grouped(value, decimals(value, unit))).join(" – ");

const verdictText: Record<Verdict, string> = {
  met: "met",
  missed: "**missed**",
  "not measured": "not measured",
  "no target": "",
};

const cells = (row: Row): string[] => [
  row.what,
  row.measured ? figureText(row.measured) : "",
  row.beside ? `${row.beside.name} ${figureText(row.beside.figure)}` : "",
  row.judged ? figureText(row.judged) : "",
  row.judged && row.range ? rangeText(row.range, row.judged.unit) : "",
  targetText(row.target, row.judged?.unit ?? "×"),
  verdictText[verdictOf(row)],
];

const HEADINGS = ["what", "measured", "beside", "judged", "range", "target", "verdict"];

/** The table, in Markdown that lines up as plain text; what there is to say of a row stands below it. */
export const tableText = (rows: readonly Row[]): string => {
  const lines = [HEADINGS, ...rows.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const drawn = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  const notes = rows.flatMap((row) => (row.notes.length > 0 ? [`- ${row.what}: ${row.notes.join("; ")}`] : []));
  return [drawn[0], rule, ...drawn.slice(1), ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
};
