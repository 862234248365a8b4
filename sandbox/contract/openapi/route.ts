import type { ErrorCode } from "../errors.ts";
import { decisionNotes } from "./decisions.ts";
import { badge, headersOf, refusalsOf } from "./refusals.ts";
import type { Json, Plain } from "./schemas.ts";

/** The groups of the document, in the order a partner meets them. */
export const tags = [
  { name: "Installation", description: "From the consent of an organization to an API key." },
  { name: "Repairer", description: "The buying side: jobs, parts, baskets and procurements." },
  { name: "Supplier", description: "The selling side: procurements and their confirmation." },
  { name: "Utilities", description: "Businesses, vehicles and uploads, for either side." },
  {
    name: "Webhooks",
    description: "Signed notifications, and the sandbox routes to subscribe and to test.",
  },
  { name: "Extensions", description: "Operations of this sandbox outside the public contract, in its conventions." },
  { name: "Sandbox", description: "Addresses returned by operations, and the service itself." },
] as const;

export type TagName = (typeof tags)[number]["name"];

/** Both credential headers together (contract, "Headers"). */
export const credentials: Json = [{ ApiKey: [], IntegrationId: [] }];

/** An answer or a body of a route. */
export interface RouteContent {
  readonly description: string;
  readonly content: Plain;
}

/** A route outside the contract that is no operation: not posted to by name, or without the contract's conventions. */
export interface Route {
  readonly operationId: string;
  readonly method: "get" | "post" | "put";
  readonly path: string;
  readonly tag: TagName;
  readonly summary: string;
  readonly description: string;
  readonly decisions: readonly string[];
  /** Takes the two credential headers; optional: in some worlds. */
  readonly credentials?: true | "optional";
  /** Takes the tenant header. */
  readonly tenant?: true;
  readonly parameters?: readonly Plain[];
  readonly body?: RouteContent;
  readonly answers: Readonly<Record<number, RouteContent>>;
  /** What it refuses as every operation does. */
  readonly refusals: readonly ErrorCode[];
}

/** An answer or body of a media type. */
export const content = (description: string, mediaType: string, schema?: Plain): RouteContent => ({
  description,
  content: { [mediaType]: schema ? { schema } : {} },
});

/** The same as JSON. */
export const json = (description: string, schema: Plain, example?: Json): RouteContent => ({
  description,
  content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
});

/** A required parameter. */
export const parameter = (
  place: "header" | "path" | "query",
  name: string,
  schema: Plain,
  description: string,
  example: Json,
): Plain => ({ name, in: place, required: true, description, schema, example });

/** The parameter, which may be left out. */
export const optional = (required: Plain): Plain => ({ ...required, required: false });

/** What the outer parts of the service may answer to a call of any route. */
export const outer = ["method_not_allowed", "misdirected_request", "internal_error"] as const;

/** The path item of a route. @param components the responses of the document so far */
export const routeItem = (route: Route, components: Plain): Plain => {
  const { operationId, method, tag, summary, description, decisions, body, answers, refusals } = route;
  const tenant = route.tenant ? [{ $ref: "#/components/parameters/Tenant" }] : [];
  const parameters = [...tenant, ...(route.parameters ?? [])];
  return {
    [method]: {
      operationId,
      summary,
      description: description + decisionNotes(decisions),
      tags: [tag],
      ...badge("extension", decisions),
      security: route.credentials ? [...credentials, ...(route.credentials === "optional" ? [{}] : [])] : [],
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(body ? { requestBody: { ...body, required: true } } : {}),
      responses: {
        ...Object.fromEntries(
          Object.entries(answers).map(([status, answer]) => [
            status,
            { ...answer, headers: headersOf(Number(status)) },
          ]),
        ),
        ...refusalsOf(refusals, components),
      },
    },
  };
};
