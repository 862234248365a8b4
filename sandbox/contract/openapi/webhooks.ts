import * as Type from "typebox";
import { type EventType, events, eventTypes } from "../event-types.ts";
import { Envelope, payloadOf } from "../events.ts";
import { ofItsWorld } from "../operation-errors.ts";
import { AbsoluteUrl, OneOf, Text, Uuid } from "../schema.ts";
import { type RejectReason, SIGNATURE_HEADER } from "../signature.ts";
import { decisionNotes } from "./decisions.ts";
import { exampleCredentials, type Recorded } from "./examples.ts";
import { badge, taggedSchema } from "./refusals.ts";
import { json, outer, parameter, type Route } from "./route.ts";
import { documented, type Plain } from "./schemas.ts";

/** Contract, "Subscription": the reasons a subscription is refused. */
export const subscriptionRefusals = [
  "url_not_loopback",
  "https_required",
  "private_or_reserved_host",
  "missing_field",
  "bad_body",
  "too_many_subscriptions",
] as const;

/** D78: the reasons the sink refuses a notification, by status. */
export const sinkRefusals = {
  400: ["missing_timestamp", "stale_timestamp"],
  401: ["missing_signature", "bad_signature"],
} as const satisfies Record<number, readonly RejectReason[]>;

const refused = (reasons: readonly string[]): Plain =>
  documented(Type.Object({ ok: Type.Literal(false), reason: OneOf(reasons) }));
const orBadTenantName = (own: Plain): Plain => ({ oneOf: [own, taggedSchema(["bad_request"])] });

const signatureHeader = (description: string, example = ""): Plain =>
  parameter("header", SIGNATURE_HEADER, { type: "string" }, description, example);

const outerOfPost = [...outer, "payload_too_large"] as const;

const subscribe: Route = {
  operationId: "webhooks.subscribe",
  method: "post",
  path: "/__webhooks/subscribe",
  tag: "Webhooks",
  summary: "Registers an address for an integration’s notifications.",
  description:
    "A local sandbox needs a loopback address, `http` or `https`. A deployed sandbox needs a public `https` address. A world with its own keys, such as one with an invited partner, also needs the two credential headers of that integration.",
  decisions: ["D4", "D70", "D71", "D76", "D77", "D86"],
  credentials: "optional",
  tenant: true,
  body: json(
    "The integration and the address.",
    documented(
      Type.Object({
        integration_id: Uuid("The integration"),
        url: AbsoluteUrl("The receiver’s address"),
      }),
    ),
    { integration_id: exampleCredentials.repairer.integration_id, url: "http://127.0.0.1:5173/webhooks" },
  ),
  answers: {
    200: json("The address is registered.", documented(Type.Object({ ok: Type.Literal(true) }))),
    400: json(
      "Nothing was registered, for the given reason; or the tenant name is invalid.",
      orBadTenantName(refused(subscriptionRefusals)),
    ),
    401: json(
      "Extension: this world needs the credential headers of the integration to subscribe, and they are missing or not its own.",
      refused(["unauthorized"]),
    ),
  },
  refusals: [...outerOfPost, "unsupported_media_type", "storage_unavailable", ...ofItsWorld],
};

const sink = ({ notifications }: Recorded): Route => ({
  operationId: "webhooks.sink",
  method: "post",
  path: "/__webhooks/sink",
  tag: "Webhooks",
  summary: "Verifies a notification, deduplicates it by message_id and acknowledges it.",
  description:
    "A receiver to compare yours with. Subscribe it like any other address. It verifies in the contract’s order.",
  decisions: ["D78"],
  tenant: true,
  parameters: [signatureHeader("The signature of the raw body.", notifications["repairer.jobs"]?.signature)],
  body: json("A notification, byte for byte as signed.", documented(Envelope), notifications["repairer.jobs"]?.body),
  answers: {
    200: json(
      "The notification is valid; `deduped` is true for a repeat.",
      documented(Type.Object({ ok: Type.Literal(true), deduped: Type.Boolean() })),
    ),
    400: json(
      "The timestamp is missing or outside the replay window; or the tenant name is invalid.",
      orBadTenantName(refused(sinkRefusals[400])),
    ),
    401: json("The signature is missing or doesn’t match the body.", refused(sinkRefusals[401])),
  },
  refusals: outerOfPost,
});

const secret: Route = {
  operationId: "webhooks.secret",
  method: "post",
  path: "/__webhooks/secret",
  tag: "Webhooks",
  summary: "Returns the secret that signs an integration’s notifications.",
  description: "Needs a credential of either scope, and no body.",
  decisions: ["D20", "D26"],
  credentials: true,
  tenant: true,
  answers: {
    200: json(
      "The secret of the calling integration.",
      documented(Type.Object({ integration_id: Uuid("The calling integration"), secret: Text("Its webhook secret") })),
    ),
  },
  refusals: ["unauthorized", "bad_request", ...outerOfPost, ...ofItsWorld],
};

/** The sandbox routes about webhooks (contract, "Subscription", "Reference sink"; D26). */
export const webhookRoutes = (recorded: Recorded): readonly Route[] => [subscribe, secret, sink(recorded)];

const WHAT_TO_DO =
  "Posted to every subscribed address, at least once, after the call that caused it has responded. Verify the signature over the raw bytes, refuse a `webhook_timestamp` more than 5 minutes off, deduplicate by `message_id` and return 200. Then fetch the current state.";

/** The envelope of one type of event, its eight fields in their order. */
const envelopeOf = (type: EventType): Plain => {
  const written = documented({ ...Envelope });
  return {
    ...written,
    properties: {
      ...(written.properties as Plain),
      event_type: { type: "string", const: type },
      payload: documented(payloadOf(type)),
    },
  };
};

const notificationItem = (type: EventType, recorded: Recorded): Plain => {
  const example = recorded.notifications[type];
  const { sentence, decisions, side } = events[type];
  return {
    post: {
      operationId: `webhook.${type}`,
      summary: sentence,
      description: `${WHAT_TO_DO}\n\nThe example is signed over its JSON without spaces, with the pre-loaded secret \`${exampleCredentials[side].webhook_secret}\`.${decisionNotes(decisions)}`,
      tags: ["Webhooks"],
      ...badge("contract", decisions),
      security: [],
      parameters: [
        signatureHeader(
          "base64(HMAC-SHA256(key = webhook secret, message = raw request body bytes)).",
          example?.signature,
        ),
      ],
      requestBody: {
        description: "The envelope, with exactly these eight fields.",
        required: true,
        content: { "application/json": { schema: envelopeOf(type), example: example?.body ?? {} } },
      },
      responses: {
        "200": { description: "The notification is acknowledged; the body is ignored." },
        default: { description: "The notification is not acknowledged and will be retried." },
      },
    },
  };
};

/** The notifications, by event type. */
export const notificationItems = (recorded: Recorded): Plain =>
  Object.fromEntries(eventTypes.map((type) => [type, notificationItem(type, recorded)]));
