import * as Type from "typebox";
import { Text } from "../schema.ts";
import { exampleClient, exampleMedia, type Recorded } from "./examples.ts";
import { taggedSchema } from "./refusals.ts";
import { content, json, optional, outer, parameter, type Route } from "./route.ts";
import { documented } from "./schemas.ts";

const text = { type: "string" } as const;
const uuid = { type: "string", format: "uuid" } as const;

const world = optional(parameter("query", "world", text, "The world, where it is not `default`.", "default"));

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
  shared: [...outer, "WorldUnavailable"],
};

/** The parts of the address an upload goes to. */
const addressOf = (
  recorded: Recorded,
): { readonly id: string; readonly expires: number; readonly signature: string } => {
  const { upload_url = "" } = (recorded.answers["uploads.prepare"] ?? {}) as { readonly upload_url?: string };
  const [path = "", query = ""] = upload_url.split("?");
  const fields = new URLSearchParams(query);
  return {
    id: path.slice(path.lastIndexOf("/") + 1),
    expires: Number(fields.get("expires")),
    signature: fields.get("signature") ?? "",
  };
};

const upload = (address: ReturnType<typeof addressOf>): Route => ({
  operationId: "uploads.put",
  method: "put",
  path: "/__uploads/{id}",
  tag: "Sandbox",
  summary: "Takes the content of a prepared upload, once.",
  description:
    "The whole address, signature included, is the `upload_url` that `uploads.prepare` answered. No credential headers are needed.",
  decisions: ["D6", "D64"],
  parameters: [
    parameter("path", "id", uuid, "The upload.", address.id),
    parameter(
      "query",
      "expires",
      { type: "integer" },
      "Until when the address can be used, in milliseconds since 1970.",
      address.expires,
    ),
    parameter("query", "signature", text, "Vouches for the address.", address.signature),
    world,
  ],
  body: content("The image, as it is.", "image/*"),
  answers: {
    200: json(
      "The image is kept, and served at the `public_url`.",
      documented(Type.Object({ ok: Type.Literal(true) })),
      { kept: { ok: true } },
    ),
    403: json(
      "The address was not handed out like this, has expired, or took an upload already.",
      taggedSchema(["forbidden"]),
      {
        another_signature: {
          type: "forbidden",
          message: "The address was not handed out like this: its signature does not match.",
        },
      },
    ),
    404: json("There is no such upload.", taggedSchema(["not_found"]), {
      unknown: { type: "not_found", message: "There is no such upload address." },
    }),
    413: json("The image is larger than 20 MiB.", taggedSchema(["payload_too_large"]), {
      too_large: { type: "payload_too_large", message: "The image is larger than 20 MiB." },
    }),
    415: json("The content is no image of an accepted type by its bytes.", taggedSchema(["unsupported_media_type"]), {
      no_image: {
        type: "unsupported_media_type",
        message: "The content is no PNG, JPEG, WebP, GIF or HEIC image by its bytes.",
      },
    }),
  },
  shared: [...outer, "WorldOrStorageUnavailable"],
});

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
    404: json("There is no such picture.", taggedSchema(["not_found"]), {
      unknown: { type: "not_found", message: "There is no such picture." },
    }),
  },
  shared: outer,
};

const health: Route = {
  operationId: "health.get",
  method: "get",
  path: "/__health",
  tag: "Sandbox",
  summary: "Says whether the service can serve and write.",
  description: "An empty commit is written to find out.",
  decisions: [],
  answers: {
    200: json("The service can serve and write.", documented(Type.Object({ status: Type.Literal("ok") })), {
      ok: { status: "ok" },
    }),
  },
  shared: [...outer, "StorageUnavailable"],
};

const Document = Type.Object({
  openapi: Text("The version of OpenAPI"),
  info: Type.Object({ title: Text(), version: Text("The version of this description") }),
});

const description: Route = {
  operationId: "openapi.get",
  method: "get",
  path: "/openapi.json",
  tag: "Sandbox",
  summary: "Serves this document.",
  description: "Pages of any origin may read it; it holds nothing secret.",
  decisions: [],
  answers: { 200: content("An OpenAPI 3.1 document.", "application/json", documented(Document)) },
  shared: outer,
};

/** The addresses that people, uploads and tools come to (D21, D64). */
export const addressRoutes = (recorded: Recorded): readonly Route[] => [
  authorize,
  upload(addressOf(recorded)),
  media,
  health,
  description,
];
