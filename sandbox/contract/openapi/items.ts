import * as Type from "typebox";
import { type ErrorCode, errorCodes } from "../errors.ts";
import { isBare, type Operation, type Origin } from "../operation.ts";
import { OneOf, Uuid } from "../schema.ts";
import { decisionNotes } from "./decisions.ts";
import { documented, type Json, type Plain } from "./schemas.ts";

/** Marks an item with the origin and the decisions of a behaviour. */
const badge = (origin: Origin, decisions: readonly string[]): Plain => ({
  "x-origin": origin,
  ...(decisions.length > 0 ? { "x-decisions": [...decisions] } : {}),
});

/** Response headers for a status. @param isAsked whether credentials are taken: only then is a scheme named (D13) */
const responseHeaders = (status: number, isAsked = true): Plain => ({
  "x-request-id": { $ref: "#/components/headers/RequestId" },
  ...(status === 401 && isAsked ? { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } } : {}),
  ...(status === 405 ? { Allow: { $ref: "#/components/headers/Allow" } } : {}),
});

/** A response or a body of a media type. */
export const content = (description: string, mediaType: string, media: Plain = {}): Plain => ({
  description,
  content: { [mediaType]: media },
});

export const json = (description: string, schema: Json, example?: Json): Plain =>
  content(description, "application/json", { schema, ...(example === undefined ? {} : { example }) });

/** One method at an address in OpenAPI terms, without the parts that are the same everywhere. */
export interface Item {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly origin: Origin;
  readonly decisions?: readonly string[];
  readonly security: Json[];
  readonly parameters?: Plain[];
  readonly requestBody?: Plain;
  /** By status, without the common headers. */
  readonly answers?: Readonly<Record<number, Plain>>;
  /** All other responses. */
  readonly refusals: Plain;
  readonly "x-scope"?: string;
}

export const toPathItem = ({
  tag,
  description,
  origin,
  decisions = [],
  answers = {},
  refusals,
  ...same
}: Item): Plain => ({
  ...same,
  description: description + decisionNotes(decisions),
  tags: [tag],
  ...badge(origin, decisions),
  responses: {
    ...Object.fromEntries(
      Object.entries(answers).map(([status, response]) => [
        status,
        { ...response, headers: responseHeaders(Number(status), same.security.length > 0) },
      ]),
    ),
    ...refusals,
  },
});

/** Returns whether operations return this code without a message. */
const withoutMessage = (code: ErrorCode): boolean =>
  errorCodes[code].origin === "contract" || code === "not_found" || code === "work_provider_not_found";

const Message = Type.String({ description: "The reason, in words" });

/** The type-tagged form of these codes (contract, "Errors"). */
export const taggedSchema = (codes: readonly ErrorCode[]): Plain =>
  documented(
    Type.Object({
      type: OneOf(codes),
      message: codes.some(withoutMessage) ? Type.Optional(Message) : Message,
      ...(codes.includes("internal_error") ? { request_id: Type.Optional(Uuid("The x-request-id of this call")) } : {}),
    }),
  );

const findExample = (code: ErrorCode): Json => ({
  type: code,
  ...(withoutMessage(code) ? {} : { message: errorCodes[code].meaning }),
});

/** @param own the operation's decisions besides those of the codes */
const refusal = (codes: readonly ErrorCode[], bare: readonly ErrorCode[], own: readonly string[]): Plain => {
  const origins = codes.map((code) => errorCodes[code].origin).filter((origin) => origin !== "contract");
  const decisions = [...new Set([...origins, ...own])];
  const tagged = codes.filter((code) => !bare.includes(code));
  const forms = [
    ...(bare.length > 0 ? [documented(OneOf(bare))] : []),
    ...(tagged.length > 0 ? [taggedSchema(tagged)] : []),
  ];
  const [schema = {}] = forms.length > 1 ? [{ oneOf: forms }] : forms;
  const examples = codes.map((code) => [code, { value: bare.includes(code) ? code : findExample(code) }] as const);
  return {
    ...content(codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join("\n\n"), "application/json", {
      schema,
      examples: Object.fromEntries(examples),
    }),
    ...badge(decisions.length > 0 ? "assumption" : "contract", decisions),
    headers: responseHeaders(codes[0] ? errorCodes[codes[0]].status : 500),
  };
};

/**
 * Returns refusals by status. Refusals that don't depend on the operation become shared components, one for each set of
 * codes.
 *
 * @param components the responses of the document so far; missing ones are added
 */
export const refusalResponses = (codes: readonly ErrorCode[], components: Plain, operation?: Operation): Plain => {
  const byStatus = Map.groupBy(codes, (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => {
      const bare = operation ? ofStatus.filter((code) => isBare(code, operation)) : [];
      const own = ofStatus.flatMap((code) => operation?.decidedErrors?.[code] ?? []);
      if (bare.length > 0 || own.length > 0) return [status, refusal(ofStatus, bare, own)];
      const name = ofStatus.join(".");
      components[name] ??= refusal(ofStatus, [], []);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
};
