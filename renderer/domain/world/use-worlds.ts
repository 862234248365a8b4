import { useQuery } from "@tanstack/react-query";
import type { World } from "../../../sandbox/contract/control/rows.ts";
import { worldsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatSpan, plural } from "../../lib/formatting.ts";
import { lastCallTo, worldResetsAt } from "../../lib/world-calls.ts";
import { useNowValue } from "../../lib/world-clock.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";

/** "1 job, 2 orders, 3 subscriptions". */
export const worldContents = ({ counts }: Pick<World, "counts">): string =>
  [
    plural(counts.jobs, "job"),
    plural(counts.procurements, "order"),
    ...(counts.subscriptions > 0 ? [plural(counts.subscriptions, "subscription")] : []),
  ].join(", ");

const MINUTE_MS = 60_000;

/** "resets in 58 min", in whole minutes, the last one in seconds; null for never. */
export const resetCountdownText = (leftMs: number | null): string | null => {
  if (leftMs === null) return null;
  if (leftMs <= 0) return "resets soon";
  return `resets in ${formatSpan(leftMs > MINUTE_MS ? Math.ceil(leftMs / MINUTE_MS) * MINUTE_MS : leftMs)}`;
};

/** Returns whether the reset is near enough to show it. */
export const isResetNear = (leftMs: number | null): boolean => leftMs !== null && leftMs < 5 * MINUTE_MS;

/** Time before a reset in which this window checks for calls of others, in milliseconds. */
const RESET_SOON_MS = 2 * 60_000;
const REFETCH_MS = { soon: 20_000, later: 5 * 60_000 };

/** Milliseconds until a world resets; null for never. */
const remainingMs = (row: World, nowMs: number): number | null => {
  const at = worldResetsAt(row, lastCallTo(row.name));
  return at === null ? null : at - nowMs;
};

/** The row of this window's world; undefined while loading. */
export const useThisWorld = (): World | undefined => {
  const name = useWorld();
  const find = (rows: readonly World[] | undefined) => rows?.find((row) => row.name === name);
  const { data } = useQuery({
    ...worldsQuery(),
    refetchInterval: ({ state }) => {
      const row = find(state.data);
      const left = row ? remainingMs(row, Date.now()) : null;
      if (left === null) return false;
      return left < RESET_SOON_MS ? REFETCH_MS.soon : REFETCH_MS.later;
    },
  });
  return find(data);
};

/** The world's idle time as text; undefined when it never resets automatically. */
export const idleTime = ({ resets_at, last_active_at }: World): string | undefined =>
  resets_at === null
    ? undefined
    : `Resets after ${formatSpan(Date.parse(resets_at) - Date.parse(last_active_at))} without a call or an open window`;

/** "resets in 58 min", updated; empty when it never resets automatically. */
export const useResetCountdown = (row: World): string =>
  useNowValue("real", (now) => resetCountdownText(remainingMs(row, now)) ?? "");

/** Returns whether the world resets within minutes unless it is called. */
export const useResetsSoon = (row: World): boolean => useNowValue("real", (now) => isResetNear(remainingMs(row, now)));

/** Sorts worlds: this window's, the default one, then by last use, including open windows. */
export const sortWorlds = (rows: readonly World[], current: string): readonly World[] => {
  const rank = ({ name }: World) => (name === current ? 0 : name === DEFAULT_WORLD ? 1 : 2);
  return rows.toSorted((a, b) => rank(a) - rank(b) || b.last_active_at.localeCompare(a.last_active_at));
};
