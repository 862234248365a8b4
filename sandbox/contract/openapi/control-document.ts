import { controlOperations } from "../control/operations.ts";
import { snapshotsImport } from "../control/snapshot-operations.ts";
import { type Operation, pathOf } from "../operation.ts";
import { head, headers } from "./document.ts";
import { badge, headersOf, operationRefusals } from "./refusals.ts";
import { documented, inlined, type Json, type Plain } from "./schemas.ts";

const TAG = "Control plane";
const token: Json = [{ ControlToken: [] }];

/** A schema that takes no member it does not name, at any depth (docs/decisions/0033). */
const closed = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const own = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return schema.type === "object" && schema.properties !== undefined ? { additionalProperties: false, ...own } : own;
};

/** What writes refuses what it does not know; a document is held to its own format. */
const requestSchema = ({ id, effect, request }: Operation): Json => {
  const schema = inlined(documented(request));
  return effect === "write" && id !== snapshotsImport.id ? closed(schema) : schema;
};

/** Who may call an operation, as its declaration says. */
const callers = ({ access }: Operation): string => {
  if (access === undefined) return "Takes the control token only.";
  if (access.needs === "anyone") return "Takes no token.";
  const fields = Object.entries(access.fields ?? {}).map(
    ([name, needed]) =>
      ` With \`${name}\` it takes ${needed === "operator" ? "the control token only" : `the scope \`${needed}\``}.`,
  );
  return `Takes the control token, or a world’s own token with the scope \`${access.needs}\`.${fields.join("")}`;
};

const operationItem = (operation: Operation, components: Plain): Plain => ({
  post: {
    operationId: operation.id,
    summary: operation.summary,
    description: `${operation.effect === "read" ? "Changes nothing." : "Changes the service or one of its worlds."} ${callers(operation)}`,
    tags: [TAG],
    ...badge("extension"),
    security: operation.access?.needs === "anyone" ? [] : token,
    requestBody: {
      description: "A JSON object; an empty body counts as {}.",
      content: { "application/json": { schema: requestSchema(operation) } },
    },
    responses: {
      "200": {
        description: "The call succeeded.",
        headers: headersOf(200),
        content: { "application/json": { schema: inlined(documented(operation.response)) } },
      },
      ...operationRefusals(operation, components),
    },
  },
});

const description =
  "The API of the explorer and of scripts: read worlds, change their clocks and settings, send notifications again. It needs the control token of the ready line, or a token of one world (tokens.create). Every operation takes `world` in its body (default: `default`). There are also `GET /__sandbox/live`, a world’s live events as server-sent events, and `POST /__sandbox/mcp`, for assistants.";

/**
 * The OpenAPI 3.1 document of the control plane, as its operations are declared.
 *
 * @param serverUrl the service's own address, without a trailing slash
 */
export const controlDocument = (serverUrl: string): Plain => {
  const responses: Plain = {};
  const operations: readonly Operation[] = controlOperations;
  const paths = Object.fromEntries(operations.map((one) => [pathOf(one), operationItem(one, responses)]));
  const bearer = "`Authorization: Bearer <control_token>`, the token of the ready line, or a world’s own token.";
  return {
    ...head("Integrations service (sandbox): control plane", description, serverUrl),
    tags: [{ name: TAG, description: "Not part of the public contract." }],
    paths,
    components: {
      responses,
      headers,
      securitySchemes: { ControlToken: { type: "http", scheme: "bearer", description: bearer } },
    },
  };
};
