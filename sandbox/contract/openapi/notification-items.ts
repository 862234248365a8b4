import {
  Envelope,
  type EventType,
  eventTypes,
  JobEventPayload,
  ProcurementEventPayload,
  SIGNATURE_HEADER,
} from "../events.ts";
import { badge } from "./badge.ts";
import { decisionNotes } from "./description.ts";
import { exampleCredentials } from "./examples.ts";
import { documented, type Plain } from "./json-schema.ts";
import type { Recorded } from "./recorded.ts";
import { parameter } from "./route.ts";

const summaries: Record<EventType, string> = {
  "repairer.jobs": "Tells the repairer that a job was inserted, updated or deleted.",
  "repairer.procurements": "Tells the repairer that a procurement it is party to changed status.",
  "supplier.procurements": "Tells the supplier that a procurement it is party to changed status.",
};

const payloads: Record<EventType, unknown> = {
  "repairer.jobs": JobEventPayload,
  "repairer.procurements": ProcurementEventPayload,
  "supplier.procurements": ProcurementEventPayload,
};

const decisions: Record<EventType, readonly string[]> = {
  "repairer.jobs": ["D70", "D72", "D73", "D75"],
  "repairer.procurements": ["D70", "D72", "D73", "D74"],
  "supplier.procurements": ["D70", "D72", "D73", "D74"],
};

const WHAT_TO_DO =
  "Posted to every subscribed address, at least once, after the call that caused it was answered. Verify the signature over the raw bytes, refuse a `webhook_timestamp` more than 5 minutes from now, deduplicate by `message_id`, and answer 200; then fetch the current state.";

const secretFor = (type: EventType): string =>
  exampleCredentials[type.startsWith("supplier.") ? "supplier" : "repairer"].webhook_secret;

/** The envelope of one type of event, its eight fields in their order. */
const envelopeOf = (type: EventType): Plain => {
  const written = documented({ ...Envelope });
  return {
    ...written,
    properties: {
      ...(written.properties as Plain),
      event_type: { type: "string", const: type },
      payload: documented(payloads[type]),
    },
  };
};

const notificationItem = (type: EventType, recorded: Recorded): Plain => {
  const example = recorded.notifications[type];
  return {
    post: {
      operationId: `webhook.${type}`,
      summary: summaries[type],
      description: `${WHAT_TO_DO}\n\nThe example is signed over its JSON without spaces, with the pre-loaded secret \`${secretFor(type)}\`.${decisionNotes(decisions[type])}`,
      tags: ["Webhooks"],
      ...badge("contract", decisions[type]),
      security: [],
      parameters: [
        parameter(
          "header",
          SIGNATURE_HEADER,
          { type: "string" },
          "base64(HMAC-SHA256(key = webhook secret, message = raw request body bytes)).",
          example?.signature ?? "",
        ),
      ],
      requestBody: {
        description: "The envelope, with exactly these eight fields.",
        required: true,
        content: { "application/json": { schema: envelopeOf(type), example: example?.body ?? {} } },
      },
      responses: {
        "200": { description: "The notification is acknowledged, whatever the body says." },
        default: { description: "The notification is not acknowledged, and sent again." },
      },
    },
  };
};

/** The notifications, by event type. */
export const notificationItems = (recorded: Recorded): Plain =>
  Object.fromEntries(eventTypes.map((type) => [type, notificationItem(type, recorded)]));
