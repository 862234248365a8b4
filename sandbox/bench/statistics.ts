/** The middle value, or the mean of the two in the middle. @throws for no values */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error("There is no median of nothing.");
  return (lower + upper) / 2;
};

/** The 95th percentile: the least value with 95 % of all values at or below it. @throws for no values */
export const p95 = (values: readonly number[]): number => {
  const value = values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1];
  if (value === undefined) throw new Error("There is no percentile of nothing.");
  return value;
};

/** Returns the range of the values; null when there are too few. */
const valueRange = (values: readonly number[]): readonly [number, number] | null =>
  values.length < 2 ? null : [Math.min(...values), Math.max(...values)];

/**
 * Measures every variant in turn, repeatedly, so that other load affects all alike. The first round is a warm-up and
 * not counted.
 * @returns the counted values of each variant in the order of time
 */
export const interleave = async <Name extends string>(
  repetitions: number,
  variants: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> => {
  const names = Object.keys(variants) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= repetitions; round += 1) {
    for (const name of names) {
      const value = await variants[name]();
      if (round > 0) values[name].push(value);
    }
  }
  return values;
};

/** `×` is a ratio within the run. */
export type Unit = "/s" | "ms" | "MB" | "KB" | "messages" | "rows" | "exchanges" | "answers" | "%" | "×";
export type Target = { readonly least: number } | { readonly most: number } | null;
export type Verdict = "met" | "missed" | "not measured" | "no target";

interface Figure {
  readonly value: number;
  readonly unit: Unit;
}

/** A line of the table: a measurement, its comparison, and the result. */
export interface Row {
  readonly what: string;
  readonly measured: Figure | null;
  readonly beside: (Figure & { readonly name: string }) | null;
  /** The figure to compare with the target; null when not measurable, with the reason in the note. */
  readonly judged: Figure | null;
  /** Range of the repetitions, in the unit of the figure. */
  readonly range: readonly [number, number] | null;
  readonly target: Target;
  readonly note: string | null;
  /** The run fails when the target is missed. */
  readonly isAsserted?: boolean;
  /** Comparison with other commits in the same run. */
  readonly against?: readonly Comparison[];
}

/** Ratio of this commit's figure to another's: the median over adjacent measurements. */
export interface Comparison {
  readonly commit: string;
  readonly ratio: number;
}

/** A larger deficit compared with another commit is printed. */
const TOLERANCE = 0.1;

/** Text for a figure where more is better; null when the difference is within the noise. */
const worseText = ({ commit, ratio }: Comparison): string | null =>
  ratio < 1 - TOLERANCE ? `**${Math.round((1 - ratio) * 100)} % worse than ${commit}**` : null;

/** Compares measurements of the same rounds. */
export const compareCommits = (commit: string, ours: readonly number[], theirs: readonly number[]): Comparison => ({
  commit,
  ratio: median(ours.flatMap((value, round) => value / (theirs[round] ?? Number.NaN)).filter(Number.isFinite)),
});

/** Compares a figure with its target; reaching it exactly counts as met. */
export const rowVerdict = ({ judged, target }: Pick<Row, "judged" | "target">): Verdict => {
  if (judged === null) return "not measured";
  if (target === null) return "no target";
  const met = "least" in target ? judged.value >= target.least : judged.value <= target.most;
  return met ? "met" : "missed";
};

interface PlainRow {
  readonly what: string;
  readonly unit: Unit;
  /** One per repetition. */
  readonly values: readonly number[];
  readonly target: Target;
  readonly note?: string | null;
}

interface ComparedRow extends PlainRow {
  readonly reference: { readonly name: string; readonly values: readonly number[] };
}

/** A row whose figure is the median. */
export const plainRow = ({ what, unit, values, target, note = null }: PlainRow): Row => {
  const figure = { value: median(values), unit };
  return { what, measured: figure, beside: null, judged: figure, range: valueRange(values), target, note };
};

const besides = ({ what, unit, values, target, note = null, reference }: ComparedRow) => ({
  ...{ what, target, note },
  measured: { value: median(values), unit },
  beside: { name: reference.name, value: median(reference.values), unit },
});

/** A row whose figure is the ratio of two medians. */
export const ratioRow = (compared: ComparedRow): Row => {
  const row = besides(compared);
  const pairs = compared.values.flatMap((value, index) => value / (compared.reference.values[index] ?? Number.NaN));
  const judged = { value: row.measured.value / row.beside.value, unit: "×" } as const;
  return { ...row, judged, range: valueRange(pairs.filter(Number.isFinite)) };
};

/** A row whose figure is the difference of two medians. */
export const differenceRow = (compared: ComparedRow): Row => {
  const row = besides(compared);
  const judged = { value: row.measured.value - row.beside.value, unit: compared.unit };
  return { ...row, judged, range: null };
};

export const unmeasuredRow = (what: string, note: string): Row => ({
  ...{ what, note, measured: null, beside: null, judged: null, range: null, target: null },
});

const decimalPlaces = (value: number, unit: Unit): number => {
  if (["/s", "messages", "rows", "exchanges", "answers"].includes(unit)) return 0;
  if (unit === "×") return 2;
  if (unit === "%") return 1;
  return Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
};

const numberText = (value: number, digits: number): string =>
  value.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A formatted figure, for example `12,480 /s` or `0.61 ×`. */
export const figureText = ({ value, unit }: Figure): string =>
  `${numberText(value, decimalPlaces(value, unit))} ${unit}`;

const targetText = (target: Target, unit: Unit): string => {
  if (target === null) return "";
  const [sign, limit] = "least" in target ? ["≥", target.least] : ["≤", target.most];
  return `${sign} ${numberText(limit, Number.isInteger(limit) ? 0 : 2)} ${unit}`;
};

const verdictText: Record<Verdict, string> = {
  met: "met",
  missed: "**missed**",
  "not measured": "not measured",
  "no target": "",
};

const rowCells = (row: Row): string[] => {
  const unit = row.judged?.unit ?? "×";
  return [
    row.what,
    row.measured ? figureText(row.measured) : "",
    row.beside ? `${row.beside.name} ${figureText(row.beside)}` : "",
    row.judged ? figureText(row.judged) : "",
    row.range?.map((value) => numberText(value, decimalPlaces(value, unit))).join(" – ") ?? "",
    targetText(row.target, unit),
    [verdictText[rowVerdict(row)], ...(row.against ?? []).map(worseText)].filter(Boolean).join(", "),
  ];
};

const HEADINGS = ["what", "measured", "beside", "judged", "range", "target", "verdict"];

/** The table as aligned Markdown, with the rows' notes below. */
export const tableText = (rows: readonly Row[]): string => {
  const lines = [HEADINGS, ...rows.map(rowCells)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const tableRows = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  const notes = rows.flatMap(({ what, note }) => (note === null ? [] : [`- ${what}: ${note}`]));
  return [tableRows[0], rule, ...tableRows.slice(1), ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
};
