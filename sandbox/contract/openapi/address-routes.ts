import type { ErrorCode } from "../errors.ts";
import { exampleClient, exampleMedia } from "./examples.ts";
import { taggedSchema } from "./refusals.ts";
import { content, json, optional, outer, parameter, type Route, type RouteContent } from "./route.ts";
import type { Plain } from "./schemas.ts";

const text = { type: "string" } as const;
const uuid = { type: "string", format: "uuid" } as const;

const world = optional(parameter("query", "world", text, "The world (default: `default`).", "default"));

const refused = (description: string, code: ErrorCode): RouteContent => json(description, taggedSchema([code]));
const object = (properties: Plain): Plain => ({ type: "object", required: Object.keys(properties), properties });

const authorize: Route = {
  operationId: "oauth.authorize",
  method: "get",
  path: "/__oauth/authorize",
  tag: "Installation",
  summary: "Shows the consent page. A partner’s app sends the browser here.",
  description:
    "The user chooses an organization and approves. The browser is then redirected to `redirect_uri` with `code`, the access code for `integrations.insert`, and the unchanged `state`. A denial is redirected with `error=access_denied`. An untrusted request gets an explanation on the page and no redirect.",
  decisions: ["D21", "D22"],
  parameters: [
    parameter("query", "client_id", text, "The client to install.", exampleClient.client_id),
    parameter(
      "query",
      "redirect_uri",
      { type: "string", format: "uri" },
      "Where the browser is redirected with the code.",
      "http://127.0.0.1:5173/callback",
    ),
    optional(parameter("query", "state", text, "Returned unchanged.", "af0ifjsldkj")),
    world,
  ],
  answers: {
    200: content("The consent page.", "text/html", text),
    400: content("A page that explains the invalid request.", "text/html", text),
  },
  refusals: [...outer, "world_unavailable"],
};

const upload: Route = {
  operationId: "uploads.put",
  method: "put",
  path: "/__uploads/{id}",
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
  body: content("The image’s bytes.", "image/*"),
  answers: {
    200: json("The image is stored and served at its `public_url`.", object({ ok: { const: true } })),
    403: refused("The address is invalid, expired or already used.", "forbidden"),
    404: refused("The upload doesn't exist.", "not_found"),
    413: refused("The image is larger than 20 MiB.", "payload_too_large"),
    415: refused("The bytes are not an image of an accepted type.", "unsupported_media_type"),
  },
  refusals: [...outer, "storage_unavailable", "world_unavailable"],
};

const media: Route = {
  operationId: "media.get",
  method: "get",
  path: "/__media/{id}/{name}",
  tag: "Sandbox",
  summary: "Serves an uploaded or seeded picture.",
  description: "Use the complete `public_url` of an upload or of a job's image. No credential headers needed.",
  decisions: ["D64"],
  parameters: [
    parameter("path", "id", uuid, "The picture.", exampleMedia.id),
    parameter("path", "name", text, "Its file name.", exampleMedia.name),
  ],
  answers: {
    200: content("The picture, with the content type of its bytes.", "image/*"),
    404: refused("The picture doesn't exist.", "not_found"),
  },
  refusals: outer,
};

const health: Route = {
  operationId: "health.get",
  method: "get",
  path: "/__health",
  tag: "Sandbox",
  summary: "Reports whether the service can serve and write.",
  description: "Based on the latest write.",
  decisions: [],
  answers: { 200: json("The service can serve and write.", object({ status: { const: "ok" } })) },
  refusals: [...outer, "storage_unavailable"],
};

const description: Route = {
  operationId: "openapi.get",
  method: "get",
  path: "/openapi.json",
  tag: "Sandbox",
  summary: "Returns this document.",
  description: "Pages of any origin can read it. It holds no secret.",
  decisions: [],
  answers: { 200: json("An OpenAPI 3.1 document.", { type: "object" }) },
  refusals: outer,
};

/** The addresses that people, uploads and tools come to (D21, D64). */
export const addressRoutes: readonly Route[] = [authorize, upload, media, health, description];
