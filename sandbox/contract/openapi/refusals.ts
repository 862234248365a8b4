import { type ErrorCode, errorCodes } from "../errors.ts";
import type { Operation, Origin } from "../operation.ts";
import { codesOf, isBare } from "../operation-errors.ts";
import type { Json, Plain } from "./schemas.ts";

/** Where a behaviour comes from, and the decisions it rests on, as they stand in the document. */
export const badge = (origin: Origin, decisions: readonly string[] = []): Plain => ({
  "x-origin": origin,
  ...(decisions.length > 0 ? { "x-decisions": [...decisions] } : {}),
});

/** The headers of an answer with this status. */
export const headersOf = (status: number): Plain => ({
  "x-request-id": { $ref: "#/components/headers/RequestId" },
  ...(status === 401 ? { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } } : {}),
  ...(status === 405 ? { Allow: { $ref: "#/components/headers/Allow" } } : {}),
});

/** Codes that come without a message when an operation answers them. */
const withoutMessage = (code: ErrorCode): boolean =>
  errorCodes[code].origin === "contract" || code === "not_found" || code === "work_provider_not_found";

/** The type-tagged form of these codes (contract, "Errors"). */
export const taggedSchema = (codes: readonly ErrorCode[]): Plain => ({
  type: "object",
  required: ["type", ...(codes.some(withoutMessage) ? [] : ["message"])],
  properties: {
    type: { type: "string", enum: [...codes] },
    message: { type: "string", description: "The reason, in words." },
    ...(codes.includes("internal_error")
      ? { request_id: { type: "string", format: "uuid", description: "The x-request-id of this call." } }
      : {}),
  },
});

const exampleOf = (code: ErrorCode, bare: boolean): Json => {
  if (bare) return code;
  return { type: code, ...(withoutMessage(code) ? {} : { message: errorCodes[code].meaning }) };
};

const schemaOf = (tagged: readonly ErrorCode[], bare: readonly ErrorCode[]): Plain => {
  if (bare.length === 0) return taggedSchema(tagged);
  const strings: Plain = { type: "string", enum: [...bare] };
  return tagged.length === 0 ? strings : { oneOf: [strings, taggedSchema(tagged)] };
};

/** @param own decisions of one operation, beside those that gave a code its status or that made it */
const responseOf = (codes: readonly ErrorCode[], bare: readonly ErrorCode[], own: readonly string[]): Plain => {
  const [first] = codes;
  const origins = codes.map((code) => errorCodes[code].origin).filter((origin) => origin !== "contract");
  const decisions = [...new Set([...origins, ...own])];
  const schema = schemaOf(
    codes.filter((code) => !bare.includes(code)),
    bare,
  );
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, bare.includes(code)) }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join("\n\n"),
    ...badge(decisions.length > 0 ? "assumption" : "contract", decisions),
    headers: headersOf(first ? errorCodes[first].status : 500),
    content: { "application/json": { schema, examples } },
  };
};

/**
 * Refusals by status. What no one operation decides stands in the components, once for each set of codes.
 *
 * @param components the responses of the document so far; what is missing is added
 */
export const refusalsOf = (codes: readonly ErrorCode[], components: Plain, operation?: Operation): Plain => {
  const byStatus = Map.groupBy(codes, (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => {
      const bare = operation ? ofStatus.filter((code) => isBare(code, operation)) : [];
      const own = ofStatus.flatMap((code) => operation?.decidedErrors?.[code] ?? []);
      if (bare.length > 0 || own.length > 0) return [status, responseOf(ofStatus, bare, own)];
      const name = ofStatus.join(".");
      components[name] ??= responseOf(ofStatus, [], []);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
};

/** The refusals of an operation by status. */
export const operationRefusals = (operation: Operation, components: Plain): Plain =>
  refusalsOf(codesOf(operation), components, operation);
