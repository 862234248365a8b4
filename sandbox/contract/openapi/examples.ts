import type { EventType } from "../event-types.ts";
import type { RequestOf } from "../operation.ts";
import type { partnerOperations } from "../operations/partner.ts";
import answers from "./generated/answers.json" with { type: "json" };
import requests from "./request-examples.json" with { type: "json" };
import type { Json } from "./schemas.ts";

type PartnerOperation = (typeof partnerOperations)[number];
type Examples = { readonly [O in PartnerOperation as O["id"]]: RequestOf<O> };

/** Values of the seed that examples use; a test compares them with the seed. */
export const exampleClient = {
  client_id: "demo-client",
  client_secret: "cs_demo_4f1c9a7e2b8d4063a5be71c0d93f6e28",
} as const;
export const exampleCredentials = {
  repairer: {
    integration_id: "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01",
    webhook_secret: "pwh_Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA",
  },
  supplier: {
    integration_id: "8e27b4d6-51ac-4f39-a0c8-93d4e5f60b72",
    webhook_secret: "pwh_Zr5hC8wNqD2yBt7MxGk1VsLf9JpEa4UoR6iXnTgK3cQ",
  },
} as const;
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
export interface Recorded {
  /** The response to the example request, by operation. */
  readonly answers: Readonly<Record<string, Json>>;
  /** The sent notifications with their signature header. */
  readonly notifications: Readonly<Partial<Record<EventType, { readonly signature: string; readonly body: Json }>>>;
}

/** Placeholder for the service's own address. */
export const BASE_URL_PLACE = "{base_url}";

/** Returns the recording with the address of this service. */
export const recordingFor = (serverUrl: string): Recorded =>
  JSON.parse(JSON.stringify(answers).replaceAll(BASE_URL_PLACE, serverUrl)) as Recorded;
