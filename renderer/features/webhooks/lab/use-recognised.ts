import { skipToken, useQuery } from "@tanstack/react-query";
import type { Attempt, Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { useCredentials } from "../../../app/acting.ts";
import { canCompute } from "../message/notification.ts";
import { computedIn } from "./lab-store.ts";

/** What the lab recognises in a receiver's answer; null where it holds no signature, or none that is known. */
export const useRecognised = (
  delivery: Pick<Delivery, "id" | "integration_id"> | undefined,
  attempt: Attempt | null | undefined,
): string | null => {
  const { data: credentials = [] } = useCredentials();
  const secret = credentials.find(({ integration_id }) => integration_id === delivery?.integration_id)?.webhook_secret;
  const value = attempt ? computedIn(attempt) : "";
  const { data } = useQuery({
    queryKey: ["recognised", delivery?.id, attempt?.number, credentials.length],
    queryFn:
      attempt && value !== "" && secret !== undefined && canCompute()
        ? async ({ signal }) => (await import("./recognise.ts")).recognise(attempt, value, secret, credentials, signal)
        : skipToken,
  });
  return data ?? null;
};
