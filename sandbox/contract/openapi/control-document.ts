import { controlOperations } from "../control/operations.ts";
import { snapshotsImport } from "../control/snapshot-operations.ts";
import { type Operation, pathOf } from "../operation.ts";
import { components } from "./document.ts";
import { type Recorded, recordedAt } from "./examples.ts";
import { badge, headersOf, refusalResponses } from "./refusals.ts";
import { content, optional, outer, parameter, type Route, routeItem } from "./route.ts";
import { documented, type Json, type Plain } from "./schemas.ts";

const TAG = "Control plane";
const token: Json = [{ ControlToken: [] }];

/** A schema that takes no member it does not name, at any depth (docs/decisions/0033). */
const closed = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const own = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return isObjectSchema(schema) ? { additionalProperties: false, ...own } : own;
};

const isObjectSchema = ({ type, properties }: Plain): boolean => type === "object" && properties !== undefined;

/** What writes refuses what it does not know; a document is held to its own format. */
const requestSchema = (operation: Operation): Json => {
  const schema = documented(operation.request);
  return operation.effect === "write" && operation.id !== snapshotsImport.id ? closed(schema) : schema;
};

const operationItem = (operation: Operation, recorded: Recorded): Plain => ({
  post: {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.effect === "read" ? "Changes nothing." : "Changes the service or one of its worlds.",
    tags: [TAG],
    ...badge("extension"),
    security: token,
    requestBody: {
      description: "A JSON object; nothing counts as an empty one.",
      content: { "application/json": { schema: requestSchema(operation) } },
    },
    responses: {
      "200": {
        description: "The call succeeded.",
        headers: headersOf(200),
        content: { "application/json": { schema: documented(operation.response) } },
      },
      ...refusalResponses(operation, recorded),
    },
  },
});

const shared = ["Unauthorized", ...outer] as const;

const live: Route = {
  operationId: "live",
  method: "get",
  path: "/__sandbox/live",
  tag: "Sandbox",
  summary: "Streams what happens in one world as server-sent events.",
  description:
    "Requests, events, deliveries and state changes, each with an id. With `Last-Event-ID` the stream begins with what was missed since.",
  decisions: [],
  parameters: [
    optional(parameter("query", "world", { type: "string" }, "The world, where it is not `default`.", "default")),
    optional(parameter("header", "Last-Event-ID", { type: "integer" }, "The id of the last event that was read.", 17)),
  ],
  answers: { 200: content("A stream that does not end by itself.", "text/event-stream", { type: "string" }) },
  shared: ["BadRequest", ...shared, "WorldUnavailable"],
};

const message = (what: string) => content(what, "application/json", { type: "object" });

const mcp: Route = {
  operationId: "mcp",
  method: "post",
  path: "/__sandbox/mcp",
  tag: "Sandbox",
  summary: "Answers assistants.",
  description:
    "The Model Context Protocol over streamable HTTP, without sessions and streams: each message is answered by itself. Not found where the service runs with `--mcp off`, as it does by itself when deployed.",
  decisions: [],
  body: message("A message of the protocol."),
  answers: {
    200: message("The answer to what was asked."),
    202: { description: "Nothing was asked.", content: {} },
    400: message("No message of the protocol, or of a version of it that is not known."),
    406: message("The caller must accept both application/json and text/event-stream."),
  },
  shared: ["NotFound", "PayloadTooLarge", "UnsupportedMediaType", ...shared],
};

const description: Route = {
  operationId: "openapi.control",
  method: "get",
  path: "/__sandbox/openapi.json",
  tag: "Sandbox",
  summary: "Serves this document.",
  description: "The operations are as the service declares them.",
  decisions: [],
  answers: { 200: content("An OpenAPI 3.1 document.", "application/json", { type: "object" }) },
  shared,
};

const routeWithToken = (route: Route): Plain => ({
  [route.method]: { ...(routeItem(route)[route.method] as Plain), tags: [TAG], security: token },
});

/** The components that the paths refer to, themselves or over another one. */
const usedIn = (paths: Plain, all: Readonly<Record<string, Plain>>): Plain => {
  const entries = Object.entries(all).flatMap(([kind, named]) =>
    Object.entries(named).map(([name, part]) => ({ kind, name, text: JSON.stringify(part), part })),
  );
  const used: typeof entries = [];
  for (let text = JSON.stringify(paths); text !== ""; ) {
    const found = entries.filter(
      (one) => !used.includes(one) && text.includes(`"#/components/${one.kind}/${one.name}"`),
    );
    used.push(...found);
    text = found.map((one) => one.text).join();
  }
  const kinds = [...new Set(used.map(({ kind }) => kind))];
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      Object.fromEntries(used.filter((one) => one.kind === kind).map(({ name, part }) => [name, part])),
    ]),
  );
};

/**
 * The OpenAPI 3.1 document of the control plane, as its operations are declared.
 *
 * @param serverUrl the service's own address, without a trailing slash
 */
export const controlDocument = (serverUrl: string): Plain => {
  const recorded = recordedAt(serverUrl);
  const paths: Plain = {
    ...Object.fromEntries(controlOperations.map((one) => [pathOf(one), operationItem(one, recorded)])),
    ...Object.fromEntries([live, mcp, description].map((route) => [route.path, routeWithToken(route)])),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Integrations service (sandbox): control plane",
      version: "1.0.0",
      description:
        "What the explorer and scripts do with a sandbox: look into its worlds, change their clocks and policies, send notifications again. It takes the control token of the ready line. Every operation takes `world` in its body; without it the world is `default`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl, description: "This sandbox." }],
    tags: [{ name: TAG, description: "Outside the public contract." }],
    paths,
    components: {
      ...usedIn(paths, components(recorded)),
      securitySchemes: {
        ControlToken: {
          type: "http",
          scheme: "bearer",
          description: "`Authorization: Bearer <control_token>`, the token of the ready line.",
        },
      },
    },
  };
};
