/** Time of the last call to each world, as far as this window knows: a call postpones a world's idle reset (D82). */
const calls = new Map<string, number>();

export const noteCall = (world: string, atMs: number): void => {
  calls.set(world, Math.max(atMs, calls.get(world) ?? 0));
};

/** Milliseconds of real time; null when this window knows of no call. */
export const lastCallTo = (world: string): number | null => calls.get(world) ?? null;

/**
 * Returns when a world resets if nobody calls it, counting calls that came after its row was read; null without a
 * reset. `resets_at` and `last_active_at` as the service lists them.
 */
export const worldResetsAt = (
  row: { readonly resets_at: string | null; readonly last_active_at: string },
  lastCallMs: number | null,
): number | null => {
  if (row.resets_at === null) return null;
  const due = Date.parse(row.resets_at);
  const idleMs = due - Date.parse(row.last_active_at);
  return Math.max(due, lastCallMs === null ? 0 : lastCallMs + idleMs);
};
