import type { Static, TSchema } from "typebox";
import type { Policies } from "../contract/control/policies.ts";
import type { Side, StateChange } from "../contract/control/rows.ts";
import type { Refusal } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import type { TestValueNote, WebhookChoice } from "../contract/test-values.ts";
import type { EventRecord } from "../storage/delivery-records.ts";
import type { Stores } from "../storage/stores.ts";

/** Who calls: the credential's organization and scope. */
export interface Caller {
  readonly integration_id: string;
  readonly organization_id: string;
  readonly scope: Side;
}

export type NewEvent = Pick<
  EventRecord,
  "event_type" | "organization_id" | "payload" | "job_id" | "procurement_id" | "label" | "announces"
>;

/** What a handler sees: this world's stores, its clock and switches; never HTTP. */
export interface HandlerContext {
  readonly stores: Stores;
  readonly policies: Policies;
  /** The world's clock, milliseconds since 1970. */
  readonly now: number;
  /** Address of this service without a trailing slash, for URLs in answers. */
  readonly baseUrl: string;
  /** The request body as it was sent: for what must be handed back unchanged. */
  bodyText(): string;
  /** The world the call is for. */
  readonly world: string;
  newId(): string;
  /** Signs an upload address (D64). */
  signUpload(id: string, expires: number): string;
  randomBytes(count: number): Uint8Array;
  /** Whether a test value may hold the call up, or answer it (D93). */
  readonly heedsTestValues: boolean;
  /** Notes on the record of the call which test values it met. */
  note(notes: readonly TestValueNote[]): void;
  /**
   * Queues an event in the outbox of the same transaction, a delivery for each recipient (D70).
   *
   * @param webhook what a test value makes of its notifications (D93)
   */
  emit(event: NewEvent, webhook?: WebhookChoice): void;
  /** Records in the trace what changed. */
  changed(change: StateChange): void;
  /** Links the exchange with what it is about, and says in a few words what came of it. */
  about(subject: {
    readonly job_id?: string;
    readonly procurement_id?: string | null;
    /** What a person knows it by. */
    readonly label?: string;
    readonly outcome?: string;
  }): void;
}

/** The context of an operation that takes credentials. */
export interface CallerContext extends HandlerContext {
  readonly caller: Caller;
}

/** A declaration bound to what carries it out. */
export interface BoundHandler {
  readonly operation: Operation;
  readonly handle: (context: CallerContext, input: never) => unknown;
  /** Writes the answer where plain JSON of the value would not do. */
  readonly serialize?: (value: never) => string;
}

/** Binds a declared operation to its handler, which returns the response or a refusal. */
export const handler = <Req extends TSchema, Res extends TSchema>(
  operation: Operation<Req, Res>,
  handle: (context: CallerContext, input: Static<Req>) => Static<Res> | Refusal,
  serialize?: (value: Static<Res>) => string,
): BoundHandler => ({
  operation,
  handle: handle as BoundHandler["handle"],
  ...(serialize ? { serialize: serialize as NonNullable<BoundHandler["serialize"]> } : {}),
});
