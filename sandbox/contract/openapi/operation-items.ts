import type { Operation } from "../operation.ts";
import { decisionNotes } from "./decisions.ts";
import { type Recorded, requestExamples } from "./examples.ts";
import { badge, headersOf, operationRefusals } from "./refusals.ts";
import { credentials, type TagName } from "./route.ts";
import { documented, type Json, type Plain } from "./schemas.ts";

const tagOf = ({ surface, scope }: Operation): TagName => {
  if (surface === "extension") return "Extensions";
  if (scope === "none") return "Installation";
  if (scope === "either") return "Utilities";
  return scope === "repairer" ? "Repairer" : "Supplier";
};

const scopeNote: Record<Operation["scope"], string> = {
  repairer: "Needs a repairer-scope credential.",
  supplier: "Needs a supplier-scope credential.",
  either: "Needs a credential of either scope.",
  none: "Needs no credential headers.",
};

const formNote = ({ errorForm, errors }: Operation): string =>
  errorForm === "bare"
    ? ` Its own errors (${errors.map((code) => `\`${code}\``).join(", ")}) are bare JSON strings.`
    : "";

/** The path item of a declared operation. @param components the responses of the document so far */
export const operationItem = (operation: Operation, { answers }: Recorded, components: Plain): Plain => {
  const { id, surface, summary, scope, decisions, request } = operation;
  const takesFields = Object.keys((request as { properties?: object }).properties ?? {}).length > 0;
  const example = requestExamples[id as keyof typeof requestExamples] as Json;
  return {
    post: {
      operationId: id,
      summary,
      description: scopeNote[scope] + formNote(operation) + decisionNotes(decisions),
      tags: [tagOf(operation)],
      ...badge(surface === "contract" ? "contract" : "extension", decisions),
      "x-scope": scope,
      security: scope === "none" ? [] : credentials,
      parameters: [{ $ref: "#/components/parameters/Tenant" }],
      requestBody: {
        description: takesFields ? "A JSON object." : "An empty JSON object or an empty body.",
        required: takesFields,
        content: { "application/json": { schema: documented(request), example } },
      },
      responses: {
        "200": {
          description: "The call succeeded.",
          headers: headersOf(200),
          content: { "application/json": { schema: documented(operation.response), example: answers[id] ?? {} } },
        },
        ...operationRefusals(operation, components),
      },
    },
  };
};
