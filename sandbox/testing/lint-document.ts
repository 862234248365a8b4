import { BaseResolver, createConfig, lintFromString } from "@redocly/openapi-core";

/** Refuses external references, so that the linter makes no network call. */
class NoResolver extends BaseResolver {
  override loadExternalRef(reference: string): ReturnType<BaseResolver["loadExternalRef"]> {
    return Promise.reject(new Error(`${reference} lies outside the document`));
  }
}

const eachAnswer = ["2xx", "4xx", "5xx"];

/** All of the linter's rules except those that contradict the contract. */
const rules = {
  // The contract's operation names contain dots and end in get or list, each as one path segment.
  "paths-kebab-case": "off",
  "path-segment-plural": "off",
  "no-http-verbs-in-paths": "off",
  // The contract has its own error format.
  "operation-4xx-problem-details-rfc7807": "off",
  // The contract allows empty strings.
  "required-string-property-missing-min-length": "off",
  // The document shows complete recorded bodies instead.
  "scalar-property-missing-example": "off",
  // The order follows a partner's needs.
  "tags-alphabetical": "off",
  // The licence is named by its identifier, which excludes an address; there is no contact.
  "info-license-url": "off",
  "info-contact": "off",
  "response-contains-header": {
    severity: "error",
    names: Object.fromEntries(eachAnswer.map((range) => [range, ["x-request-id"]])),
  },
  "request-mime-type": { severity: "error", allowedValues: ["application/json", "image/*"] },
  "response-mime-type": {
    severity: "error",
    allowedValues: ["application/json", "text/html", "text/event-stream", "image/*"],
  },
} as const;

/** Responses to notifications come from partners, without the service's headers. */
const ANSWERED_BY_PARTNERS = "response-contains-header at #/webhooks/";

/** Returns the problems of an OpenAPI document: the rule, a JSON Pointer, and the message. */
export const lintDocument = async (source: string): Promise<string[]> => {
  const config = await createConfig({ extends: ["all"], rules });
  const problems = await lintFromString({
    source,
    absoluteRef: "openapi.json",
    config,
    externalRefResolver: new NoResolver(),
  });
  return problems
    .map(({ ruleId, location, message }) => `${ruleId} at ${location[0]?.pointer ?? "#/"}: ${message}`)
    .filter((problem) => !problem.startsWith(ANSWERED_BY_PARTNERS));
};
