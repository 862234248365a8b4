import { useMutation } from "@tanstack/react-query";
import { supplierProcurementsConfirm } from "../../../sandbox/contract/operations/partner.ts";
import type { KeyedCredential } from "../../app/acting.ts";
import { announce } from "../../lib/announce.ts";
import { exchangePartner } from "../../lib/service-client.ts";

/**
 * Sends `supplier.procurements.confirm` with a key, or with none. A refusal is an answer, not an error: the mutation
 * fails only when nothing answered.
 */
export const useConfirm = (id: string) =>
  useMutation({
    mutationFn: async (credential: KeyedCredential | null) => {
      const exchange = await exchangePartner(supplierProcurementsConfirm, { identity: { id } }, credential);
      return { ...exchange, answeredAt: Date.now() };
    },
    onSuccess: ({ status, failure }) => announce(failure ? `Answered ${status} ${failure.code}` : `Answered ${status}`),
  });
