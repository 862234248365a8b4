import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Provocation } from "../../../sandbox/contract/control/provoke-operations.ts";
import { notify } from "../../app/notices.tsx";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import type { ConsoleCall } from "../../domain/exchange/console-call.ts";
import type { Declared } from "../../domain/exchange/declarations.ts";
import { callControl } from "../../lib/service-client.ts";

export type { Provocation };

interface Asked {
  readonly operation: string;
  /** Of the world, on which some errors depend. */
  readonly switches: unknown;
}

/** Whether the service lists the errors of an operation: of what partners call. */
export const hasErrorsListed = ({ id, group }: Pick<Declared, "id" | "group">): boolean =>
  group === "contract" || group === "extension" || id === "webhooks.subscribe" || id === "webhooks.secret";

/** The errors of an operation, each with what would make it happen in this world. */
export const provocationsQuery = (world: string, of: Asked) =>
  queryOptions({
    queryKey: worldKeys(world).partner("operations.provoke", of.operation, of.switches),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl("operations.provoke", { world, operation: of.operation }, { signal }),
  });

export const keyOf = ({ code, cause }: Provocation): string => `${code} ${cause}`;

const consoleCall = ({ operation, body, act_as, tenant, headers }: Provocation["call"]): ConsoleCall => ({
  ...{ operation, body, headers },
  actAs: act_as === null ? { kind: "none" } : { kind: "credential", integration_id: act_as },
  ...(tenant === undefined ? {} : { tenant }),
});

/** Fills in the call that an error was listed with, and arms the fault that it takes. */
export const useReproduce = (onCall: (call: ConsoleCall) => void) => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ call, fault }: Provocation) => {
      if (fault) {
        await callControl("faults.set", { world, ...fault });
        void client.invalidateQueries({ queryKey: worldKeys(world).faults() });
      }
      return consoleCall(call);
    },
    onSuccess: onCall,
    onError: (error) => notify.failed("Reproduce", error),
  });
};
