import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { knownWorlds } from "../../kernel/live/known-worlds.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";
import { currentWorld } from "../../lib/session.ts";
import { namingWorld } from "../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";

/** Mutation key of long background work; `work.list` reports its progress. */
export const LONG_WORK = ["long-work"] as const;

/** Invalidates the lists of worlds and snapshots. */
export const useWorldsChanged = () => {
  const client = useQueryClient();
  return () =>
    Promise.all([serviceKeys.worlds, serviceKeys.snapshots].map((queryKey) => client.invalidateQueries({ queryKey })));
};

/** Creates a world at an unused name by a write, because reads don't create worlds (D85). */
export const useMakeWorld = () => {
  const changed = useWorldsChanged();
  return useMutation({
    mutationFn: (world: string) => callControl("policies.set", { world, policies: {} }),
    onError: (error, world) => notify.failed(`Create ${world}`, error),
    onSettled: changed,
  });
};

/** Excludes a world from its idle reset, or includes it again (D82). */
export const usePinWorld = () => {
  const changed = useWorldsChanged();
  return useMutation({
    mutationFn: ({ world, pinned }: { world: string; pinned: boolean }) => callControl("worlds.pin", { world, pinned }),
    onError: (error, { world, pinned }) => notify.failed(`${pinned ? "Pin" : "Unpin"} ${world}`, error),
    onSettled: changed,
  });
};

/** Copies a world to an unused name; the caller shows a refusal. */
export const useCopyWorld = () => {
  const changed = useWorldsChanged();
  return useMutation({
    mutationKey: LONG_WORK,
    mutationFn: ({ world, to }: { world: string; to: string }) => callControl("worlds.copy", { world, to }),
    onSuccess: (_row, { world, to }) => {
      const link = { href: "/", label: "Open copy", world: to };
      notify.done({ title: `${world} copied to ${to}`, detail: "Pending deliveries were not copied.", link });
    },
    onSettled: changed,
  });
};

interface Restored {
  readonly world: string;
  readonly checkpoint: string;
  /** The snapshot's name in the notice; absent for an undo. */
  readonly from?: string;
}
type Restoring = UseMutationResult<{ readonly checkpoint: string | null }, Error, Restored>;

/** Undo of a destructive act; null without a checkpoint. */
const undoRestore = ({ mutateAsync }: Restoring, world: string, checkpoint: string | null) =>
  checkpoint === null ? null : { label: "Undo", act: () => mutateAsync({ world, checkpoint }) };

/** Restores a world from a snapshot or a checkpoint. */
export const useRestoreWorld = () => {
  const changed = useWorldsChanged();
  const restore: Restoring = useMutation({
    mutationKey: LONG_WORK,
    mutationFn: ({ world, checkpoint }) => {
      knownWorlds.expect(world);
      return callControl("snapshots.restore", { world, name: checkpoint });
    },
    onSuccess: (row, { world, from }) =>
      notify.done({
        title: `${world} was restored${from ? ` from ${from}` : ""}`,
        detail: "Pending deliveries are not sent automatically.",
        offer: undoRestore(restore, world, row.checkpoint),
        ...(world === currentWorld() ? {} : { link: { href: "/", label: "Open world", world } }),
      }),
    onError: (error, { world }) => {
      knownWorlds.wasExpected(world);
      notify.failed(`Restore ${world}`, error);
    },
    onSettled: changed,
  });
  return restore;
};

const useUndo = () => {
  const restore = useRestoreWorld();
  return (world: string, checkpoint: string | null) => undoRestore(restore, world, checkpoint);
};

/** Resets a world to its seed. */
export const useResetWorld = () => {
  const changed = useWorldsChanged();
  const undo = useUndo();
  return useMutation({
    mutationFn: (world: string) => {
      knownWorlds.expect(world);
      return callControl("worlds.reset", { world });
    },
    onSuccess: ({ checkpoint }, world) =>
      notify.done({
        title: `${world} was reset`,
        detail: "It contains only seed data.",
        offer: undo(world, checkpoint),
      }),
    onError: (error, world) => {
      knownWorlds.wasExpected(world);
      notify.failed(`Reset ${world}`, error);
    },
    onSettled: changed,
  });
};

/** Deletes a world. A window in it switches first, because its own calls would create the world again. */
export const useDeleteWorld = () => {
  const changed = useWorldsChanged();
  const undo = useUndo();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (world: string) => {
      if (world === currentWorld()) navigate(namingWorld("/worlds", DEFAULT_WORLD));
      return callControl("worlds.delete", { world });
    },
    onSuccess: ({ checkpoint }, world) =>
      notify.done({
        title: `${world} was deleted`,
        detail: "The next call to this name creates a new world.",
        offer: undo(world, checkpoint),
      }),
    onError: (error, world) => notify.failed(`Delete ${world}`, error),
    onSettled: changed,
  });
};
