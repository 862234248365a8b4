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

/** A kept call that is sent again, over the service's own door. */
export interface ResentCall {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** The exchange it was. */
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

/** What the control plane works with: the world it was asked about, and the service around it. */
export interface ControlContext
  extends Pick<AppServices, Shared | "settings" | "logFile" | "signEvidence" | "evidence" | "erase"> {
  /** The world it was asked about; what writes makes it when there is none. @throws UnavailableWorldError @throws NoSuchWorldError */
  readonly world: World;
  /** Its name: for what is done also to a world whose file is damaged (D87). */
  readonly worldName: string;
  /** Who calls; a world token sees its own world alone. */
  readonly caller: {
    readonly name: string;
    readonly token: Pick<TokenRecord, "name" | "world" | "scope" | "expires_at"> | null;
    readonly until: number | null;
  };
  /** Whether who calls may see a world, by its name. */
  readonly maySee: (world: string) => boolean;
  /** A token for who has signed in at the proxy. */
  readonly signIn: () => (Person & { readonly token: string; readonly until: number }) | Refusal;
  /** @returns the id of the exchange it became, once it has ended */
  readonly resend: (call: ResentCall) => Promise<string>;
  /** Aborted when the caller has gone, or has its answer. */
  readonly hungUp: AbortSignal;
  /** Carries out a read that may take long, for the caller. */
  readonly inSlices: <T>(read: () => SlicedRead<T>) => Promise<T>;
  readonly info: AppServices["info"] &
    Pick<AppServices, "mode" | "quotas"> & {
      readonly baseUrl: string;
      /** Where it really listens. */
      readonly address: string;
    };
}

/** What a handler answers whose answer is too large to be held: the JSON text, in pieces. */
export class StreamedAnswer {
  readonly text: Readable;

  constructor(text: Readable) {
    this.text = text;
  }
}

/** What carries out an operation whose body is too large to be held. */
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

type Answered<Id extends keyof ControlOperations> = ResponseOf<ControlOperations[Id]> | Refusal | StreamedAnswer;

/** Binds what carries out a control operation, which may write through the world and so answer later. */
export const control = <Id extends keyof ControlOperations>(
  id: Id,
  handle: (context: ControlContext, input: RequestOf<ControlOperations[Id]>) => Answered<Id> | Promise<Answered<Id>>,
): BoundControl => ({ operation: controlById[id], handle: handle as BoundControl["handle"] });

const notKept = (what: string, id: string): Refusal =>
  refuse("not_found", `/id ${id}: this world has ${what} with this ID. A reset or retention may have deleted it`);

/** That there is no such call, as it was asked for. */
export const noCall = (id: string): Refusal => notKept("no recorded call", id);
export const noDelivery = (id: string): Refusal => notKept("no delivery", id);
/** That it is neither a call nor anything that followed from one. */
export const noLink = (id: string): Refusal => notKept("nothing recorded", id);

/** That a world has nothing by an id. @param list the operation that says what it has */
export const noneSuch = (field: string, id: string, what: string, list: keyof ControlOperations): Refusal =>
  refuse("not_found", `/${field} ${id}: this world has no such ${what}. ${list} has the current ones`);
/** The credential of an integration, by the id that was asked for. */
export const findIntegration = ({ stores }: World, id: string): CredentialRow | Refusal =>
  stores.credentials.findByIntegration(id.toLowerCase()) ??
  noneSuch("integration_id", id, "integration", "credentials.list");
