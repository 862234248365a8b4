import { useQueryClient } from "@tanstack/react-query";
import type { Client, Side } from "../../../sandbox/contract/control/rows.ts";
import { useActAs } from "../../app/acting.ts";
import { useWorld } from "../../app/world.ts";
import { callControl, exchangePartner } from "../../lib/service-client.ts";
import { textIn } from "./answer-text.ts";
import { type UsedUp, useDemonstrations, usedUpQuery } from "./demonstrations.ts";

/**
 * Installs once so that a code is used up, and hands that code back. The key that comes with it is nobody's: it is made
 * for the organization this window calls for already, and that choice is written down first, because the newest key
 * would be called with by itself.
 */
export const useUsedCodeMaker = (client: Client | undefined, scope: Side): (() => Promise<string>) => {
  const world = useWorld();
  const queries = useQueryClient();
  const { credential: acting, choose } = useActAs(scope);
  const keep = useDemonstrations((state) => state.keep);
  return async () => {
    if (!(client && acting)) {
      throw new Error(`There is no key of a ${scope} yet: install once, then try that install’s code again here.`);
    }
    choose(acting.integration_id);
    const { client_id, client_secret = "" } = client;
    const { access_code } = await callControl("access-codes.issue", {
      client_id,
      organization_id: acting.organization_id,
      scope,
      world,
    });
    const exchange = await exchangePartner("integrations.insert", { client_id, client_secret, access_code }, null);
    if (exchange.failure) throw exchange.failure;
    keep(textIn(exchange.body, "integration_id"));
    queries.setQueryData(usedUpQuery(world).queryKey, (): UsedUp => ({ access_code, client_id }));
    return access_code;
  };
};
