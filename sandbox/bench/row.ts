import { median, type Range, rangeOf, ratioOfMedians, ratiosOf } from "./statistics.ts";

/** `×`: a ratio within this run. */
export type Unit = "/s" | "ms" | "s" | "MB" | "KB" | "×";

export interface Figure {
  readonly value: number;
  readonly unit: Unit;
}

export type Target = { readonly least: number } | { readonly most: number };

export type Verdict = "met" | "missed" | "not measured" | "no target";

/** One line of the table: what was measured, what it is compared with, and what that comes to. */
export interface Row {
  /** The name that `--only` takes. */
  readonly group: string;
  readonly what: string;
  readonly measured: Figure | null;
  readonly beside: { readonly name: string; readonly figure: Figure } | null;
  /** What the target is about; null: it could not be measured, and the note says why. */
  readonly judged: Figure | null;
  /** Between what the repetitions lie, in the unit that is judged; null for what has none. */
  readonly range: Range | null;
  readonly target: Target | null;
  readonly notes: readonly string[];
  /** Every counted value behind the medians, in the order of time. */
  readonly samples: Readonly<Record<string, readonly number[]>>;
}

/** Whether what was measured is on the right side of its target; the target itself is. */
export const verdictOf = ({ judged, target }: Pick<Row, "judged" | "target">): Verdict => {
  if (judged === null) return "not measured";
  if (target === null) return "no target";
  const met = "least" in target ? judged.value >= target.least : judged.value <= target.most;
  return met ? "met" : "missed";
};

interface Compared {
  readonly group: string;
  readonly what: string;
  readonly unit: Unit;
  readonly values: readonly number[];
  readonly reference: { readonly name: string; readonly values: readonly number[] };
  readonly target: Target | null;
  readonly notes?: readonly string[];
}

/** A row about the ratio of two medians. */
export const comparedRow = ({ group, what, unit, values, reference, target, notes = [] }: Compared): Row => ({
  group,
  what,
  measured: { value: median(values), unit },
  beside: { name: reference.name, figure: { value: median(reference.values), unit } },
  judged: { value: ratioOfMedians(values, reference.values), unit: "×" },
  range: rangeOf(ratiosOf(values, reference.values)),
  target,
  notes,
  samples: { measured: values, [reference.name]: reference.values },
});

/** A row about a figure as it is. */
export const plainRow = (
  group: string,
  what: string,
  figure: Figure,
  rest: Partial<Pick<Row, "beside" | "range" | "target" | "notes" | "samples">> = {},
): Row => ({
  group,
  what,
  measured: figure,
  beside: null,
  judged: figure,
  range: null,
  target: null,
  notes: [],
  samples: {},
  ...rest,
});

/** A row that could not be measured. */
export const unmeasuredRow = (group: string, what: string, reason: string, target: Target | null = null): Row => ({
  group,
  what,
  measured: null,
  beside: null,
  judged: null,
  range: null,
  target,
  notes: [reason],
  samples: {},
});
