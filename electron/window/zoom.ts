/** Zoom levels of browsers; 1 is the actual size. */
const factors = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

export type ZoomStep = "in" | "out" | "reset";

/** Returns the next level, or the same at either end. */
export function nextZoom(zoom: number, step: ZoomStep): number {
  if (step === "reset") return 1;
  const next = step === "in" ? factors.find((one) => one > zoom) : factors.findLast((one) => one < zoom);
  return next ?? zoom;
}

/** Returns whether the value is one of the levels. */
export const isZoom = (value: unknown): value is number => factors.some((factor) => factor === value);
