/** A period in milliseconds since the start of the call. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Drawn periods with activity, and breaks for long gaps. */
export interface TraceScale {
  /** Position of a time, in percent of the width. */
  readonly at: (ms: number) => number;
  readonly ticks: readonly { readonly ms: number; readonly at: number }[];
  readonly breaks: readonly { readonly at: number; readonly width: number }[];
}

/** Gaps that exceed this share of the drawn time become breaks. */
const LONG_GAP = 0.3;
const MAX_BREAKS = 4;
const BREAK_WIDTH = 4.5;
/** Minimum width of a period, in percent. */
const MIN_WIDTH = 14;
/** Approximate width of a tick's label, in percent. */
const TICK_WIDTH = 18;

/** Merges overlapping and adjacent spans. */
const mergeSpans = (spans: readonly Span[]): Span[] => {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
};

/** Splits spans into periods at the longest gaps, as long as one dominates the drawn time. */
const splitSpans = (spans: readonly Span[]): Span[] => {
  const busy = mergeSpans(spans);
  const gaps = busy.slice(1).map(({ from }, index) => ({ index, length: from - (busy[index]?.to ?? from) }));
  let drawnMs = (busy.at(-1)?.to ?? 1) - (busy[0]?.from ?? 0);
  const cut = new Set<number>();
  for (const { index, length } of gaps.toSorted((one, other) => other.length - one.length)) {
    if (cut.size === MAX_BREAKS || length < drawnMs * LONG_GAP) break;
    cut.add(index);
    drawnMs -= length;
  }
  const stretches: Span[] = [];
  let from = busy[0]?.from ?? 0;
  busy.forEach(({ to }, index) => {
    if (!cut.has(index) && index < busy.length - 1) return;
    stretches.push({ from, to });
    from = busy[index + 1]?.from ?? to;
  });
  return stretches;
};

/** Returns the smallest of 1, 2 and 5 times a power of ten that is not below a length. */
const niceStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? least;
};

/** Computes the time scale of a trace. @param spans of the call and its attempts; a moment has length zero */
export const traceScale = (spans: readonly Span[]): TraceScale => {
  const stretches = splitSpans(spans).map(({ from, to }) => ({ from, to: Math.max(to, from + 1) }));
  const room = 100 - BREAK_WIDTH * (stretches.length - 1);
  const total = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  const wanted = stretches.map(({ from, to }) => Math.max(MIN_WIDTH, ((to - from) / total) * room));
  const shrink = room / wanted.reduce((sum, width) => sum + width, 0);
  let left = 0;
  const periods = stretches.map((stretch, index) => {
    const width = (wanted[index] ?? 0) * shrink;
    const one = { ...stretch, left, width };
    left += width + BREAK_WIDTH;
    return one;
  });
  const at = (ms: number): number => {
    const one = periods.findLast(({ from }) => ms >= from) ?? periods[0];
    if (!one) return 0;
    const share = (ms - one.from) / (one.to - one.from);
    return one.left + Math.min(Math.max(share, 0), 1) * one.width;
  };
  const all = periods.flatMap(({ from, to, width }) => {
    const step = niceStep(((to - from) * TICK_WIDTH) / width);
    const first = Math.ceil(from / step) * step;
    const round = Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step);
    return (round.length === 0 ? [from] : round).map((ms) => ({ ms, at: at(ms) }));
  });
  // Drops the last tick before a break if it overlaps the next.
  const ticks = all.filter((tick, index) => (all[index + 1]?.at ?? Infinity) - tick.at >= TICK_WIDTH * 0.8);
  const breaks = periods.slice(1).map((one) => ({ at: one.left - BREAK_WIDTH, width: BREAK_WIDTH }));
  return { at, ticks, breaks };
};
