import { useQuery } from "@tanstack/react-query";
import type { Fault } from "../../../../sandbox/contract/control/fault-operations.ts";
import { armedFaults, faultsQuery } from "../../../domain/fault/faults.ts";
import { useAct, useControl } from "../../../kernel/queries/use-act.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { callControl } from "../../../lib/service-client.ts";
import { useNowValue } from "../../../lib/world-clock.ts";
import { repeatFault } from "./fault-form.ts";
import type { FaultPreset } from "./ready-made.ts";

/** Shows no notice about a refusal, because the form does. */
export const useArm = () => useControl("faults.set", { changes: ["fault"] });
/** Arms a past fault again and replaces its entry. */
export const useArmAgain = () =>
  useAct(
    async (world, over: Fault) => {
      await callControl("faults.set", { world, ...repeatFault(over) });
      await callControl("faults.clear", { world, id: over.id });
    },
    { changes: ["fault"], failed: "Arm the fault again" },
  );
export const useArmPreset = () =>
  useAct((world, { name, fault }: FaultPreset) => callControl("faults.set", { world, name, ...fault }), {
    changes: ["fault"],
    failed: "Arm the fault",
  });

/** The number of active faults in this window's world. */
export const useArmedCount = (): number => {
  const { data = [] } = useQuery(faultsQuery(useWorld()));
  return useNowValue("real", (now) => armedFaults(data, now).length);
};
