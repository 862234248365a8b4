import type { Readable } from "node:stream";
import type { AppServices } from "../app-services.ts";
import { type ControlOperations, controlById } from "../contract/control/all-operations.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { Operation, RequestOf, ResponseOf } from "../contract/operation.ts";
import type { Person } from "../secrets/people.ts";
import type { TokenRecord } from "../storage/access-store.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import type { SlicedRead } from "../storage/slices.ts";
import type { World } from "../worlds/world.ts";

/** A recorded call to send again over HTTP. */
export interface ResentCall {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** ID of the original call. */
  readonly replaysId: string;
}

type Shared =
  | "worlds"
  | "access"
  | "audit"
  | "activity"
  | "deliveries"
  | "acting"
  | "drills"
  | "sink"
  | "snapshots"
  | "scenarios"
  | "nodes"
  | "runs"
  | "explorerFolder";

/** Context of a control operation: its world, and the service around it. */
export interface ControlContext
  extends Pick<AppServices, Shared | "settings" | "logFile" | "signEvidence" | "evidence" | "erase"> {
  /**
   * The world, created if missing by an operation that writes. @throws UnavailableWorldError @throws NoSuchWorldError
   */
  readonly world: World;
  /** The world's name, for work that needs no readable file (D87). */
  readonly worldName: string;
  /** The caller. A world token sees only its own world. */
  readonly caller: {
    readonly name: string;
    readonly token: Pick<TokenRecord, "name" | "world" | "scope" | "expires_at"> | null;
    readonly until: number | null;
  };
  readonly maySee: (world: string) => boolean;
  /** Issues a token for a person signed in at the proxy. */
  readonly signIn: () => (Person & { readonly token: string; readonly until: number }) | Refusal;
  /** @returns the ID of the new call, once it has ended */
  readonly resend: (call: ResentCall) => Promise<string>;
  /** Aborted when the caller disconnects or has its response. */
  readonly hungUp: AbortSignal;
  /** Runs a long read in slices on the caller's behalf. */
  readonly inSlices: <T>(read: () => SlicedRead<T>) => Promise<T>;
  readonly info: AppServices["info"] &
    Pick<AppServices, "mode" | "quotas"> & {
      readonly baseUrl: string;
      /** Actual listening address. */
      readonly address: string;
    };
}

/** JSON text in pieces, for a response too large for memory. */
export class StreamedResponse {
  readonly text: Readable;

  constructor(text: Readable) {
    this.text = text;
  }
}

/** Handler of an operation whose body is too large for memory. */
export interface BoundBody {
  readonly operation: Operation;
  readonly handleBody: (
    context: Omit<ControlContext, "world" | "worldName">,
    receive: (file: string) => Promise<void>,
  ) => Promise<unknown>;
}

export interface BoundControl {
  readonly operation: Operation;
  readonly handle: (context: ControlContext, input: never) => unknown;
}

type ControlResult<Id extends keyof ControlOperations> = ResponseOf<ControlOperations[Id]> | Refusal | StreamedResponse;

export const control = <Id extends keyof ControlOperations>(
  id: Id,
  handle: (
    context: ControlContext,
    input: RequestOf<ControlOperations[Id]>,
  ) => ControlResult<Id> | Promise<ControlResult<Id>>,
): BoundControl => ({ operation: controlById[id], handle: handle as BoundControl["handle"] });

const refuseUnknownRecord = (what: string, id: string): Refusal =>
  refuse("not_found", `/id ${id}: this world has ${what} with this ID. A reset or retention may have deleted it`);

export const refuseUnknownCall = (id: string): Refusal =>
  refuse(
    "not_found",
    `/id ${id}: this world has no recorded call with this ID. A reset or retention may have deleted it. Calls to the control plane and reads of existing pictures are never recorded; sink.list has those to the sink, activity.strays those to unknown worlds`,
  );
export const refuseUnknownDelivery = (id: string): Refusal => refuseUnknownRecord("no delivery", id);
/** Refusal for an ID that is neither a call nor a consequence of one. */
export const refuseUnknownLink = (id: string): Refusal => refuseUnknownRecord("nothing recorded", id);

/** Refusal for an unknown ID in a world. @param list operation that lists the valid ones */
export const refuseUnknown = (field: string, id: string, what: string, list: keyof ControlOperations): Refusal =>
  refuse("not_found", `/${field} ${id}: this world has no such ${what}. ${list} has the current ones`);
export const findIntegration = ({ stores }: World, id: string): CredentialRow | Refusal =>
  stores.credentials.findByIntegration(id.toLowerCase()) ??
  refuseUnknown("integration_id", id, "integration", "credentials.list");
