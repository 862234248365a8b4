import { useCallback } from "react";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { useCredentials } from "../../acting.ts";

/** Whose key a call was made with, by name; "no key" for the calls that take none or brought a wrong one. */
export const useWho = (): ((row: Pick<RequestRow, "integration_id">) => string) => {
  const { data } = useCredentials();
  return useCallback(
    ({ integration_id }) => {
      if (integration_id === null) return "no key";
      const known = data?.find((credential) => credential.integration_id === integration_id);
      return known?.organization_name ?? "another key";
    },
    [data],
  );
};
