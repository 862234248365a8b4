import { BaseResolver, createConfig, lintFromString } from "@redocly/openapi-core";

/** Nothing but the document itself is read: a reference to elsewhere is a problem, and no call over the network. */
class NoResolver extends BaseResolver {
  override loadExternalRef(reference: string): ReturnType<BaseResolver["loadExternalRef"]> {
    return Promise.reject(new Error(`${reference} lies outside the document`));
  }
}

const eachAnswer = ["2xx", "4xx", "5xx"];

/** Every rule the linter has, but for those that want what the contract does not. */
const rules = {
  // The contract names operations by dotted words that end in get or list, in a path of its own.
  "paths-kebab-case": "off",
  "path-segment-plural": "off",
  "no-http-verbs-in-paths": "off",
  // The contract has an error form of its own.
  "operation-4xx-problem-details-rfc7807": "off",
  // The contract allows empty strings.
  "required-string-property-missing-min-length": "off",
  // Whole bodies are shown instead: recorded from the service, which single values would not be.
  "scalar-property-missing-example": "off",
  // The order is the one in which a partner needs them.
  "tags-alphabetical": "off",
  // The licence is named by its identifier, which excludes an address; there is nobody to write to.
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

/** What answers a notification is the partner's, and needs no header of the service. */
const ANSWERED_BY_PARTNERS = "response-contains-header at #/webhooks/";

/** What is wrong with an OpenAPI document: the rule, the path as a JSON pointer, and the problem in words. */
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
