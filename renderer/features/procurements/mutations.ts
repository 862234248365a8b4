import { useMutation, useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import type { PartnerCall } from "../../../sandbox/contract/operations/partner-calls.ts";
import { explanationQuery } from "../../domain/trace/queries.ts";
import type { KeyedCredential } from "../../kernel/credentials/acting.ts";
import { useChanged } from "../../kernel/queries/changes.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { announce } from "../../lib/announce.ts";
import { type Exchange, exchangePartner } from "../../lib/service-client.ts";

/** Operations that change an existing order's state. */
export type MoveOperation = Extract<PartnerCall, "supplier.procurements.confirm" | "procurements.cancel">;

const announceResponse = ({ status, failure }: Exchange) =>
  announce(failure ? `Response: ${status} ${failure.code}` : `Response: ${status}`);

/**
 * Sends a transition with a key or without one. A refusal is a response, not an error: the mutation fails only without
 * a response. It completes after the order's data was read again.
 */
export const useMove = (operation: MoveOperation, { id, job_id }: Pick<ProcurementRow, "id" | "job_id">) => {
  const world = useWorld();
  const changed = useChanged();
  return useMutation({
    mutationFn: async (credential: KeyedCredential | null) => {
      const exchange = await exchangePartner(operation, { identity: { id } }, { world, key: credential });
      return { ...exchange, side: credential?.scope ?? null };
    },
    onSuccess: (exchange) => {
      announceResponse(exchange);
      return changed(exchange.ok ? ["call", "procurement", "delivery"] : ["call"], job_id);
    },
  });
};

export type Move = ReturnType<typeof useMove>;

/** Scrolls a response into view when it arrives, and again when its cause is known. */
export const useResponseInView = <E extends HTMLElement>({ data, error }: Move): RefObject<E | null> => {
  const box = useRef<E>(null);
  const { data: explained } = useQuery(explanationQuery(useWorld(), data?.failure ? data.requestId : null));
  useEffect(() => {
    if (data ?? error ?? explained) box.current?.scrollIntoView({ block: "nearest" });
  }, [data, error, explained]);
  return box;
};
