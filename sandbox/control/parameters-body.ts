import type { TSchema } from "typebox";
import type { RequestDetail } from "../contract/control/rows.ts";
import { findInvalid, isObject, jsonWithin } from "../contract/explain.ts";
import { pointer, putValueAt, valueAt } from "../contract/json-pointer.ts";
import { MASK } from "../contract/known-secrets.ts";
import { operationPath } from "../contract/operation.ts";
import { integrationsInsert, partnerOperations } from "../contract/operations/partner.ts";
import { correctBody } from "../operations/corrected-body.ts";
import { subscription } from "../operations/credential-causes.ts";
import { enumerateFields, takeFindings } from "../operations/renamed-fields.ts";
import { isCut } from "../secrets/masking.ts";
import { NO_CORRECTION, type ProposedCorrection } from "./correction.ts";

/** Parameters of one address that are read. */
const MAX_PARAMETERS = 50;
/** Levels of fields in the name of a parameter. */
const MAX_LEVELS = 8;

/** Body made of parameters of an address, with names such as `identity[id]`, `identity.id` or `ids[]`. */
export const readParameters = (query: string): unknown => {
  const body = {};
  for (const [name, text] of [...new URLSearchParams(query)].slice(0, MAX_PARAMETERS)) {
    const keys = name.split(/[[\].]+/, MAX_LEVELS).filter((key) => key !== "");
    const at = keys.reduce((path, key) => pointer(path, key), "");
    const value = jsonWithin(text) ?? text;
    const before = valueAt(body, at);
    const isList = name.endsWith("[]") || before !== undefined;
    if (at !== "")
      putValueAt(
        body,
        at,
        isList ? [...(Array.isArray(before) ? before : [before]), value].filter((one) => one !== undefined) : value,
      );
  }
  return body;
};

const findSchema = (path: string): TSchema | undefined =>
  path === "/__webhooks/subscribe"
    ? subscription
    : partnerOperations.find((one) => operationPath(one) === path && one.id !== integrationsInsert.id)?.request;

/** Body that an address meant by its parameters, without what the operation doesn't have; null if it has no field. */
const findBody = (address: string): { readonly body: object; readonly wrong: readonly string[] } | null => {
  const [path = "", query = ""] = address.split("?", 2);
  const schema = isCut(address) ? undefined : findSchema(path);
  if (!schema) return null;
  const { body } = correctBody(schema, readParameters(query));
  const { properties = {} } = schema as { readonly properties?: object };
  const fields = isObject(body) ? Object.entries(body).filter(([name]) => Object.hasOwn(properties, name)) : [];
  const own = Object.fromEntries(fields);
  const isMasked = JSON.stringify(own).includes(MASK);
  if (fields.length === 0 || isMasked) return null;
  return { body: own, wrong: [...new Set(takeFindings(findInvalid(schema, own)).map((one) => one.path))] };
};

/** Longest body shown in a sentence. */
const MAX_SHOWN_CHARS = 400;
/** Remedy for fields that were sent in the address, with the body that they make. @param how what to send */
export const describeParameters = (address: string, how: string): string => {
  const found = findBody(address);
  const shown = found ? JSON.stringify(found.body) : "";
  const isShown = found !== null && shown.length <= MAX_SHOWN_CHARS && !shown.includes("`");
  const isWrong = isShown && found.wrong.length > 0;
  return `${how} fields as JSON in the body${isShown ? `: \`${shown}\`` : ""}. They are not read from the address.${isWrong ? ` Then add or correct ${enumerateFields(found.wrong)}.` : ""}`;
};

/** @param allow the methods that the address takes */
export const describeMethodRemedy = (allow: string, path: string): string =>
  path.includes("?")
    ? describeParameters(path, `Send the call with the method ${allow}, and its`)
    : `Send the call with the method ${allow}.`;

/** Checks for a call without fields in its body: an empty one, or `{}`. */
export const hasNoFields = ({ request_bytes }: Pick<RequestDetail, "request_bytes">): boolean => request_bytes <= 2;

/** Corrects a call without a body whose fields are in its address; null for others, or if errors would remain. */
export const correctParameters = (call: RequestDetail): ProposedCorrection | null => {
  const found = hasNoFields(call) ? findBody(call.path) : null;
  if (!found || found.wrong.length > 0) return null;
  const edits = [{ pointer: "", after: found.body, reason: "Fields belong in the body." }];
  return { ...NO_CORRECTION, edits, correction: { body: found.body, edits } };
};
