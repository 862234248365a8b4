import { errorCodes } from "../../sandbox/contract/errors.ts";
import { recordingFor, requestExamples } from "../../sandbox/contract/openapi/examples.ts";
import { documented } from "../../sandbox/contract/openapi/schemas.ts";
import { isBare, type Operation, operationCodes, operationPath } from "../../sandbox/contract/operation.ts";
import { partnerOperations } from "../../sandbox/contract/operations/partner.ts";
import { decisionLines } from "./assumptions-page.ts";
import { curl } from "./call.ts";
import { fieldTable } from "./fields.ts";
import { fence, type Page, pageHref, stacked, table } from "./page.ts";

export const operationSlug = (id: string): string => `reference/operations/${id}`;

const whoCalls: Record<Operation["scope"], string> = {
  repairer: "a buyer, with an API key of the scope `repairer`",
  supplier: "a supplier, with an API key of the scope `supplier`",
  either: "either side, with its API key",
  none: "anyone: it takes no credential headers",
};

const origins = { contract: "Contract", extension: "Extension: only this sandbox has it", control: "" } as const;

const errorRows = (operation: Operation): string[][] =>
  operationCodes(operation).map((code) => {
    const { status, meaning } = errorCodes[code];
    const form = isBare(code, operation) ? " The body is a bare JSON string." : "";
    return [`[\`${code}\`](${pageHref(`reference/errors/${code}`)})`, String(status), meaning + form];
  });

const recorded = recordingFor("http://127.0.0.1:4026");

const operationPage = (operation: Operation): Page => {
  const { id, summary, surface, scope, effect, request, response, decisions } = operation;
  const example = requestExamples[id as keyof typeof requestExamples];
  const fields = fieldTable(documented(request));
  return {
    slug: operationSlug(id),
    title: id,
    description: summary,
    body: stacked(
      summary,
      table(
        ["", ""],
        [
          ["Address", `\`POST ${operationPath(operation)}\``],
          ["Called by", whoCalls[scope]],
          ["Effect", effect === "read" ? "Reads only" : "Changes data"],
          ["Defined by", origins[surface]],
        ],
      ),
      "## Request",
      fields === "" ? "An empty JSON object." : fields,
      id === "integrations.insert"
        ? "The example's access code is invented, so this call returns `invalid_access_code`. Get a code on the page Install."
        : "",
      curl({ path: operationPath(operation), scope }, example),
      "## Response",
      "The call returns 200 with these fields:",
      fieldTable(documented(response)),
      fence("json", JSON.stringify(recorded.answers[id] ?? {}, null, 2)),
      "## Errors",
      table(["Code", "Status", "Meaning"], errorRows(operation)),
      decisions.length === 0 ? "" : "## Where the contract is silent",
      decisionLines(decisions),
    ),
  };
};

const of = (surface: Operation["surface"]): Page[] =>
  partnerOperations.filter((operation) => operation.surface === surface).map(operationPage);

/** One page per operation of the contract. */
export const operationPages = of("contract");
/** One page per extension. */
export const extensionPages = of("extension");
