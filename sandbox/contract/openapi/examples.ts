import type { EventType } from "../event-types.ts";
import type { RequestOf } from "../operation.ts";
import type { partnerOperations } from "../operations/partner.ts";
import answers from "./generated/answers.json" with { type: "json" };
import requests from "./request-examples.json" with { type: "json" };
import type { Json } from "./schemas.ts";

type PartnerOperation = (typeof partnerOperations)[number];
type Examples = { readonly [O in PartnerOperation as O["id"]]: RequestOf<O> };

/** Values of the seeded world that examples name; a test holds them to the seed. */
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
 * One request of each operation. They name things of the seeded world, so that what the document shows can be sent as
 * it stands (only an access code is good once); a test sends every one of them.
 */
export const requestExamples = requests as unknown as Examples;

/**
 * What the service answered in fresh worlds whose clock stood still. A test records it again and fails when it is not
 * the same; what is new at every call (identifiers, keys, signatures) has been given fixed values.
 */
export interface Recorded {
  /** The answer to the example request, by operation. */
  readonly answers: Readonly<Record<string, Json>>;
  /** As they were posted, with the header they were signed with. */
  readonly notifications: Readonly<Partial<Record<EventType, { readonly signature: string; readonly body: Json }>>>;
}

/** Stands in the recording where the service's own address stood. */
export const BASE_URL_PLACE = "{base_url}";

/** The recording as a service at this address would have answered. */
export const recordedAt = (serverUrl: string): Recorded =>
  JSON.parse(JSON.stringify(answers).replaceAll(BASE_URL_PLACE, serverUrl)) as Recorded;
