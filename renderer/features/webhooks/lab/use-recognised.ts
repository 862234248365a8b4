import { skipToken, useQuery } from "@tanstack/react-query";
import type { Attempt, Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { useCredentials } from "../../../app/acting.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { canCompute } from "../message/notification.ts";
import { computedIn } from "./lab-store.ts";

/** What the lab recognises in a receiver's answer; null where it holds no signature, or none that is known. */
export const useRecognised = (
  delivery: Pick<Delivery, "id" | "integration_id"> | undefined,
  attempt: Attempt | null | undefined,
): string | null => {
  const world = useWorld();
  const { data: credentials = [] } = useCredentials();
  const secret = credentials.find(({ integration_id }) => integration_id === delivery?.integration_id)?.webhook_secret;
  const others = credentials.map(({ webhook_secret }) => webhook_secret);
  const value = attempt ? computedIn(attempt) : "";
  const { data } = useQuery({
    // Of all that it is made from: another secret makes another signature.
    queryKey: [...worldKeys(world).all, "recognised", delivery?.id, attempt?.number, secret, others],
    queryFn:
      attempt && value !== "" && secret !== undefined && canCompute()
        ? async ({ signal }) => (await import("./recognise.ts")).recognise(attempt, value, secret, credentials, signal)
        : skipToken,
  });
  return data ?? null;
};
