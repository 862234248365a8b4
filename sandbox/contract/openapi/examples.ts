import type { EventType } from "../event-types.ts";
import type { RequestOf } from "../operation.ts";
import type { partnerOperations } from "../operations/partner.ts";
import answers from "./generated/answers.json" with { type: "json" };
import requests from "./request-examples.json" with { type: "json" };
import type { Json } from "./schemas.ts";

type PartnerOperation = (typeof partnerOperations)[number];
type Examples = { readonly [O in PartnerOperation as O["id"]]: RequestOf<O> };

/** A picture of the seed that examples use; a test compares it with the seed. */
export const exampleMedia = { id: "93014059-0550-527f-b4db-22fe3a43bd62", name: "front.webp" } as const;

/**
 * One request for each operation. They use the seed's data, so each can be sent as shown (an access code only once); a
 * test sends them all.
 */
export const requestExamples = requests as unknown as Examples;

/**
 * Responses of fresh worlds with a stopped clock. A test records them again and fails on a difference; identifiers,
 * keys and signatures are replaced by fixed values.
 */
export interface RecordedExamples {
  /** The response to the example request, by operation. */
  readonly answers: Readonly<Record<string, Json>>;
  /** The sent notifications with their signature header. */
  readonly notifications: Readonly<Partial<Record<EventType, { readonly signature: string; readonly body: Json }>>>;
}

/** Placeholder for the service's own address. */
export const BASE_URL_PLACE = "{base_url}";

/** Returns the recording with the address of this service. */
export const recordingFor = (serverUrl: string): RecordedExamples =>
  JSON.parse(JSON.stringify(answers).replaceAll(BASE_URL_PLACE, serverUrl)) as RecordedExamples;
