import type { FaultMark } from "../contract/control/fault-rows.ts";
import type { ProvenOrigin, Side, UnroutedKind } from "../contract/control/rows.ts";
import type { RefusedFor } from "../contract/errors.ts";
import type { World } from "../worlds/world.ts";

/** What is known of an exchange by the time it is answered; the log of requests is written from it. */
export interface Exchange {
  readonly world: World;
  readonly startedAt: number;
  readonly started: number;
  operation: string | null;
  requestBody: Uint8Array | null;
  responseBody: string;
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

export const newExchange = (world: World, operation: string | null, requestBody: Uint8Array | null): Exchange => ({
  world,
  startedAt: Date.now(),
  started: performance.now(),
  operation,
  requestBody,
  responseBody: "",
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
