import type { EventType } from "../events.ts";
import answers from "./generated/answers.json" with { type: "json" };
import type { Json, Plain } from "./json-schema.ts";

/** A notification as it was posted, and the header it was signed with. */
export interface RecordedNotification {
  readonly signature: string;
  readonly body: Json;
}

/**
 * What the service answered in fresh worlds whose clock stood still. A test records it again and fails when it is not
 * the same; what is new at every call (identifiers, keys, signatures) has been given fixed values.
 */
export interface Recorded {
  /** The answer to the example request, by operation. */
  readonly answers: Readonly<Record<string, Json>>;
  /** What refusals an operation was provoked to, by operation and code. */
  readonly refusals: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Refusals that do not depend on the operation, by code and what provoked them. */
  readonly shared: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly notifications: Readonly<Partial<Record<EventType, RecordedNotification>>>;
}

/** Stands in the recording where the service's own address stood. */
export const BASE_URL_PLACE = "{base_url}";

/** The recording as a service at this address would have answered. */
export const recordedAt = (serverUrl: string): Recorded =>
  JSON.parse(JSON.stringify(answers).replaceAll(BASE_URL_PLACE, serverUrl)) as Recorded;

/** Media type examples, each with its badge. */
export const examplesOf = (values: Readonly<Record<string, Json>>, badge: Plain = {}): Plain =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { ...badge, value }]));
