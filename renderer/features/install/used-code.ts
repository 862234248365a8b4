import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Client, Side } from "../../../sandbox/contract/control/rows.ts";
import { useActAs } from "../../app/acting.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { callControl, exchangePartner } from "../../lib/service-client.ts";
import { keptIn } from "../../lib/storage.ts";
import { textIn } from "./flow.ts";

interface Demonstrations {
  /** Integrations that exist only because a failure was shown with their code. */
  readonly made: readonly string[];
}

/**
 * The service cannot tell such an integration from any other: this browser remembers the ones it made, so that the list
 * says what they are and nothing is called with them.
 */
export const useDemonstrations = create<Demonstrations>()(
  persist((): Demonstrations => ({ made: [] }), {
    name: "explorer.install.demonstrations",
    version: 1,
    storage: keptIn("browser"),
  }),
);

/** A code that was used up to show what happens then; shown again with the same one. */
export interface UsedUp {
  readonly access_code: string;
  readonly client_id: string;
}

/** Read from nowhere, as the flow is: a world that was reset forgets it. */
export const usedUpQuery = (world: string) =>
  queryOptions({
    queryKey: [...worldKeys(world).all, "install", "used-up"] as const,
    queryFn: (): UsedUp | null => null,
    initialData: (): UsedUp | null => null,
    gcTime: Number.POSITIVE_INFINITY,
  });

/**
 * Installs once so that a code is used up, and hands that code back. The key that comes with it is nobody's: it is made
 * for the organization this window calls for already, and that choice is written down first, because what
 * was installed here is acted as.
 */
export const useUsedCodeMaker = (client: Client | undefined, scope: Side): (() => Promise<string>) => {
  const world = useWorld();
  const queries = useQueryClient();
  const { credential: acting, choose } = useActAs(scope);
  return async () => {
    if (!(client && acting)) {
      throw new Error(`No ${scope} key yet. Install once, then use that code again here.`);
    }
    choose(acting.integration_id);
    const { client_id, client_secret = "" } = client;
    const { access_code } = await callControl("access-codes.issue", {
      client_id,
      organization_id: acting.organization_id,
      scope,
      world,
    });
    const body = { client_id, client_secret, access_code };
    const exchange = await exchangePartner("integrations.insert", body, { world, key: null });
    if (exchange.failure) throw exchange.failure;
    const id = textIn(exchange.body, "integration_id");
    useDemonstrations.setState(({ made }) => ({ made: [...made, id] }));
    queries.setQueryData(usedUpQuery(world).queryKey, (): UsedUp => ({ access_code, client_id }));
    return access_code;
  };
};
