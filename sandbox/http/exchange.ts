import type { FaultMark } from "../contract/control/fault-rows.ts";
import type { ProvenOrigin, Side, UnroutedKind } from "../contract/control/rows.ts";
import type { RefusedFor } from "../contract/errors.ts";

/** What is known of an exchange by the time it is answered; its record is made of it. */
export interface Exchange {
  /** The name of the world on whose record it is. */
  readonly world: string;
  readonly startedAt: number;
  readonly started: number;
  /** It is on record, or about to be with what it changed. */
  recorded: boolean;
  /** The disk refused to have it on record. */
  refused: boolean;
  operation: string | null;
  requestBody: Buffer | null;
  integration_id: string | null;
  side: Side | null;
  error_code: string | null;
  outcome: string;
  events: number;
  job_id: string | null;
  procurement_id: string | null;
  label: string | null;
  /** Bodies carry secrets that must not be kept. */
  sensitive: boolean;
  /** The faults it met; null: none. */
  faults: FaultMark[] | null;
  /** Why it reached no operation; null: it did. */
  unrouted: UnroutedKind | null;
  origin: ProvenOrigin | null;
  /** Why it was refused; null: it was not, or by nothing that has a name. */
  refusedFor: RefusedFor | null;
}

/** @param ago how long it has been under way, in milliseconds */
export const newExchange = (
  world: string,
  operation: string | null,
  requestBody: Buffer | null,
  ago = 0,
): Exchange => ({
  world,
  startedAt: Date.now() - ago,
  started: performance.now() - ago,
  recorded: false,
  refused: false,
  operation,
  requestBody,
  integration_id: null,
  side: null,
  error_code: null,
  outcome: "",
  events: 0,
  job_id: null,
  procurement_id: null,
  label: null,
  sensitive: false,
  faults: null,
  unrouted: null,
  origin: null,
  refusedFor: null,
});

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange | null;
  }
}
