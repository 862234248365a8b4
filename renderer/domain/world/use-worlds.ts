import { useQuery } from "@tanstack/react-query";
import type { World } from "../../../sandbox/contract/control/rows.ts";
import { worldsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatSpan, plural } from "../../lib/formatting.ts";
import { lastCallTo, worldResetsAt } from "../../lib/world-calls.ts";
import { useNowText } from "../../lib/world-clock.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";

/** "1 job, 2 orders, 3 subscriptions". */
export const worldContents = ({ counts }: Pick<World, "counts">): string =>
  [
    plural(counts.jobs, "job"),
    plural(counts.procurements, "order"),
    ...(counts.subscriptions > 0 ? [plural(counts.subscriptions, "subscription")] : []),
  ].join(", ");

const MINUTE_MS = 60_000;

/** "resets in 58 min", in whole minutes, the last one in seconds; null when it never does. */
export const leftWords = (leftMs: number | null): string | null => {
  if (leftMs === null) return null;
  if (leftMs <= 0) return "resets soon";
  return `resets in ${formatSpan(leftMs > MINUTE_MS ? Math.ceil(leftMs / MINUTE_MS) * MINUTE_MS : leftMs)}`;
};

/** Near enough to its end to be seen. */
export const isEnding = (leftMs: number | null): boolean => leftMs !== null && leftMs < 5 * MINUTE_MS;

/** Calls of others move a reset that this window believes near. */
const SOON_MS = 2 * 60_000;
const READ_AGAIN_MS = { soon: 20_000, later: 5 * 60_000 };

/** How long until a world resets, in milliseconds; null when it never does by itself. */
const leftOf = (row: World, nowMs: number): number | null => {
  const at = worldResetsAt(row, lastCallTo(row.name));
  return at === null ? null : at - nowMs;
};

/** The world of this window as the service lists it; undefined while it is read. */
export const useThisWorld = (): World | undefined => {
  const name = useWorld();
  const find = (rows: readonly World[] | undefined) => rows?.find((row) => row.name === name);
  const { data } = useQuery({
    ...worldsQuery(),
    refetchInterval: ({ state }) => {
      const row = find(state.data);
      const left = row ? leftOf(row, Date.now()) : null;
      if (left === null) return false;
      return left < SOON_MS ? READ_AGAIN_MS.soon : READ_AGAIN_MS.later;
    },
  });
  return find(data);
};

/** How long its service keeps the world without use; undefined when it never resets by itself. */
export const keptFor = ({ resets_at, last_active_at }: World): string | undefined =>
  resets_at === null
    ? undefined
    : `Resets after ${formatSpan(Date.parse(resets_at) - Date.parse(last_active_at))} without a call or an open window`;

/** "resets in 58 min", kept true; empty when it never does by itself. */
export const useResetCountdown = (row: World): string => useNowText("real", (now) => leftWords(leftOf(row, now)) ?? "");

/** Whether it ends within minutes unless it is called. */
export const useResetsSoon = (row: World): boolean =>
  useNowText("real", (now) => String(isEnding(leftOf(row, now)))) === "true";

/** This window's first, then the world default, then as they were last used, windows that look at them included. */
export const inOrder = (rows: readonly World[], current: string): readonly World[] => {
  const rank = ({ name }: World) => (name === current ? 0 : name === DEFAULT_WORLD ? 1 : 2);
  return rows.toSorted((a, b) => rank(a) - rank(b) || b.last_active_at.localeCompare(a.last_active_at));
};
