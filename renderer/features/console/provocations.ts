import { keepPreviousData, type QueryClient, queryOptions, useMutation } from "@tanstack/react-query";
import { fillReferences } from "../../../sandbox/contract/call-references.ts";
import type { Provocation } from "../../../sandbox/contract/control/explain-operations.ts";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import type { ConsoleCall } from "../../domain/exchange/console-call.ts";
import type { Declared } from "../../domain/exchange/declarations.ts";
import { useCredentials } from "../../kernel/credentials/acting.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { useChanged } from "../../kernel/queries/changes.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { callControl, originHeaders, post, worldHeaders } from "../../lib/service-client.ts";
import { controlToken } from "../../lib/session.ts";

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

/** Makes the calls that come first. @returns their responses by name */
const makeFirst = async (
  after: Provocation["after"],
  credentials: readonly Credential[],
): Promise<Readonly<Record<string, unknown>>> => {
  const saved: Record<string, unknown> = {};
  for (const { path, body, act_as, tenant, save } of after) {
    const key = credentials.find(({ integration_id }) => integration_id === act_as);
    const token = path.startsWith("/__sandbox/") ? controlToken() : key?.api_key;
    const exchange = await post(path, JSON.parse(fillReferences(body, saved)), {
      ...worldHeaders(tenant),
      ...originHeaders(),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { "service-integration-id": key.integration_id } : {}),
    });
    if (exchange.failure) throw exchange.failure;
    if (save !== undefined) saved[save] = exchange.body;
  }
  return saved;
};

const consoleCall = ({ operation, body, act_as, tenant, headers }: Provocation["call"]): ConsoleCall => ({
  ...{ operation, body },
  headers: tenant === undefined ? headers : [...headers, ["x-sandbox-tenant", tenant]],
  actAs: act_as === null ? { kind: "none" } : { kind: "credential", integration_id: act_as },
});

/** Fills in the call for an error, after the calls that come first, and arms its fault. */
export const useReproduce = (onCall: (call: ConsoleCall) => void) => {
  const world = useWorld();
  const changed = useChanged();
  const { data: credentials = [] } = useCredentials();
  return useMutation({
    mutationFn: async ({ after, call, fault }: Provocation) => {
      if (fault) {
        await callControl("faults.set", { world, ...fault });
        void changed(["fault"]);
      }
      const saved = await makeFirst(after, credentials);
      return consoleCall(JSON.parse(fillReferences(JSON.stringify(call), saved)) as Provocation["call"]);
    },
    onSuccess: onCall,
    onError: (error) => notify.failed("Reproduce", error),
  });
};
