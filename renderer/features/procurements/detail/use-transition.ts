import { useQuery } from "@tanstack/react-query";
import { useLive } from "../../../app/live/use-live.ts";
import { useWorld } from "../../../app/world.ts";
import { traceQuery } from "../../../domain/trace/queries.ts";
import { announceArrival } from "../../../lib/announce.ts";
import { lastMove, type Transition, transitionOf } from "../history/last-transition.ts";
import { movesQuery } from "../queries.ts";

/** The newest transition that is on record, with what it changed; null when none is. */
export const useTransition = (id: string): Transition | null => {
  const world = useWorld();
  const moves = useQuery(movesQuery(world, id));
  const move = lastMove(moves.data?.items ?? []);
  const trace = useQuery(traceQuery(world, move?.trace_id ?? null));
  return move && trace.data ? transitionOf(move, trace.data.changes, id) : null;
};

const statusIn = (state: unknown): string =>
  typeof state === "object" && state !== null && "status" in state ? String(state.status) : "changed";

/** Tells screen readers when another program moves what is on the screen. */
export const useSpokenChanges = (id: string): void =>
  useLive("state", (entries) => {
    for (const { data } of entries) {
      if (data.entity === "procurement" && data.id === id)
        announceArrival(`${data.label} is now ${statusIn(data.after)}`);
    }
  });
