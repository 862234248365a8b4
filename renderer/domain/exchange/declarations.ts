import { queryOptions } from "@tanstack/react-query";
import { linkCalls } from "../../../sandbox/contract/control/exchange-kinds.ts";
import type { Origin } from "../../../sandbox/contract/operation.ts";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { readDocument } from "../../lib/service-client.ts";
import { worldAccess } from "../../lib/world-access.ts";
import { type Definitions, followed, type Schema } from "./json-schema.ts";
import { isTitled, operationTitle } from "./operation-words.ts";

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface DeclaredResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "header" | "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly example?: unknown;
}
interface OperationItem {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DeclaredResponse>>;
  readonly "x-origin": Origin;
  readonly "x-decisions"?: readonly string[];
  readonly "x-scope"?: Scope;
}
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationItem>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, DeclaredResponse>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
  readonly "x-decisions"?: Readonly<Record<string, string>>;
}

/** Credential of an operation; `control`: the control token. */
export type Scope = "repairer" | "supplier" | "either" | "none" | "control";

export const operationGroups = ["contract", "extension", "route", "control"] as const;
export type OperationGroup = (typeof operationGroups)[number];

const schemaParts = ({ properties = {}, items, anyOf = [], oneOf = [] }: Schema): readonly Schema[] => [
  ...Object.values(properties),
  ...(items ? [items] : []),
  ...anyOf,
  ...oneOf,
];

const fieldNames = (schema: Schema, definitions: Definitions): readonly string[] => {
  const whole = followed(schema, definitions);
  const own = Object.keys(whole.properties ?? {});
  return [...new Set([...own, ...schemaParts(whole).flatMap((part) => fieldNames(part, definitions))])];
};

const operationGroup = (path: string): OperationGroup => {
  if (path.startsWith("/api/")) return "contract";
  if (path.startsWith("/__extensions/")) return "extension";
  return path.startsWith("/__sandbox/") ? "control" : "route";
};

/** Codes in a refusal's schema: bare strings, or an object's type. */
const errorCodes = (schema: Schema): readonly string[] => [
  ...(schema.properties?.type?.enum ?? schema.properties?.reason?.enum ?? schema.enum ?? []),
  ...(schema.oneOf ?? []).flatMap(errorCodes),
];

const readExamples = ({ example, examples = {} }: Media): readonly (readonly [name: string, body: unknown])[] => [
  ...(example === undefined ? [] : [["documented", example] as const]),
  ...Object.entries(examples).map(([name, { value }]) => [name, value] as const),
];

const readOperation = (document: OpenApiDocument, path: string, method: string, item: OperationItem) => {
  const { schemas = {}, responses = {}, parameters = {} } = document.components;
  const nameOf = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);
  const resolveResponse = (response: DeclaredResponse) =>
    response.$ref === undefined ? response : (responses[nameOf(response.$ref)] ?? {});
  const parameterOf = (one: Parameter) => (one.$ref === undefined ? one : (parameters[nameOf(one.$ref)] ?? one));
  const group = operationGroup(path);
  const [takes, body] = Object.entries(item.requestBody?.content ?? {})[0] ?? [null, {}];
  const takesJson = takes === "application/json";
  const scope: Scope = item["x-scope"] ?? (item.security.length === 0 ? "none" : "either");
  const refusals = Object.entries(item.responses).filter(([status]) => !status.startsWith("2"));
  const id = item.operationId;
  return {
    id,
    group,
    title: operationTitle(id),
    summary: item.summary,
    /** The credential as a sentence, and other notes. */
    notes: item.description.split("\n\n")[0] ?? "",
    method: method.toUpperCase(),
    path,
    scope: group === "control" ? "control" : scope,
    origin: item["x-origin"],
    /** Decisions where the contract is silent. */
    decisions: (item["x-decisions"] ?? []).map((one) => ({ id: one, text: document["x-decisions"]?.[one] ?? "" })),
    /** Path and query parameters, and additional headers. */
    parameters: (item.parameters ?? []).map(parameterOf).filter(({ name }) => name !== "x-sandbox-tenant"),
    /** True if it takes a JSON body, the only kind that can be typed here. */
    takesJson,
    /** Media type of a body that isn't JSON. */
    takesFile: takesJson ? null : takes,
    request: body.schema ?? null,
    /** Documented example bodies by name. */
    examples: readExamples(body),
    errorCodes: [
      ...new Set(
        refusals.flatMap(([, response]) =>
          Object.values(resolveResponse(response).content ?? {}).flatMap(({ schema = {} }) => errorCodes(schema)),
        ),
      ),
    ],
    /** Names of all body fields, for the search. */
    fieldNames: body.schema === undefined ? [] : fieldNames(body.schema, schemas),
    /** Named schemas for references. */
    definitions: schemas,
  };
};

/** An operation in the service's own documents. */
export type Declared = Readonly<ReturnType<typeof readOperation>>;

/** Every operation of a document, in its order. */
export const listOperations = (document: OpenApiDocument): readonly Declared[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => readOperation(document, path, method, one)),
  );

/**
 * Returns whether the world records the operation's calls under its name: partner calls and subscriptions. Calls at
 * issued addresses may name another world, and not all of them are recorded.
 */
export const isOnRecord = ({ id }: Pick<Declared, "id">): boolean =>
  isTitled(id) && !linkCalls.some((one) => one === id);

/** All documented operations, by group. */
export const declarationsQuery = () =>
  queryOptions({
    queryKey: serviceKeys.declarations,
    queryFn: async ({ signal }): Promise<readonly Declared[]> => {
      const documents = await Promise.all(
        ["/openapi.json", ...(worldAccess() === null ? ["/__sandbox/openapi.json"] : [])].map((path) =>
          readDocument(path, { signal }),
        ),
      );
      const all = (documents as OpenApiDocument[]).flatMap(listOperations);
      return operationGroups.flatMap((group) => all.filter((one) => one.group === group));
    },
  });

/** Returns whether every typed word occurs in an operation's name, fields, errors or summary. */
export const matchesSearch = ({ id, title, summary, fieldNames, errorCodes }: Declared, typed: string): boolean => {
  const text = [id, title, summary, ...fieldNames, ...errorCodes].join(" ").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
