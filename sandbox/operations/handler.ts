import type { Static, TSchema } from "typebox";
import type { Policies } from "../contract/control/policies.ts";
import type { Side, StateChange } from "../contract/control/rows.ts";
import type { Refusal } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import type { TestValueNote, WebhookChoice } from "../contract/test-values.ts";
import type { EventRecord } from "../storage/delivery-records.ts";
import type { Stores } from "../storage/stores.ts";

export interface Caller {
  readonly integration_id: string;
  readonly organization_id: string;
  readonly scope: Side;
}

export type NewEvent = Pick<
  EventRecord,
  "event_type" | "organization_id" | "payload" | "job_id" | "procurement_id" | "label" | "announces"
>;

/** Context of a handler: the world's stores, clock and policies, without HTTP. */
export interface HandlerContext {
  readonly stores: Stores;
  readonly policies: Policies;
  /** The world's clock, milliseconds since 1970. */
  readonly now: number;
  /** Service address without a trailing slash, for URLs in responses. */
  readonly baseUrl: string;
  /** Request body as sent, for values that must be returned unchanged. */
  bodyText(): string;
  readonly world: string;
  newId(): string;
  /** Signs an upload address (D64). */
  signUpload(id: string, expires: number): string;
  randomBytes(count: number): Uint8Array;
  /** True if a test value may delay or replace the response (D93). */
  readonly heedsTestValues: boolean;
  /** Records the test values that applied. */
  note(notes: readonly TestValueNote[]): void;
  /**
   * Queues an event in the outbox of the same transaction, with a delivery for each recipient (D70).
   *
   * @param webhook effect of a test value on its notifications (D93)
   */
  emit(event: NewEvent, webhook?: WebhookChoice): void;
  changed(change: StateChange): void;
  /** Links the call with its subject, and records a short outcome. */
  about(subject: {
    readonly job_id?: string;
    readonly procurement_id?: string | null;
    /** Human-readable name of the subject. */
    readonly label?: string;
    readonly outcome?: string;
  }): void;
}

export interface CallerContext extends HandlerContext {
  readonly caller: Caller;
}

export interface BoundHandler {
  readonly operation: Operation;
  readonly handle: (context: CallerContext, input: never) => unknown;
  /** Serializes the response if plain JSON isn't sufficient. */
  readonly serialize?: (value: never) => string;
}

/** Binds an operation to a handler, which returns the response or a refusal. */
export const handler = <Req extends TSchema, Res extends TSchema>(
  operation: Operation<Req, Res>,
  handle: (context: CallerContext, input: Static<Req>) => Static<Res> | Refusal,
  serialize?: (value: Static<Res>) => string,
): BoundHandler => ({
  operation,
  handle: handle as BoundHandler["handle"],
  ...(serialize ? { serialize: serialize as NonNullable<BoundHandler["serialize"]> } : {}),
});
