import { keepPreviousData, type QueryClient, queryOptions, useMutation } from "@tanstack/react-query";
import type { Provocation } from "../../../sandbox/contract/control/explain-operations.ts";
import type { ConsoleCall } from "../../domain/exchange/console-call.ts";
import type { Declared } from "../../domain/exchange/declarations.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { useChanged } from "../../kernel/queries/changes.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { callControl } from "../../lib/service-client.ts";

export type { Provocation };

interface ProvocationRequest {
  readonly operation: string;
  /** Settings of the world that influence errors. */
  readonly switches: unknown;
}

/** Returns whether the service lists the operation's errors: only partner operations. */
export const hasErrorsListed = ({ id, group }: Pick<Declared, "id" | "group">): boolean =>
  group === "contract" || group === "extension" || id === "webhooks.subscribe" || id === "webhooks.secret";

const provocations = (world: string) => [...worldKeys(world).all, "provocations"] as const;

/** The operation's errors, each with a call that causes it in this world. */
export const provocationsQuery = (world: string, of: ProvocationRequest) =>
  queryOptions({
    // Read when the operation is opened and after each call from here, not after every change of the world.
    queryKey: [...provocations(world), of.operation, of.switches],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl("operations.provoke", { world, operation: of.operation }, { signal }),
  });

/** Reads the causing calls again, because a call may have changed the data they need. */
export const refetchProvocations = (client: QueryClient, world: string): Promise<void> =>
  client.invalidateQueries({ queryKey: provocations(world) });

export const provocationKey = ({ code, cause }: Provocation): string => `${code} ${cause}`;

const consoleCall = ({ operation, body, act_as, tenant, headers }: Provocation["call"]): ConsoleCall => ({
  ...{ operation, body },
  headers: tenant === undefined ? headers : [...headers, ["x-sandbox-tenant", tenant]],
  actAs: act_as === null ? { kind: "none" } : { kind: "credential", integration_id: act_as },
});

/** Fills in the call for an error, and arms its fault. */
export const useReproduce = (onCall: (call: ConsoleCall) => void) => {
  const world = useWorld();
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ call, fault }: Provocation) => {
      if (fault) {
        await callControl("faults.set", { world, ...fault });
        void changed(["fault"]);
      }
      return consoleCall(call);
    },
    onSuccess: onCall,
    onError: (error) => notify.failed("Reproduce", error),
  });
};
