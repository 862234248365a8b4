import { INTERFACE_VERSION } from "../operation.ts";
import { decisionText } from "./decisions.ts";
import type { Json } from "./json-schema.ts";

/** Both credential headers together (contract, "Headers"). */
export const credentials: Json = [{ ApiKey: [], IntegrationId: [] }];

const listOf = (decisions: readonly string[]): string =>
  decisions.map((id) => `- **${id}**: ${decisionText(id)}`).join("\n");

/** What this sandbox decided about an operation, as the end of its description; nothing where nothing is decided. */
export const decisionNotes = (decisions: readonly string[]): string =>
  decisions.length === 0 ? "" : `\n\nWhere the contract is silent, this sandbox decides:\n\n${listOf(decisions)}`;

/** The decisions that concern every operation. */
const general = ["D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D55"];
const ofWorlds = ["D80", "D81", "D82", "D83", "D84"];

/** The introduction of the document, in Markdown. */
export const introduction = `JSON over HTTP for integrations of a vehicle-repair and parts-procurement platform: install an integration, insert repair jobs and their parts, fetch baskets of supplier offers, follow procurements and confirm them, and be told of changes by signed webhooks. This is a sandbox of it, with invented data.

## Conventions

Every operation of the contract is a \`POST\` to \`/api/${INTERFACE_VERSION}/\` and its name, with a JSON body; an empty body is \`{}\`. A success is 200 with the shape of the operation. A failure is \`{type: <error code>}\`, with a \`message\` for some codes; the operation that answers bare strings instead says so.

## Authentication

Every operation but \`integrations.insert\` takes two headers: \`Authorization: Bearer <API_KEY>\` and \`Service-Integration-ID: <INTEGRATION_ID>\`. They must be a known pair. A credential belongs to one organization and has one scope, \`repairer\` or \`supplier\`; the wrong scope is \`forbidden\`.

## Badges

\`x-origin\` says where a behaviour comes from: \`contract\`, where the public contract says so; \`assumption\`, where it is silent and this sandbox decides; \`extension\`, for what lies outside the contract. \`x-decisions\` names the decisions a behaviour rests on. They are written out in the \`x-decisions\` of the document itself.

## Where the contract is silent

${listOf(general)}

A request that cannot be read as HTTP, has too many or too large headers, or does not arrive in time is answered 400, 431, 408 or 417 with \`bad_request\`.

## Worlds

The header \`x-sandbox-tenant\` selects a private copy of the sandbox world. Send it on every call, subscriptions included, to stay in the same one.

${listOf(ofWorlds)}
`;
