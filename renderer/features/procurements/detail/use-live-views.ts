import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { createThrottle } from "../../../app/live/throttle.ts";
import { useLive } from "../../../app/live/use-live.ts";
import { useWorld } from "../../../app/world.ts";
import { procurementKeys } from "../procurement-keys.ts";

/** At most this often a second both sides are asked again. */
const EVERY_MS = 250;

/**
 * Keeps both sides' views of a procurement as they are in the world: asked again when it or its job changed, and when
 * it is opened after it was left.
 */
export const useLiveViews = ({ id, job_id }: Pick<ProcurementRow, "id" | "job_id">): void => {
  const client = useQueryClient();
  const world = useWorld();
  const stale = useMemo(
    () =>
      createThrottle(EVERY_MS, (of) => void client.invalidateQueries({ queryKey: procurementKeys(world).views(of) })),
    [client, world],
  );
  useLive("state", (entries) => {
    if (entries.some(({ data }) => data.id === id || data.job_id === job_id)) stale(id);
  });
  useEffect(
    () => () => {
      void client.invalidateQueries({ queryKey: procurementKeys(world).views(id), refetchType: "none" });
    },
    [client, world, id],
  );
};
