import * as Type from "typebox";
import { fixedClients, fixedCredentials } from "../demo-values.ts";
import type { ErrorCode } from "../errors.ts";
import { type EventType, events, eventTypes } from "../event-types.ts";
import { Envelope, eventPayload } from "../events.ts";
import { WORLD_ERRORS } from "../operation.ts";
import { AbsoluteUrl, OneOf, Text, Uuid } from "../schema.ts";
import { type RejectReason, SIGNATURE_HEADER } from "../signature.ts";
import { exampleMedia, type RecordedExamples } from "./examples.ts";
import { content, type Item, json, refusalResponses, taggedSchema, toPathItem } from "./items.ts";
import { documented, type Json, type Plain } from "./schemas.ts";

/** Contract, "Subscription": the reasons for refusing a subscription. */
export const subscriptionRefusals = [
  "url_not_loopback",
  "https_required",
  "private_or_reserved_host",
  "missing_field",
  "bad_body",
  "too_many_subscriptions",
] as const;

/** D78: the sink's reasons for refusing a notification, by status. */
export const sinkRefusals = {
  400: ["missing_timestamp", "stale_timestamp"],
  401: ["missing_signature", "bad_signature"],
} as const satisfies Record<number, readonly RejectReason[]>;

/** Both credential headers together (contract, "Headers"). */
export const credentials: Json[] = [{ ApiKey: [], IntegrationId: [] }];
/** The header that selects a world. */
export const tenant: Plain = { $ref: "#/components/parameters/Tenant" };

const text = { type: "string" } as const;
const uuid = { type: "string", format: "uuid" } as const;

const parameter = (
  place: "header" | "path" | "query",
  name: string,
  schema: Plain,
  description: string,
  example: Json,
): Plain => ({ name, in: place, required: true, description, schema, example });

const signature = (description: string, example = ""): Plain =>
  parameter("header", SIGNATURE_HEADER, text, description, example);
const world = { ...parameter("query", "world", text, "The world (default: `default`).", "default"), required: false };

const refused = (description: string, code: ErrorCode): Plain => json(description, taggedSchema([code]));
/** A refusal with a reason. */
const reasons = (of: readonly string[]): Plain =>
  documented(Type.Object({ ok: Type.Literal(false), reason: OneOf(of) }));
const orBadTenantName = (own: Plain): Plain => ({ oneOf: [own, taggedSchema(["bad_request"])] });

/** Errors of the service's outer layers, possible for every route. */
const outerErrors = ["method_not_allowed", "misdirected_request", "internal_error"] as const;
const outerPostErrors = [...outerErrors, "payload_too_large"] as const;

/** Description of such a route, with the codes that it shares with operations. */
type RouteItem = Omit<Item, "origin" | "security" | "refusals"> &
  Partial<Pick<Item, "security">> & { readonly refusals: readonly ErrorCode[] };

/**
 * Routes outside the operations: addresses for people, uploads and tools (D21, D64), and for webhooks (contract,
 * "Subscription", "Reference sink"; D26).
 *
 * @param components the responses of the document so far; missing ones are added
 */
export const routeItems = ({ notifications }: RecordedExamples, components: Plain): Plain => {
  const route = ({ refusals, ...own }: RouteItem): Plain =>
    toPathItem({ origin: "extension", security: [], ...own, refusals: refusalResponses(refusals, components) });
  return {
    "/__oauth/authorize": {
      get: route({
        operationId: "oauth.authorize",
        tag: "Installation",
        summary: "Shows the consent page. A partner’s app sends the browser here.",
        description:
          "The user chooses an organization and approves. The browser is then redirected to `redirect_uri` with `code`, the access code for `integrations.insert`, and the unchanged `state`. A denial is redirected with `error=access_denied`. An untrusted request gets an explanation on the page and no redirect.",
        decisions: ["D21", "D22"],
        parameters: [
          parameter("query", "client_id", text, "The client to install.", fixedClients.demo.client_id),
          parameter(
            "query",
            "redirect_uri",
            { type: "string", format: "uri" },
            "Where the browser is redirected with the code.",
            "http://127.0.0.1:5173/callback",
          ),
          { ...parameter("query", "state", text, "Returned unchanged.", "af0ifjsldkj"), required: false },
          world,
        ],
        answers: {
          200: content("The consent page.", "text/html", { schema: text }),
          400: content("A page that explains the invalid request.", "text/html", { schema: text }),
        },
        refusals: [...outerErrors, "world_unavailable"],
      }),
    },
    "/__uploads/{id}": {
      put: route({
        operationId: "uploads.put",
        tag: "Sandbox",
        summary: "Uploads the content of a prepared upload, once.",
        description:
          "Use the complete `upload_url` from `uploads.prepare`, signature included. No credential headers needed.",
        decisions: ["D6", "D64"],
        parameters: [
          parameter("path", "id", uuid, "The upload.", exampleMedia.id),
          parameter(
            "query",
            "expires",
            { type: "integer" },
            "Expiry of the address, in milliseconds since 1970.",
            1_762_137_000_000,
          ),
          parameter(
            "query",
            "signature",
            text,
            "The signature of the address.",
            "wq2n0X4l1mTt8aVhS7cK3eRjYpZbUoGfDiLxNsMv5B0",
          ),
          world,
        ],
        requestBody: { ...content("The image’s bytes.", "image/*"), required: true },
        answers: {
          200: json(
            "The image is stored and served at its `public_url`.",
            documented(Type.Object({ ok: Type.Literal(true) })),
          ),
          403: refused("The address is invalid, expired or already used.", "forbidden"),
          404: refused("The upload doesn’t exist.", "not_found"),
          413: refused("The image is larger than 20 MiB.", "payload_too_large"),
          415: refused("The bytes are not an image of an accepted type.", "unsupported_media_type"),
        },
        refusals: [...outerErrors, "storage_unavailable", "world_unavailable"],
      }),
    },
    "/__media/{id}/{name}": {
      get: route({
        operationId: "media.get",
        tag: "Sandbox",
        summary: "Serves an uploaded or seeded picture.",
        description: "Use the complete `public_url` of an upload or of a job’s image. No credential headers needed.",
        decisions: ["D64"],
        parameters: [
          parameter("path", "id", uuid, "The picture.", exampleMedia.id),
          parameter("path", "name", text, "Its file name.", exampleMedia.name),
        ],
        answers: {
          200: content("The picture, with the content type of its bytes.", "image/*"),
          404: refused("The picture doesn’t exist.", "not_found"),
        },
        refusals: outerErrors,
      }),
    },
    "/__health": {
      get: route({
        operationId: "health.get",
        tag: "Sandbox",
        summary: "Reports whether the service can serve and write.",
        description: "Based on the latest write.",
        answers: {
          200: json("The service can serve and write.", documented(Type.Object({ status: Type.Literal("ok") }))),
        },
        refusals: [...outerErrors, "storage_unavailable"],
      }),
    },
    "/openapi.json": {
      get: route({
        operationId: "openapi.get",
        tag: "Sandbox",
        summary: "Returns this document.",
        description: "Pages of any origin can read it. It holds no secret.",
        answers: { 200: json("An OpenAPI 3.1 document.", { type: "object" }) },
        refusals: outerErrors,
      }),
    },
    "/__webhooks/subscribe": {
      post: route({
        operationId: "webhooks.subscribe",
        tag: "Webhooks",
        summary: "Registers an address for an integration’s notifications.",
        description:
          "A local sandbox needs a loopback address, `http` or `https`. A deployed sandbox needs a public `https` address. A world with its own keys, such as one with an invited partner, also needs the two credential headers of that integration.",
        decisions: ["D4", "D70", "D71", "D76", "D77", "D86"],
        // Only some worlds require credentials.
        security: [...credentials, {}],
        parameters: [tenant],
        requestBody: {
          ...json(
            "The integration and the address.",
            documented(
              Type.Object({ integration_id: Uuid("The integration"), url: AbsoluteUrl("The receiver’s address") }),
            ),
            { integration_id: fixedCredentials.repairer.integration_id, url: "http://127.0.0.1:5173/webhooks" },
          ),
          required: true,
        },
        answers: {
          200: json("The address is registered.", documented(Type.Object({ ok: Type.Literal(true) }))),
          400: json(
            "Nothing was registered, for the given reason; or the tenant name is invalid.",
            orBadTenantName(reasons(subscriptionRefusals)),
          ),
          401: json(
            "Extension: this world needs the credential headers of the integration to subscribe, and they are missing or not its own.",
            reasons(["unauthorized"]),
          ),
        },
        refusals: [...outerPostErrors, "unsupported_media_type", "storage_unavailable", ...WORLD_ERRORS],
      }),
    },
    "/__webhooks/secret": {
      post: route({
        operationId: "webhooks.secret",
        tag: "Webhooks",
        summary: "Returns the secret that signs an integration’s notifications.",
        description: "Needs a credential of either scope, and no body.",
        decisions: ["D20", "D26"],
        security: credentials,
        parameters: [tenant],
        answers: {
          200: json(
            "The secret of the calling integration.",
            documented(
              Type.Object({ integration_id: Uuid("The calling integration"), secret: Text("Its webhook secret") }),
            ),
          ),
        },
        refusals: ["unauthorized", "bad_request", ...outerPostErrors, ...WORLD_ERRORS],
      }),
    },
    "/__webhooks/sink": {
      post: route({
        operationId: "webhooks.sink",
        tag: "Webhooks",
        summary: "Verifies a notification, deduplicates it by message_id and acknowledges it.",
        description:
          "A receiver to compare yours with. Subscribe it like any other address. It verifies in the contract’s order.",
        decisions: ["D78"],
        parameters: [tenant, signature("The signature of the raw body.", notifications["repairer.jobs"]?.signature)],
        requestBody: {
          ...json(
            "A notification, byte for byte as signed.",
            documented(Envelope),
            notifications["repairer.jobs"]?.body,
          ),
          required: true,
        },
        answers: {
          200: json(
            "The notification is valid; `deduped` is true for a repeat.",
            documented(Type.Object({ ok: Type.Literal(true), deduped: Type.Boolean() })),
          ),
          400: json(
            "The timestamp is missing or outside the replay window; or the tenant name is invalid.",
            orBadTenantName(reasons(sinkRefusals[400])),
          ),
          401: json("The signature is missing or doesn’t match the body.", reasons(sinkRefusals[401])),
        },
        refusals: outerPostErrors,
      }),
    },
  };
};

const WHAT_TO_DO =
  "Posted to every subscribed address, at least once, after the call that caused it has responded. Verify the signature over the raw bytes, refuse a `webhook_timestamp` more than 5 minutes off, deduplicate by `message_id` and return 200. Then fetch the current state.";

const notificationItem = (type: EventType, example: RecordedExamples["notifications"][EventType]): Plain => {
  const { sentence, decisions, side } = events[type];
  const schema = documented(
    Type.Object({ ...Envelope.properties, event_type: Type.Literal(type), payload: eventPayload(type) }),
  );
  return toPathItem({
    operationId: `webhook.${type}`,
    tag: "Webhooks",
    summary: sentence,
    description: `${WHAT_TO_DO}\n\nThe example is signed over its JSON without spaces, with the pre-loaded secret \`${fixedCredentials[side].webhook_secret}\`.`,
    origin: "contract",
    decisions,
    security: [],
    parameters: [
      signature("base64(HMAC-SHA256(key = webhook secret, message = raw request body bytes)).", example?.signature),
    ],
    requestBody: {
      ...json("The envelope, with exactly these eight fields.", schema, example?.body ?? {}),
      required: true,
    },
    refusals: {
      "200": { description: "The notification is acknowledged; the body is ignored." },
      default: { description: "The notification is not acknowledged and will be retried." },
    },
  });
};

export const notificationItems = ({ notifications }: RecordedExamples): Plain =>
  Object.fromEntries(eventTypes.map((type) => [type, { post: notificationItem(type, notifications[type]) }]));
