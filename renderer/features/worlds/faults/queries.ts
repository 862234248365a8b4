import { keepPreviousData, queryOptions, skipToken, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReadyMadeFault } from "../../../../sandbox/contract/control/ready-made-faults.ts";
import { notify } from "../../../app/notices.tsx";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { itemsQuery } from "../../../lib/control-query.ts";
import { callControl } from "../../../lib/service-client.ts";
import type { AskedFault } from "./fault-form.ts";

/** The newest firings of all faults of a world. */
export const firingsQuery = (world: string) =>
  itemsQuery(worldKeys(world).faults("firings"), "faults.firings", { world });

/** What a fault would do, in the service's words, or why it would be refused. */
export const previewQuery = (world: string, asked: AskedFault | null) =>
  queryOptions({
    queryKey: worldKeys(world).faults("preview", asked),
    queryFn:
      asked === null
        ? skipToken
        : ({ signal }: { signal: AbortSignal }) => callControl("faults.preview", { world, ...asked }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

/** Arms faults in this world, one after the other. */
const useArming = <T>(faultsOf: (what: T) => readonly AskedFault[], onError?: (error: Error) => void) => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (what: T) => {
      for (const fault of faultsOf(what)) await callControl("faults.set", { world, ...fault });
    },
    ...(onError ? { onError } : {}),
    onSettled: () => client.invalidateQueries({ queryKey: worldKeys(world).faults() }),
  });
};

/** Its refusal is for the form to show. */
export const useArm = () => useArming((fault: AskedFault) => [fault]);
export const useArmAgain = () =>
  useArming(
    (fault: AskedFault) => [fault],
    (error) => notify.failed("Arm the fault again", error),
  );
export const useArmReadyMade = () =>
  useArming(
    ({ name, faults }: ReadyMadeFault) => faults.map((fault) => ({ name, ...fault })),
    (error) => notify.failed("Arm the fault", error),
  );
