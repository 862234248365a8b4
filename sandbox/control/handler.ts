import type { Static, TSchema } from "typebox";
import type { Refusal } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import type { Drills } from "../webhooks/drills.ts";
import type { DeliveryEngine } from "../webhooks/engine.ts";
import type { Sink } from "../webhooks/sink.ts";
import type { Snapshots } from "../worlds/snapshots.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";

/** A kept call that is sent again, over the service's own door. */
export interface ResentCall {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** The exchange it was. */
  readonly replaysId: string;
}

/** What the control plane works with: the world it was asked about, and the service around it. */
export interface ControlContext {
  readonly world: World;
  readonly worlds: Worlds;
  readonly deliveries: DeliveryEngine;
  readonly drills: Drills;
  readonly sink: Sink;
  readonly snapshots: Snapshots;
  /** @returns the exchange it became, once it has ended; null when none was kept */
  readonly resend: (call: ResentCall) => Promise<string | null>;
  /** Aborted when the caller has gone, or has its answer. */
  readonly hungUp: AbortSignal;
  readonly info: {
    readonly version: string;
    readonly baseUrl: string;
    readonly mode: "local" | "deployed";
    readonly dataFolder: string | null;
    readonly deliveriesOn: boolean;
    readonly startedAt: number;
  };
}

export interface BoundControl {
  readonly operation: Operation;
  readonly handle: (context: ControlContext, input: never) => unknown;
}

/** Binds a control operation to its handler, which may write through the world and so answer later. */
export const control = <Req extends TSchema, Res extends TSchema>(
  operation: Operation<Req, Res>,
  handle: (context: ControlContext, input: Static<Req>) => Static<Res> | Refusal | Promise<Static<Res> | Refusal>,
): BoundControl => ({ operation, handle: handle as BoundControl["handle"] });

export const iso = (at: number): string => new Date(at).toISOString();
