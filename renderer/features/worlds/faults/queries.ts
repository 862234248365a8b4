import { useMutation, useQuery } from "@tanstack/react-query";
import type { Fault } from "../../../../sandbox/contract/control/fault-operations.ts";
import { armedFaults, faultsQuery } from "../../../domain/fault/faults.ts";
import { notify } from "../../../kernel/notices/notices.tsx";
import { useChanged } from "../../../kernel/queries/changes.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { callControl } from "../../../lib/service-client.ts";
import { useNowText } from "../../../lib/world-clock.ts";
import { type FaultRequest, repeatFault } from "./fault-form.ts";
import type { FaultPreset } from "./ready-made.ts";

const useArming = <T>(arm: (world: string, what: T) => Promise<unknown>, onError?: (error: Error) => void) => {
  const world = useWorld();
  const changed = useChanged();
  return useMutation({
    mutationFn: (what: T) => arm(world, what),
    ...(onError ? { onError } : {}),
    onSettled: () => changed(["fault"]),
  });
};

/** The form shows its refusal. */
export const useArm = () => useArming((world, fault: FaultRequest) => callControl("faults.set", { world, ...fault }));
/** Arms a past fault again and replaces its entry. */
export const useArmAgain = () =>
  useArming(
    async (world, over: Fault) => {
      await callControl("faults.set", { world, ...repeatFault(over) });
      await callControl("faults.clear", { world, id: over.id });
    },
    (error) => notify.failed("Arm the fault again", error),
  );
export const useArmPreset = () =>
  useArming(
    (world, { name, fault }: FaultPreset) => callControl("faults.set", { world, name, ...fault }),
    (error) => notify.failed("Arm the fault", error),
  );

/** The number of active faults in this window's world. */
export const useArmedCount = (): number => {
  const { data = [] } = useQuery(faultsQuery(useWorld()));
  return Number(useNowText("real", (now) => String(armedFaults(data, now).length)));
};
