import type { ErrorCode } from "../errors.ts";
import { exampleClient, exampleMedia } from "./examples.ts";
import { taggedSchema } from "./refusals.ts";
import { content, json, optional, outer, parameter, type Route, type RouteContent } from "./route.ts";
import type { Plain } from "./schemas.ts";

const text = { type: "string" } as const;
const uuid = { type: "string", format: "uuid" } as const;

const world = optional(parameter("query", "world", text, "The world, where it is not `default`.", "default"));

const refused = (description: string, code: ErrorCode): RouteContent => json(description, taggedSchema([code]));
const object = (properties: Plain): Plain => ({ type: "object", required: Object.keys(properties), properties });

const authorize: Route = {
  operationId: "oauth.authorize",
  method: "get",
  path: "/__oauth/authorize",
  tag: "Installation",
  summary: "Shows the consent page that a partner's app sends a browser to.",
  description:
    "A person chooses the organization and approves. The browser is then redirected to `redirect_uri` with `code`, the access code for `integrations.insert`, and with `state` as it came; a denial is redirected with `error=access_denied`. What cannot be trusted is explained on the page and redirected nowhere.",
  decisions: ["D21", "D22"],
  parameters: [
    parameter("query", "client_id", text, "The client that is to be installed.", exampleClient.client_id),
    parameter(
      "query",
      "redirect_uri",
      { type: "string", format: "uri" },
      "Where the browser is sent with the code.",
      "http://127.0.0.1:5173/callback",
    ),
    optional(parameter("query", "state", text, "Handed back as it came.", "af0ifjsldkj")),
    world,
  ],
  answers: {
    200: content("The consent page.", "text/html", text),
    400: content("A page that says what is wrong with the request.", "text/html", text),
  },
  refusals: [...outer, "world_unavailable"],
};

const upload: Route = {
  operationId: "uploads.put",
  method: "put",
  path: "/__uploads/{id}",
  tag: "Sandbox",
  summary: "Takes the content of a prepared upload, once.",
  description:
    "The whole address, signature included, is the `upload_url` that `uploads.prepare` answered. No credential headers are needed.",
  decisions: ["D6", "D64"],
  parameters: [
    parameter("path", "id", uuid, "The upload.", exampleMedia.id),
    parameter(
      "query",
      "expires",
      { type: "integer" },
      "Until when the address can be used, in milliseconds since 1970.",
      1_762_137_000_000,
    ),
    parameter("query", "signature", text, "Vouches for the address.", "wq2n0X4l1mTt8aVhS7cK3eRjYpZbUoGfDiLxNsMv5B0"),
    world,
  ],
  body: content("The image, as it is.", "image/*"),
  answers: {
    200: json("The image is kept, and served at the `public_url`.", object({ ok: { const: true } })),
    403: refused("The address was not handed out like this, has expired, or took an upload already.", "forbidden"),
    404: refused("There is no such upload.", "not_found"),
    413: refused("The image is larger than 20 MiB.", "payload_too_large"),
    415: refused("The content is no image of an accepted type by its bytes.", "unsupported_media_type"),
  },
  refusals: [...outer, "storage_unavailable", "world_unavailable"],
};

const media: Route = {
  operationId: "media.get",
  method: "get",
  path: "/__media/{id}/{name}",
  tag: "Sandbox",
  summary: "Serves an uploaded or seeded picture.",
  description:
    "The whole address is the `public_url` of an upload or of a job's image. No credential headers are needed.",
  decisions: ["D64"],
  parameters: [
    parameter("path", "id", uuid, "The picture.", exampleMedia.id),
    parameter("path", "name", text, "Its file name.", exampleMedia.name),
  ],
  answers: {
    200: content("The picture, as the image it is by its bytes.", "image/*"),
    404: refused("There is no such picture.", "not_found"),
  },
  refusals: outer,
};

const health: Route = {
  operationId: "health.get",
  method: "get",
  path: "/__health",
  tag: "Sandbox",
  summary: "Says whether the service can serve and write.",
  description: "It remembers the last write.",
  decisions: [],
  answers: { 200: json("The service can serve and write.", object({ status: { const: "ok" } })) },
  refusals: [...outer, "storage_unavailable"],
};

const description: Route = {
  operationId: "openapi.get",
  method: "get",
  path: "/openapi.json",
  tag: "Sandbox",
  summary: "Serves this document.",
  description: "Pages of any origin may read it; it holds nothing secret.",
  decisions: [],
  answers: { 200: json("An OpenAPI 3.1 document.", { type: "object" }) },
  refusals: outer,
};

/** The addresses that people, uploads and tools come to (D21, D64). */
export const addressRoutes: readonly Route[] = [authorize, upload, media, health, description];
