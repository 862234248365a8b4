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
  /** Whose call it should be, where the error leaves the choice. */
  readonly integration: string | null;
  /** Of the world, on which some errors depend. */
  readonly switches: unknown;
}

const asked = (world: string, { operation, integration }: Asked) => ({
  ...{ world, operation },
  ...(integration === null ? {} : { integration_id: integration }),
});

/** Whether the service lists the errors of an operation: all but those of addresses that files and people go to. */
export const hasErrorsListed = ({ id, group }: Pick<Declared, "id" | "group">): boolean =>
  group !== "route" || id.startsWith("webhooks.");

/** The errors of an operation, each with what would make it happen in this world. */
export const provocationsQuery = (world: string, of: Asked) =>
  queryOptions({
    queryKey: worldKeys(world).partner("operations.provoke", of.operation, of.integration, of.switches),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl("operations.provoke", asked(world, of), { signal }),
  });

export const keyOf = ({ code, cause, name }: Provocation): string => `${code} ${cause} ${name}`;

const consoleCall = ({ operation, body, act_as, tenant, headers }: NonNullable<Provocation["call"]>): ConsoleCall => ({
  ...{ operation, body, headers },
  actAs: act_as === null ? { kind: "none" } : { kind: "credential", integration_id: act_as },
  ...(tenant === undefined ? {} : { tenant }),
});

/** Composes the call anew, as the world is now, and arms the fault that it takes. */
export const useMakeHappen = (of: Asked, onCall: (call: ConsoleCall) => void) => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (listed: Provocation) => {
      const { items } = await callControl("operations.provoke", {
        ...asked(world, of),
        ...{ code: listed.code, reveal: true },
      });
      const now = items.find((item) => keyOf(item) === keyOf(listed));
      if (now?.fault) {
        await callControl("faults.set", { world, ...now.fault });
        void client.invalidateQueries({ queryKey: worldKeys(world).faults() });
      }
      if (now?.call) return consoleCall(now.call);
      void client.invalidateQueries({ queryKey: provocationsQuery(world, of).queryKey });
      throw new Error(now?.needs ?? "The operation does not give this error any more.");
    },
    onSuccess: onCall,
    onError: (error) => notify.failed("Make it happen", error),
  });
};
