import { decisionNotes } from "./decisions.ts";
import { examplesOf } from "./examples.ts";
import { badge, headersOf, type SharedName, sharedResponse, sharedStatusOf } from "./refusals.ts";
import type { Json, Plain } from "./schemas.ts";

/** The groups of the document, in the order a partner meets them. */
export const tags = [
  { name: "Installation", description: "From the consent of an organization to an API key." },
  { name: "Repairer", description: "The buying side: jobs, parts, baskets and procurements." },
  { name: "Supplier", description: "The selling side: procurements and their confirmation." },
  { name: "Utilities", description: "Businesses, vehicles and uploads, for either side." },
  {
    name: "Webhooks",
    description: "Signed notifications, and the sandbox routes to subscribe to them and to test them.",
  },
  { name: "Extensions", description: "Operations of this sandbox outside the public contract, in its conventions." },
  { name: "Sandbox", description: "Addresses that are handed out in answers, and the service itself." },
] as const;

export type TagName = (typeof tags)[number]["name"];

/** Both credential headers together (contract, "Headers"). */
export const credentials: Json = [{ ApiKey: [], IntegrationId: [] }];

type Examples = Readonly<Record<string, Json>>;

/** An answer of a route; no examples where it is no JSON. */
export interface RouteAnswer {
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
  /** Takes the two credential headers. */
  readonly credentials?: true;
  /** Takes the tenant header. */
  readonly tenant?: true;
  readonly parameters?: readonly Plain[];
  readonly body?: RouteAnswer;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  readonly shared: readonly SharedName[];
}

/** A JSON answer or body. */
export const json = (description: string, schema: Plain, examples: Examples): RouteAnswer => ({
  description,
  content: { "application/json": { schema, examples: examplesOf(examples) } },
});

/** An answer or body of another media type. */
export const content = (description: string, mediaType: string, schema?: Plain): RouteAnswer => ({
  description,
  content: { [mediaType]: schema ? { schema } : {} },
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
export const outer = ["MethodNotAllowed", "MisdirectedRequest", "InternalError"] as const satisfies SharedName[];

/** The path item of a route. */
export const routeItem = (route: Route): Plain => {
  const { operationId, method, tag, summary, description, decisions, body, answers, shared } = route;
  const parameters = [
    ...(route.tenant ? [{ $ref: "#/components/parameters/Tenant" }] : []),
    ...(route.parameters ?? []),
  ];
  return {
    [method]: {
      operationId,
      summary,
      description: description + decisionNotes(decisions),
      tags: [tag],
      ...badge("extension", decisions),
      security: route.credentials ? credentials : [],
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(body ? { requestBody: { description: body.description, required: true, content: body.content } } : {}),
      responses: {
        ...Object.fromEntries(
          Object.entries(answers).map(([status, answer]) => [
            status,
            { description: answer.description, headers: headersOf(Number(status)), content: answer.content },
          ]),
        ),
        ...Object.fromEntries(shared.map((name) => [String(sharedStatusOf(name)), sharedResponse(name)])),
      },
    },
  };
};
