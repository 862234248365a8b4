import { type PolicyName, policyChoices } from "../control/policies.ts";

/** What this sandbox does where the contract is silent, for a partner to read; the ids are those of the declarations. */
const sentences = {
  D1: "`not_found` and `work_provider_not_found` have the status 404, `bad_request` 400 and `unprocessable` 422.",
  D2: "Checks are made in this order: path and method, Host, tenant name, size, credentials, scope, JSON, shape, rules. An anonymous caller learns nothing about shapes.",
  D3: "A body that is not JSON, not an object or of the wrong shape is answered with the operation's own `unprocessable` where it has one, elsewhere with `bad_request`; the message names the field by its path.",
  D4: "The content type is `application/json` with any parameters, or none. Bodies are UTF-8; a leading byte order mark is dropped.",
  D5: "An unknown operation or version is 404 `not_found`; another method is 405 with an `Allow` header.",
  D6: "A body has at most 1 MiB, an uploaded image at most 20 MiB.",
  D7: "Unknown extra fields are ignored, except in shapes that are exactly one of several variants, where the key of another variant is an error.",
  D8: "Integers must be JSON integers in their range; `1.0` counts as 1. Nothing is coerced.",
  D9: "Strings are kept as they were sent, at most 4,096 characters, URLs at most 2,048. Lone surrogates and U+0000 are refused.",
  D10: "Timestamps are sent in RFC 3339, UTC, with milliseconds and `Z`.",
  D11: "There are no rate limits and no pages: lists are whole.",
  D12: "An unexpected failure is 500 `internal_error` with a `request_id`; every response carries `x-request-id`.",
  D13: "Every 401 carries `WWW-Authenticate: Bearer`.",
  D14: "A body is sent as it is: under a `Content-Encoding` other than `identity` it is 415 `unsupported_media_type`.",
  D15: "No date the service computes is beyond the year 9990; a world's clock cannot be moved past it.",
  D20: "Installed keys are `isk_` and a UUID without dashes, pre-loaded ones `sbx_` and 32 hexadecimal digits, webhook secrets `pwh_` and 43 base64url characters.",
  D21: "Access codes are issued by the authorization page of this sandbox, which redirects to loopback addresses when it runs locally and to the client's registered `https` addresses when it is deployed.",
  D22: "A code carries client, organization, scope and issue time and is good for 15 minutes of the world's clock; presented by another client it is `invalid_access_code` and stays unused.",
  D23: "An install that fails consumes nothing.",
  D24: "`businesses.list`, `tier1.prepare` and `uploads.prepare` take a credential of either scope.",
  D25: "What belongs to another organization is `not_found`, never `forbidden`.",
  D26: "An integration reads its webhook secret in the explorer, or from `POST /__webhooks/secret` with its credential headers.",
  D30: "When `if_` is left out and the job exists, the call is refused with 422; the message names the job.",
  D31: "An `identity` with an `id` that does not exist is refused with 422: identifiers are assigned by the service.",
  D32: "`update` writes the keys that are present, where an explicit null clears, and keeps the values of absent ones.",
  D33: "`replace` makes absent keys null or empty; `id`, `external_id` and the parts stay.",
  D34: "The site must be a `repairer_site` of the caller's organization, otherwise the call is refused with 422. A job may move to another site of the organization.",
  D35: "A `job_number` is unique among the jobs of a site that have one; a clash is 422 and names both.",
  D36: "`work_provider_contract` is compared with the names of work providers without regard to case. An unknown one is `work_provider_not_found`; one that is another than `work_provider_id` names is 422.",
  D37: "Image URLs are absolute `http` or `https` ones, at most 100.",
  D38: "A part whose identity is known in the job is updated, an unknown one is inserted with it; the `id` of another job's part is `unprocessable`. All parts of a call are written or none, at most 500.",
  D39: "The answer lists all parts of the job in the order they were inserted.",
  D40: "A `description` that is null or absent is stored as the empty string.",
  D41: "`ghca_id` comes from the seeded catalogue by description, otherwise it is null.",
  D42: "A part becomes `ordered` when a procurement that covers it is placed, and `estimated` again when no live procurement covers it.",
  D43: "Offers appear as soon as parts exist, and are the same for the same parts. A job without parts has empty arrays.",
  D50: "A procurement that is confirmed already is answered with 200 and its unchanged state; no event is made.",
  D51: "A cancelled procurement cannot be confirmed: 422 `unprocessable` with a `message`.",
  D52: "Confirming fills in what must not be null: `condition` new, `inventory` and `trade_price` from the offer, `deliver_before` three working days ahead.",
  D53: "The supplier sees offered items in the buyer's shapes, with `warehouse_id` in their `inventory`.",
  D54: "Procurements are listed newest first.",
  D55: "Amounts are decimal strings with the minor digits of their currency.",
  D60: "A chassis number is valid with 17 characters of A–Z and 0–9 without I, O and Q, or as a Japanese frame number: letters or digits, a hyphen and digits, 6 to 17 in all. Letter case does not matter.",
  D61: "`region` is upper case, exactly as listed. `state` is required for `AU` (ACT, NSW, NT, QLD, SA, TAS, VIC, WA); for `GB` and `NZ` it is ignored.",
  D62: "More than 1000 identifiers are 400 `bad_request`, and none is queued.",
  D63: "The same identifier is queued once for an organization.",
  D64: "An upload address takes one upload within 15 minutes; the content must be PNG, JPEG, WebP, GIF or HEIC by its bytes, and is served as that image and nothing else.",
  D70: "A notification goes to every subscribed integration of the organization whose scope is the event's side; each gets a `message_id` of its own.",
  D71: "An integration may subscribe several addresses, which all receive; subscribing one again changes nothing.",
  D72: "An attempt that is not acknowledged is repeated after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h and 3 h. An attempt takes at most 10 s; only 200 acknowledges; redirects are not followed. Every attempt has a fresh `webhook_timestamp` and signature, the same `message_id` and `event_timestamp`.",
  D73: "Notifications are sent in event order; one that fails does not hold back others for longer than its own attempt.",
  D74: "A cancellation makes no event.",
  D75: "`deleted` is made by the extension `repairer.jobs.delete`.",
  D76: "An `integration_id` that is no UUID is `missing_field`; a `url` that is no URL is refused like one of the wrong kind.",
  D77: "When deployed, a host is judged by the address it reaches, however it is written, and again at every connection; an IPv6 address that embeds an IPv4 one is refused.",
  D78: "The sink refuses with 401 for `missing_signature` and `bad_signature`, with 400 for `missing_timestamp` and `stale_timestamp`.",
  D79: "An insert over a job that changes no value still makes `updated`.",
  D80: "Without a tenant header the world is `default`, which never resets by itself.",
  D81: "A tenant name is 1 to 64 of A–Z a–z 0–9 . _ -, otherwise the call is 400 `bad_request`.",
  D82: "A world that is idle for an hour is seeded anew at its next call; that ends its subscriptions and pending deliveries.",
  D83: "Every fresh world has the same identifiers, keys and content; timestamps are relative to its creation.",
  D84: "A world's clock can be moved ahead: codes, stamps and expiries follow it, `webhook_timestamp` does not.",
  D85: "A call with the name of a world that is not there yet makes it, once its credentials or its subscription are accepted; what is refused leaves nothing behind. A service holds a set number of worlds; beyond it the call is 503 `too_many_worlds`.",
  D86: "An integration has at most 32 subscriptions in a world, and a world 1,000; one more is refused with the reason `too_many_subscriptions`. The uploaded pictures of a world take at most 256 MiB, judged by the length an upload declares; beyond it is 413 `payload_too_large`, and an address takes one upload at a time. Of more than 100 unused access codes the oldest ends. Each is an option of the service.",
  D87: "A world whose file is damaged, or says of the world what makes no sense, is 503 `world_unavailable`; every other world goes on.",
  D88: "A notification waits for its own subscription only, whatever other receivers do. An answer is read up to 64 KiB in all: heads, interim answers, chunks and trailers counted; then the attempt has failed.",
  D89: "A scenario calls partner routes of its own service, or of the address it is run against, uploads it prepared, and the control operations that are declared as usable in one, in its own world. Anything else is refused before the run, or at the step where an address is known only then.",
  D90: "A page of another site changes nothing: on every route that changes state a request with `Sec-Fetch-Site: cross-site`, or with an `Origin` that is not the service's own, is 403 `forbidden`.",
  D91: "A protocol other than HTTP/1.1 gets what Node gives it, 400 or a closed connection; nothing is recorded of it but a count.",
} as const;

export type DecisionId = keyof typeof sentences;

export const decisionIds = Object.keys(sentences) as DecisionId[];

/** The switch of a world that gives another answer than the decision's own. */
const switches: Partial<Record<DecisionId, PolicyName>> = {
  D30: "jobs_insert_conflict",
  D31: "jobs_insert_unknown_id",
  D42: "part_ordered_on",
  D50: "confirm_when_confirmed",
  D51: "confirm_when_cancelled",
  D72: "webhook_retries",
};

export const isDecision = (id: string): id is DecisionId => id in sentences;

const switchNote = (id: DecisionId): string => {
  const name = switches[id];
  if (!name) return "";
  const [first, ...others] = policyChoices[name].map((choice) => `\`${choice}\``);
  return ` This is \`${name}\` = ${first}; a world can be switched to ${others.join(" or ")}.`;
};

/** The decision in words, with the switch that changes it. @throws when the declarations name one that is not there */
export const decisionText = (id: string): string => {
  if (!isDecision(id)) throw new Error(`the declarations name ${id}, which has no sentence in decisions.ts`);
  return sentences[id] + switchNote(id);
};

/** A decision in words, and the switch of a world that gives another answer. */
export const decisionOf = (id: DecisionId): { readonly meaning: string; readonly policy: PolicyName | null } => ({
  meaning: sentences[id],
  policy: switches[id] ?? null,
});

/** Every decision in words, by its id. */
export const decisionTexts = (): Record<string, string> =>
  Object.fromEntries(decisionIds.map((id) => [id, decisionText(id)]));

/** Decisions as a list in Markdown. */
export const decisionList = (decisions: readonly string[]): string =>
  decisions.map((id) => `- **${id}**: ${decisionText(id)}`).join("\n");

/** What this sandbox decided about an operation, as the end of its description; nothing where nothing is decided. */
export const decisionNotes = (decisions: readonly string[]): string =>
  decisions.length === 0 ? "" : `\n\nWhere the contract is silent, this sandbox decides:\n\n${decisionList(decisions)}`;
