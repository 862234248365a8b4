import { afterAll, beforeAll, expect, test } from "vitest";
import type { Cause } from "../contract/causes.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { accessCodesIssue, organizationsList } from "../contract/control/operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { clockAdvance, worldsReset } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { operationPath } from "../contract/operation.ts";
import {
  integrationsInsert,
  jobsDelete,
  jobsInsert,
  partnerOperations,
  partsInsert,
} from "../contract/operations/partner.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  supplier,
  type TestService,
} from "../testing/harness.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

/** A call to send, as a partner's program would. */
interface SentCall {
  readonly id: string;
  readonly body?: unknown;
  /** Raw body, sent instead of `body` as JSON. */
  readonly text?: string | Uint8Array<ArrayBuffer>;
  /** Default: the buyer's. Null sends no credentials. */
  readonly headers?: Readonly<Record<string, string>> | null;
  readonly world?: string;
}
/** Expected explanation: cause, part of the sentence, and part of the remedy. */
type Row = readonly [what: string, sent: SentCall, cause: Cause, sentence: RegExp, remedy?: RegExp | undefined];

let service: TestService;
const { key, id } = { key: repairer.api_key, id: repairer.integration_id };
const seed = buildSeedWorld();
const BUYER = seed.credentials[0]?.organization_id ?? "";
const SITE =
  seed.businesses.find(({ type, organization_id }) => type === "repairer_site" && organization_id === BUYER)?.id ?? "";
const OTHERS_PART = seed.jobs.find((one) => one.parts.length > 0 && one.organization_id !== BUYER)?.parts[0]?.id;
const NOBODY = "00000000-0000-4000-8000-000000000000";
const JOB = { external: "estimate:88213" };
const { client_id, client_secret } = fixedClients.demo;
const INSTALL = { client_id, client_secret, access_code: "ac_invented" };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const pathTo = (operation: string): string => {
  const found = partnerOperations.find((one) => one.id === operation);
  if (!found) throw new Error(`no operation ${operation}`);
  return operationPath(found);
};
const send = ({ id: operation, body = {}, text, headers, world }: SentCall): Promise<ServiceResponse> =>
  service.raw(pathTo(operation), {
    headers: {
      "content-type": "application/json",
      ...(headers === null ? {} : { ...credentialHeaders(repairer), ...headers }),
      ...(world === undefined ? {} : { "x-sandbox-tenant": world }),
    },
    body: text ?? JSON.stringify(body),
  });
const explain = (answer: ServiceResponse, world = "default") =>
  service.control(requestsExplain, { world, id: answer.headers.get("x-request-id") ?? "" });

const as = (authorization: string, integration = id): SentCall => ({
  id: "businesses.list",
  headers: { authorization, "service-integration-id": integration },
});
const get = (identity: unknown): SentCall => ({ id: "repairer.jobs.get", body: { identity } });
const install = (more: object): SentCall => ({
  id: "integrations.insert",
  headers: null,
  body: { ...INSTALL, ...more },
});
const json = (text: string | Uint8Array<ArrayBuffer>): SentCall => ({ id: "repairer.jobs.insert", text });
const insert = (more: object): SentCall => ({
  id: "repairer.jobs.insert",
  body: { identity: { external: "mine" }, repairer_site_id: SITE, ...more },
});

const rows: readonly Row[] = [
  ["no credentials at all", { id: "businesses.list", headers: null }, "no_credentials", /headers are missing/],
  [
    "no integration ID",
    { id: "businesses.list", headers: { "service-integration-id": "" } },
    "no_credentials",
    /`Service-Integration-ID` header is missing/,
  ],
  [
    "a key with a space inside",
    as(`Bearer ${key.slice(0, 9)} ${key.slice(9)}`),
    "key_nearly",
    /a space or line break inside it/,
  ],
  [
    "a key behind a byte order mark",
    as(Buffer.from(`Bearer \uFEFF${key}`).toString("latin1")),
    "key_nearly",
    /right but for a character that isn’t shown/,
  ],
  [
    "a JSON object for the integration ID",
    as(`Bearer ${key}`, JSON.stringify({ integration_id: id })),
    "key_of_other_kind",
    /`Service-Integration-ID` header holds a JSON object/,
  ],
  ["a number for an ID", { id: "repairer.jobs.get", body: { identity: { id: 5 } } }, "shape", /must be a UUID as text/],
  [
    "a command that a shell didn’t run",
    { id: "repairer.jobs.get", body: { identity: { id: "$(cat id.txt)" } } },
    "shape",
    /holds a placeholder/,
    /^Put the text in double quotes in the shell/,
  ],
  [
    "a no-break space after Bearer",
    as(Buffer.from(`Bearer\u00A0${key}`).toString("latin1")),
    "no_bearer",
    /only looks like a space/,
  ],
  [
    "two headers joined by a proxy",
    as(`Bearer ${key}, Bearer ${key}`),
    "bearer_twice",
    /two values, joined by a comma/,
    /once\. The program and a proxy/,
  ],
  [
    "a printed Ruby hash",
    { id: "repairer.jobs.get", text: '{"identity"=>{"id"=>"x"}}' },
    "json_printed",
    /printed as text/,
  ],
  [
    "a printed PHP array",
    { id: "repairer.jobs.get", text: "['identity' => ['id' => 'x']]" },
    "json_printed",
    /printed as/,
  ],
  [
    "a body inside a field",
    { id: "repairer.jobs.get", body: { body: { identity: JOB } } },
    "shape",
    /^The fields are inside `body`\. They belong/,
    /^Send what `body` holds as the whole body\.$/,
  ],
  [
    "a body two levels down",
    { id: "repairer.jobs.get", body: { data: { type: "jobs", attributes: { identity: JOB } } } },
    "shape",
    /inside `data\.attributes`\./,
    /^Send what `data\.attributes` holds/,
  ],
  [
    "a renamed and a missing field",
    { id: "uploads.prepare", body: { mediaType: "image", type: "job_media" } },
    "shape",
    /`mediaType` was ignored\. `\/file_name` is missing/,
    /^Rename `mediaType` to `media_type`; add `\/file_name`, then/,
  ],
  [
    "a body as text inside a field",
    { id: "repairer.jobs.get", body: { data: JSON.stringify({ identity: JOB }) } },
    "shape",
    /inside `data`, as a text that contains JSON/,
    /^Send what `data` holds/,
  ],
  ["Bearer with a colon", as(`Bearer: ${key}`), "no_bearer", /followed by `:`, not by a space/],
  ["Bearer without a space", as(`Bearer${key}`), "no_bearer", /No space comes between/],
  ["a key in Base64", as(`Bearer ${btoa(key)}`), "key_nearly", /encoded in Base64/],
  [
    "a key as a screen masks it",
    as(`Bearer ${key.slice(0, 6)}******${key.slice(-4)}`),
    "key_nearly",
    /masked or shortened/,
  ],
  [
    "a key with something around it",
    as(`Bearer key=${key};`),
    "key_nearly",
    /right, but has `key=` before it and `;` after it/,
  ],
  ["a key by the prefix of another", as(`Bearer isk_${key.slice(4)}`), "key_nearly", /right but for 3 characters/],
  ["a variable of the environment", as("Bearer process.env.API_KEY"), "key_placeholder", /placeholder/],
  ["a JSON Web Token", as("Bearer eyJhbGciOiJub25lIn0.eyJhIjoxfQ."), "key_of_other_kind", /holds a JSON Web Token/],
  ["a control token", as(`Bearer ${"a1_-".repeat(11).slice(1)}`), "key_of_other_kind", /holds a control token/],
  ["an ID without hyphens", as(`Bearer ${key}`, id.replaceAll("-", "")), "id_malformed", /without its hyphens/],
  ["an ID that is a URN", as(`Bearer ${key}`, `urn:uuid:${id}`), "id_malformed", /begins with `urn:uuid:`/],
  ["an ID cut at its end", as(`Bearer ${key}`, id.slice(0, -1)), "id_malformed", /one character too short/],
  ["an ID sent twice", as(`Bearer ${key}`, `${id}, ${id}`), "id_malformed", /was sent twice/],
  ["a bare key", as(key), "no_bearer", /holds the key without the word `Bearer`/, /Bearer/],
  ["Basic", as(`Basic ${btoa("a:b")}`), "no_bearer", /starts with `Basic`/],
  ["Bearer twice", as(`Bearer Bearer ${key}`), "bearer_twice", /twice/],
  ["Bearer twice in other case", as(`Bearer bearer ${key}`), "bearer_twice", /twice/],
  ["an empty key", as("Bearer "), "key_missing", /No key comes after/],
  ["double quotes", as(`Bearer "${key}"`), "key_quoted", /The key is in quotes/],
  ["single quotes", as(`Bearer '${key}'`), "key_quoted", /The key is in quotes/],
  ["an integration ID in quotes", as(`Bearer ${key}`, `"${id}"`), "key_quoted", /The integration ID is in quotes/],
  ["angle brackets", as(`Bearer <${key}>`), "key_quoted", /The key is in brackets/],
  ["a placeholder in angle brackets", as("Bearer <API_KEY>"), "key_placeholder", /placeholder/],
  ["the whole header in quotes", as(`"Bearer ${key}"`), "no_bearer", /^The `Authorization` header is in quotes/],
  [
    "the header's name in its value",
    as(`Authorization: Bearer ${key}`),
    "no_bearer",
    /^Other text comes before `Bearer`/,
  ],
  ["Basic before Bearer", as(`Basic ${btoa("a:b")}, Bearer ${key}`), "no_bearer", /^Other text comes before `Bearer`/],
  [
    "the response of the install as the key",
    as(`Bearer ${JSON.stringify({ api_key: key, integration_id: id })}`),
    "key_of_other_kind",
    /holds a JSON object, not an API key/,
  ],
  ["a key before an escaped line break", as(`Bearer ${key}\\n`), "key_nearly", /right, but has `\\n` after it/],
  ["a key before an encoded line break", as(`Bearer ${key}%0A`), "key_nearly", /The key is percent-encoded/],
  [
    "a key before a zero-width space",
    as(Buffer.from(`Bearer ${key}\u200B`).toString("latin1")),
    "key_nearly",
    /right but for a character that isn’t shown/,
  ],
  ["a template", as("Bearer {{apiKey}}"), "key_placeholder", /placeholder/],
  ["a shell variable", as("Bearer $API_KEY"), "key_placeholder", /the text of a `\$` variable/],
  ["a variable's name", as("Bearer SANDBOX_API_KEY"), "key_placeholder", /placeholder/],
  ["a template of Ruby", as("Bearer #{api_key}"), "key_placeholder", /placeholder/],
  ["undefined", as("Bearer undefined"), "key_placeholder", /placeholder/],
  ["a key cut at its end", as(`Bearer ${key.slice(0, -1)}`), "key_nearly", /one character too short: its end/],
  ["a key cut at its beginning", as(`Bearer ${key.slice(4)}`), "key_nearly", /4 characters too short: its beginning/],
  ["a key that is too long", as(`Bearer ${key}x`), "key_nearly", /one character too long/],
  ["a key in upper case", as(`Bearer ${key.toUpperCase()}`), "key_nearly", /upper and lower case/],
  ["a key with a wrong character", as(`Bearer ${key.slice(0, -1)}_`), "key_nearly", /right but for one character/],
  [
    "a client_id as integration ID",
    as(`Bearer ${key}`, client_id),
    "key_of_other_kind",
    /`Service-Integration-ID` header holds a client_id/,
  ],
  [
    "an organization's ID as integration ID",
    as(`Bearer ${key}`, seed.organizations[0]?.id),
    "key_of_other_kind",
    /the ID of the organization/,
  ],
  [
    "a secret as the key",
    as(`Bearer ${client_secret}`),
    "key_of_other_kind",
    /`Authorization` header holds a client_secret/,
  ],
  ["a webhook secret as the key", as("Bearer pwh_abcdefgh"), "key_of_other_kind", /holds a webhook secret/],
  ["an access code as the key", as("Bearer ac_abcdefgh"), "key_of_other_kind", /holds an access code/],
  ["a world token as the key", as("Bearer sbw_abcdefgh"), "key_of_other_kind", /holds a world token/],
  ["the integration ID as the key", as(`Bearer ${id}`), "key_of_other_kind", /holds an integration ID/],
  ["key and ID swapped", as(`Bearer ${id}`, key), "key_and_id_swapped", /swapped/],
  ["an ID that is no UUID", as(`Bearer ${key}`, "my-integration"), "id_malformed", /not a UUID/],
  [
    "the other organization's ID",
    as(`Bearer ${key}`, supplier.integration_id),
    "keys_differ",
    /^The key is Tarn & Rowe Collision’s; the integration ID is .*’\.$/,
  ],
  [
    "the other organization's key",
    as(`Bearer ${supplier.api_key}`),
    "keys_differ",
    /^The key is .*’; the integration ID is Tarn & Rowe Collision’s\.$/,
  ],
  [
    "an ID with a wrong digit",
    as(`Bearer ${key}`, `${id.slice(0, -1)}f`),
    "credentials",
    /integration ID is right but for one character/,
  ],
  ["an unknown ID", as(`Bearer ${key}`, NOBODY), "credentials", /no integration has this ID in this world/],
  [
    "an unknown key",
    as("Bearer isk_00000000000000000000000000000000"),
    "credentials",
    /the key is not its key in this world/,
  ],

  [
    "another organization's job",
    get({ id: seed.jobs.find(({ organization_id }) => organization_id !== seed.credentials[0]?.organization_id)?.id }),
    "job_of_another",
    /^The job belongs to .*; this key is Tarn & Rowe Collision’s\.$/,
  ],
  [
    "another organization's job by its external ID",
    get({
      external: seed.jobs.find(
        ({ organization_id, external_id }) =>
          external_id !== null && organization_id !== seed.credentials[0]?.organization_id,
      )?.external_id,
    }),
    "job_of_another",
    /^The job belongs to/,
  ],
  [
    "the ID of another organization's part, whose job stays hidden",
    get({ id: OTHERS_PART }),
    "id_of_other_kind",
    /^The ID is (?!.*Its job is)/,
  ],
  [
    "another organization's part, whose job stays hidden",
    { id: "repairer.jobs.parts.insert", body: { job_identity: JOB, parts: [{ identity: { id: OTHERS_PART } }] } },
    "part_of_other_job",
    /^The part belongs to a job of [^`]+\.$/,
  ],
  [
    "an empty header",
    { id: "businesses.list", headers: { authorization: "" } },
    "no_credentials",
    /^The `Authorization` header is missing\.$/,
  ],
  [
    "an insurer's name beside another mistake",
    insert({ job_number: 7, work_provider_id: seed.businesses.find(({ type }) => type === "insurer")?.name }),
    "shape",
    /a number was sent\. .*`work_provider_id` holds an insurer’s name, which belongs in `work_provider_contract`\.$/,
  ],
  [
    "an empty choice for another organization's job, which stays hidden",
    insert({ identity: { id: seed.jobs.find(({ organization_id }) => organization_id !== BUYER)?.id }, if_: null }),
    "shape",
    /^(?!.*exists already)/,
  ],
  [
    "an order's ID as a job's",
    get({ id: seed.procurements[0]?.id }),
    "id_of_other_kind",
    /^The ID is the ID of order TRC-[\w-]+, not of a job\. Its job is /,
    /^Send `\/identity\/id` as /,
  ],
  ["an empty external", get({ external: "" }), "job_unknown", /`external` is empty/],
  ["a placeholder as external", get({ external: "{{job}}" }), "job_unknown", /`external` holds a placeholder/],
  [
    "an item's ID as an order's",
    { id: "repairer.procurements.get", body: { identity: { id: seed.procurements[0]?.source_items[0]?.id } } },
    "id_of_other_kind",
    /^The ID is of an item of order .*, not of the order itself/,
  ],
  [
    "an external ID with a space",
    get({ external: `${JOB.external} ` }),
    "job_unknown",
    /^`external` is right but for a trailing space or line break: the job has `estimate:88213`\.$/,
    /"estimate:88213"/,
  ],
  [
    "an external ID in another case",
    get({ external: "ESTIMATE:88213" }),
    "job_unknown",
    /^`external` is right but for upper and lower case: the job has `estimate:88213`\.$/,
    /"estimate:88213"/,
  ],
  ["a job's ID as external", get({ external: seed.jobs[0]?.id }), "id_as_external", /holds the job’s ID/],
  ["a job's number as external", get({ external: "J-20418" }), "id_as_external", /holds the job’s number/],
  [
    "a job's claim number as external",
    get({ external: seed.jobs.find(({ claim_number }) => claim_number !== null)?.claim_number }),
    "id_as_external",
    /holds the job’s claim number/,
  ],
  [
    "the ID of a test event",
    get({ id: "00000000-0000-0000-0000-000000000000" }),
    "id_of_other_kind",
    /^The ID is the nil UUID, as in a test event, not of a job\.$/,
  ],
  ["an object as text", get({ id: "[object Object]" }), "shape", /holds an object that was printed as text/],
  [
    "JSON-RPC",
    { id: "repairer.jobs.get", body: { jsonrpc: "2.0", id: 1, params: { identity: JOB } } },
    "shape",
    /^The fields are inside `params`/,
  ],
  [
    "a misspelt insurer",
    insert({ work_provider_contract: "Ardent Generel" }),
    "work_provider_unknown",
    /No insurer/,
    /`Ardent General`/,
  ],
  [
    "a job that is nowhere",
    get({ id: NOBODY }),
    "job_unknown",
    /not found for this integration\. No world of this service has a job with this ID/,
    /response of `repairer\.jobs\.insert`.*`external`.*real platform/,
  ],
  [
    "a job's ID as an order's",
    { id: "repairer.procurements.get", body: { identity: { id: seed.jobs[0]?.id } } },
    "id_of_other_kind",
    /of a job, not of an order/,
  ],

  [
    "client_id and secret swapped",
    install({ client_id: client_secret, client_secret: client_id }),
    "client_swapped",
    /swapped/,
  ],
  ["a key as client_id", install({ client_id: "isk_abcdefgh" }), "client_id_of_other_kind", /holds an API key/],
  ["an integration ID as client_id", install({ client_id: id }), "client_id_of_other_kind", /holds an integration ID/],
  [
    "client_id in another case",
    install({ client_id: client_id.toUpperCase() }),
    "client_id_nearly",
    /upper and lower case/,
  ],
  ["client_id with a space", install({ client_id: `${client_id} ` }), "client_id_nearly", /trailing space/],
  ["a client nobody knows", install({ client_id: "nobodys-client" }), "client_unknown", /No client has this/],
  ["a number as secret", install({ client_secret: 40_312_907 }), "shape", /must be string, but a number was sent/],
  [
    "a client by its name",
    install({ client_id: fixedClients.demo.name }),
    "client_id_of_other_kind",
    /the name of a client/,
  ],
  ["no client_id", install({ client_id: "" }), "client_id_of_other_kind", /`client_id` is empty/],
  ["no secret", install({ client_secret: " " }), "client_secret_of_other_kind", /`client_secret` is empty/],
  [
    "a placeholder as code",
    install({ access_code: "<ACCESS_CODE>" }),
    "access_code_of_other_kind",
    /holds a placeholder/,
  ],
  [
    "a code by another name",
    { ...install({}), body: { client_id, client_secret, code: "ac_x" } },
    "shape",
    /called `access_code` here: `code` was/,
  ],
  [
    "names in camel case",
    { ...install({}), body: { clientId: "a", clientSecret: "b", accessCode: "c" } },
    "shape",
    /^The fields are called .* here: `clientId`, `clientSecret` and `accessCode` were ignored\. No client has this `client_id`\.$/,
  ],
  ["a secret with a space", install({ client_secret: `${client_secret} ` }), "client_secret_nearly", /trailing space/],
  [
    "a secret cut short",
    install({ client_secret: client_secret.slice(0, -2) }),
    "client_secret_nearly",
    /2 characters too short/,
  ],
  [
    "another client's secret",
    install({ client_secret: fixedClients.no_oauth.client_secret }),
    "client_secret_wrong",
    /secret of .*, not of demo-client/,
  ],
  [
    "a code as secret",
    install({ client_secret: "ac_abcdefgh" }),
    "client_secret_of_other_kind",
    /holds an access code/,
  ],
  ["a key as code", install({ access_code: key }), "access_code_of_other_kind", /holds an API key/],
  ["a secret as code", install({ access_code: client_secret }), "access_code_of_other_kind", /holds a client_secret/],
  ["an unknown code", install({}), "access_code_unusable", /doesn’t exist in this world/],

  [
    "single quotes in JSON",
    json("{'identity': {}}"),
    "json_quotes",
    /double quotes, not single quotes \(line 1, column 2\)/,
  ],
  [
    "a trailing comma",
    json('{\n  "identity": {"external": "x"},\n}'),
    "json_comma",
    /comma comes before the `}` \(line 3, column 1\)/,
  ],
  ["a body encoded twice", json(JSON.stringify(JSON.stringify({ identity: JOB }))), "json_twice", /encoded twice/],
  ["a leading zero", json('{"quantity": 01}'), "json_number", /number isn’t valid JSON/, /without leading zeros/],
  [
    "a template in the body",
    json('{"identity": {{job}}}'),
    "json_placeholder",
    /was not filled in/,
    /Set the variable/,
  ],
  ["an object as JavaScript prints it", json("[object Object]"), "json_printed", /printed as text/, /JSON.stringify/],
  ["UTF-16", json(new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0])), "json_encoding", /UTF-16/],

  [
    "a vehicle without two of its keys",
    insert({ vehicle: { plate_number: "KV42 QHT" } }),
    "shape",
    /`\/vehicle\/chassis_number` and `\/vehicle\/plate_state` are missing/,
    /Add `\/vehicle\/chassis_number` and `\/vehicle\/plate_state`/,
  ],
  [
    "identity for job_identity",
    { id: "repairer.jobs.parts.list", body: { identity: JOB } },
    "shape",
    /called `job_identity` here: `identity` was ignored/,
  ],
  [
    "job_identity for identity",
    { id: "repairer.jobs.get", body: { job_identity: JOB } },
    "shape",
    /called `identity` here: `job_identity` was ignored/,
  ],
  [
    "external_id for external",
    get({ external_id: "x" }),
    "shape",
    /called `external` here: `external_id` was ignored\./,
  ],
  ["an ID and an external ID", get({ id: NOBODY, external: "x" }), "shape", /has `id` and `external`\. Send only one/],
  [
    "an object encoded twice",
    get(JSON.stringify(JOB)),
    "shape",
    /text that contains JSON: it was encoded twice/,
    /as `{"external":"estimate:88213"}`/,
  ],
  [
    "another name of the media type",
    { id: "uploads.prepare", body: { file_name: "a.png", content_type: "image", type: "job_media" } },
    "shape",
    /called `media_type` here: `content_type` was/,
  ],
  [
    "the ID at the top",
    { id: "repairer.jobs.get", body: { id: NOBODY } },
    "shape",
    /`\/id` was ignored: its place is `\/identity\/id`/,
  ],
  [
    "another name of the ID at the top",
    { id: "repairer.jobs.parts.list", body: { job_id: NOBODY } },
    "shape",
    /its place is `\/job_identity\/id`/,
  ],
  [
    "a body inside another",
    { id: "repairer.jobs.get", body: { data: { identity: JOB } } },
    "shape",
    /fields are inside `data`/,
  ],
  ["no body", { id: "repairer.jobs.get", text: "" }, "shape", /^No field was sent: `\/identity` is missing/],
  [
    "a number for a text",
    insert({ job_number: 20418 }),
    "shape",
    /but a number was sent/,
    /Send `\/job_number` as `"20418"`/,
  ],
  [
    "a text for a number",
    { id: "repairer.jobs.parts.insert", body: { job_identity: JOB, parts: [{ quantity: "2" }] } },
    "shape",
    /but text was sent/,
    /as `2`/,
  ],
  ["one for a list", insert({ images: "https://a.example/1.jpg" }), "shape", /but text was sent/, /as `\["https:/],
  [
    "a list for an object",
    insert({ vehicle: [{ chassis_number: null, plate_number: "A", plate_state: null }] }),
    "shape",
    /but a list was sent/,
    /Send `\/vehicle` as `{/,
  ],
  [
    "a choice in upper case",
    insert({ identity: JOB, if_: { exists: "UPDATE" } }),
    "shape",
    /one of update, replace/,
    /as `"update"`/,
  ],
  ["if_ as a text", insert({ identity: JOB, if_: "update" }), "shape", /but text was sent/, /as `{"exists":"update"}`/],
  ["null for what may be left out", insert({ if_: null }), "shape", /but `null` was sent/, /Leave `\/if_` out/],
  [
    "an ID with a space",
    get({ id: ` ${seed.jobs[0]?.id}` }),
    "shape",
    /must be a UUID/,
    /Send `\/identity\/id` as `"[0-9a-f-]{36}"`/,
  ],
  ["an external ID as the job's ID", get({ id: JOB.external }), "shape", /belongs in `external`/],
  ["a job's number as its ID", get({ id: "J-20418" }), "shape", /`id` holds the job’s number/],
  ["a placeholder as an ID", get({ id: "{{job_id}}" }), "shape", /holds a placeholder/],
  [
    "an insurer's name as its ID",
    insert({ work_provider_id: "Longreach Mutual" }),
    "shape",
    /^`work_provider_id` holds an insurer’s name, which belongs in `work_provider_contract`\.$/,
  ],
  [
    "an insurer's ID as its name",
    insert({ work_provider_contract: seed.businesses.find(({ type }) => type === "insurer")?.organization_id }),
    "work_provider_unknown",
    /the `organization_id` of the insurer .*\. `work_provider_contract` takes its name/,
    /^Send `\/work_provider_contract` as `"/,
  ],
  [
    "an insurer's business ID as its ID",
    insert({ work_provider_id: seed.businesses.find(({ type }) => type === "insurer")?.id }),
    "work_provider_unknown",
    /the business ID of the insurer .*\. `work_provider_id` takes its `organization_id`/,
    /^Send `\/work_provider_id` as /,
  ],
  [
    "an organization's ID as its site's",
    insert({ repairer_site_id: seed.credentials[0]?.organization_id }),
    "site_unknown",
    /the ID of the organization .*, not a site/,
  ],
  [
    "an order's ID as a new job's",
    insert({ identity: { id: seed.procurements[0]?.id } }),
    "job_id_not_assigned",
    /the ID of order TRC-[\w-]+, not of a job/,
  ],
  [
    "a part's ID as an offer's",
    { id: "repairer.procurements.place", body: { job_identity: JOB, sellable_ids: [seed.jobs[0]?.parts[0]?.id] } },
    "offer_unknown",
    /the ID of a part, not an offer/,
  ],
  ["on_conflict for if_", insert({ identity: JOB, on_conflict: "update" }), "job_exists", /`on_conflict` was ignored/],
  [
    "JSON as text",
    { id: "repairer.jobs.get", body: { identity: JOB }, headers: { "content-type": "text/plain" } },
    "media_type",
    /`Content-Type` is `text\/plain`/,
  ],
  [
    "a compressed body",
    { id: "repairer.jobs.get", body: { identity: JOB }, headers: { "content-encoding": "gzip" } },
    "encoding",
    /`Content-Encoding` is `gzip`/,
  ],
  [
    "a page of another site",
    { id: "businesses.list", headers: { origin: "https://evil.example" } },
    "cross_site",
    /other sites/,
    /not from a page/,
  ],
  ["if for if_", insert({ identity: JOB, if: { exists: "update" } }), "job_exists", /called `if_`/],
  ["a job that exists", insert({ identity: JOB }), "job_exists", /already exists/],
];

test.for(rows)("%s", async ([, sent, cause, sentence, remedy = /\S/]) => {
  const answer = await send(sent);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  const { refusal } = await explain(answer);
  expect(refusal).toMatchObject({ cause, whose_side: "partner", sentence: expect.stringMatching(sentence) });
  expect(refusal?.what_to_do).toMatch(remedy);
});

test("the response reveals no more than before, and explanations contain no secret", async () => {
  const checkedRows = rows.filter(([, { id: operation }]) => operation === "businesses.list");
  for (const [, sent, cause] of checkedRows) {
    if (cause === "cross_site") continue;
    const answer = await send(sent);
    expect([answer.status, answer.body]).toEqual([401, { type: "unauthorized" }]);
    expect(JSON.stringify(await explain(answer))).not.toContain(key);
  }
});

test.for([
  [{ url: "http://user:pw@127.0.0.1:9999/hooks" }, "url_invalid", /user name or a password/],
  [{ url: "127.0.0.1:9999/hooks" }, "url_invalid", /begins with `127|no scheme|not a valid/],
  [{ url: "localhost/hooks" }, "url_invalid", /no scheme/],
  [{ url: "ftp://127.0.0.1/" }, "url_invalid", /begins with `ftp:`/],
  [{ url: " http://127.0.0.1:9999/" }, "url_invalid", /begins or ends with a space/],
  [{ url: "http://127.0.0.1:0/" }, "url_invalid", /port 0/],
  [{ url: "https://example.com/" }, "url_not_loopback", /not an address of this machine/],
  [{ url: undefined }, "subscription_fields", /^`url` is missing\.$/],
  [
    { url: undefined, callback_url: "http://127.0.0.1:1/" },
    "subscription_fields",
    /called `url` here: `callback_url` was/,
  ],
  [
    { url: undefined, integration_id: undefined, integrationId: id, callback_url: "http://127.0.0.1:1/" },
    "subscription_fields",
    /called `integration_id` and `url` here: `integrationId` and `callback_url` were ignored\.$/,
  ],
  [
    { url: undefined, callbackUrl: "http://127.0.0.1:1/" },
    "subscription_fields",
    /called `url` here: `callbackUrl` was/,
  ],
  [{ url: undefined, integration_id: "mine" }, "subscription_fields", /`url` is missing/],
  [{ url: "{{webhook_url}}" }, "url_invalid", /`url` holds a placeholder/],
  [{ url: "" }, "url_invalid", /`url` is empty/],
  [
    { url: "http://127.0.0.1:1/", integration_id: client_id },
    "subscription_fields",
    /holds a client_id, not an integration/,
  ],
  [{ url: "http://127.0.0.1:1/", integration_id: "mine" }, "subscription_fields", /not a UUID/],
] as const)("a refused subscription names its problem: %s", async ([more, cause, sentence]) => {
  const answer = await service.post("/__webhooks/subscribe", { integration_id: id, ...more });
  expect(answer.status).toBe(400);
  expect((await explain(answer)).refusal).toMatchObject({ cause, sentence: expect.stringMatching(sentence) });
});

test("a subscription with an invalid JSON body names the mistake", async () => {
  for (const [body, cause] of [
    ["{'url': 1}", "json_quotes"],
    ["url=1", "json_form"],
    ["[]", "json_list"],
  ] as const) {
    const answer = await service.raw("/__webhooks/subscribe", {
      headers: { "content-type": "application/json" },
      body,
    });
    expect([answer.status, answer.body]).toEqual([400, { ok: false, reason: "bad_body" }]);
    expect((await explain(answer)).refusal).toMatchObject({ cause });
  }
});

test.for([
  ["POST", "/api/2026-01/repairer/jobs/insert", "/api/2026-01/repairer.jobs.insert"],
  ["POST", "/api/2026-01/repairer.jobs.update", "/api/2026-01/repairer.jobs.insert"],
  ["GET", "/api/2026-01/repairer.jobs/01a227bb-fd19-46d6-a6a2-bcbdeb90971e", "/api/2026-01/repairer.jobs.get"],
  ["POST", "/api/2026-01/repairer.procurements.confirm", "/api/2026-01/supplier.procurements.confirm"],
  ["POST", "/api/2026-01/procurements.place", "/__extensions/2026-01/repairer.procurements.place"],
  ["POST", "/api/2026-01/jobs", "/api/2026-01/repairer.jobs.insert"],
  ["DELETE", "/api/2026-01/jobs/01a227bb-fd19-46d6-a6a2-bcbdeb90971e", "/__extensions/2026-01/repairer.jobs.delete"],
  ["POST", "/api/2026-01/businesses.list/", "/api/2026-01/businesses.list"],
  ["POST", "/oauth/token", "/api/2026-01/integrations.insert"],
  ["GET", "/oauth/authorize", "/__oauth/authorize"],
] as const)("an unknown address suggests the intended one: %s %s", async ([method, path, meant]) => {
  const answer = await service.raw(path, { method, headers: credentialHeaders(repairer) });
  expect(answer.status).toBe(404);
  const { refusal, nearest } = await explain(answer);
  expect([nearest?.addresses[0], refusal?.what_to_do]).toEqual([meant, expect.stringContaining(meant)]);
});

test("names another version, another method and fields in the address", async () => {
  const version = await explain(await service.post("/api/2025-07/businesses.list", {}, credentialHeaders(repairer)));
  expect(version.refusal?.sentence).toBe("This service has version `2026-01`, not `2025-07`.");
  const method = await service.raw(pathTo("businesses.list"), { method: "GET" });
  expect((await explain(method)).refusal?.what_to_do).toBe("Send the call with the method POST.");
  const asked = await service.raw(`${pathTo("repairer.jobs.get")}?external=x`, {
    headers: credentialHeaders(repairer),
  });
  expect((await explain(asked)).refusal?.what_to_do).toMatch(/not read from the address/);
});

test("a repeated key is noted, because only the last value counts", async () => {
  const answer = await send({ id: "repairer.jobs.get", text: '{"identity":{"external":"a"},"identity":null}' });
  expect((await explain(answer)).notes).toEqual([
    "The name identity is twice in one object of the body. Only the last value counts.",
  ]);
});

test("a job or order that a reset deleted is recognised by its ID", async () => {
  const world = "began-again";
  const body = { identity: { external: "before" }, repairer_site_id: SITE };
  const { id: job } = await service.ok(jobsInsert, body, repairer, { "x-sandbox-tenant": world });
  await service.control(worldsReset, { world });
  const { refusal } = await explain(await send({ ...get({ id: job }), world }), world);
  expect(refusal).toMatchObject({
    cause: "job_from_before",
    whose_side: "sandbox",
    sentence: expect.stringMatching(/from before the world was reset, \d+ m?s/),
  });
  const order = { id: "repairer.procurements.get", body: { identity: { id: job } }, world };
  expect((await explain(await send(order), world)).refusal).toMatchObject({ cause: "procurement_from_before" });
});

test("an address in another notation suggests the nearest one", async () => {
  for (const path of ["/api/2026-01/repairer/jobs/get", "/api/v1/repairer/jobs/get", "/api/2026-01/repairerJobsGet"]) {
    const answer = await service.post(path, {}, credentialHeaders(repairer));
    expect(answer.status).toBe(404);
    expect((await explain(answer)).nearest?.addresses[0], path).toBe("/api/2026-01/repairer.jobs.get");
  }
});

test("suggests null for missing nullable fields", async () => {
  const { correction } = await explain(await send(insert({ vehicle: { plate_number: "KV42 QHT" } })));
  expect(correction?.edits.map(({ pointer, after }) => [pointer, after])).toEqual([
    ["/vehicle/chassis_number", null],
    ["/vehicle/plate_state", null],
  ]);
});

test("a mistake in JSON has its line and column", async () => {
  const { refusal } = await explain(await send(json("{\n  'identity': 1}")));
  expect(refusal?.place).toEqual({ line: 2, column: 3 });
});

test("similar header names are noted, even with a success", async () => {
  const sent = (name: string): SentCall => ({ id: "businesses.list", headers: { [name]: "wherever" } });
  for (const [name, meant] of [
    ["x-sandbox-tennant", "x-sandbox-tenant"],
    ["x-tenant", "x-sandbox-tenant"],
    ["service-integration", "service-integration-id"],
    ["x-api-key", "authorization: Bearer"],
  ] as const) {
    const answer = await send(sent(name));
    expect(answer.status).toBe(200);
    const { notes } = await explain(answer);
    expect(notes, name).toEqual([expect.stringMatching(`The header ${name} was ignored. Did you mean ${meant}`)]);
  }
  expect((await explain(await send({ id: "businesses.list" }))).notes).toBeUndefined();
});

const issue = async (world: string) => {
  const { items } = await service.control(organizationsList, { world });
  const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
  return service.control(accessCodesIssue, { world, client_id, organization_id, scope: "repairer" });
};

test("recognises a code with surrounding white space, missing characters or another case", async () => {
  const { access_code } = await issue("default");
  for (const [given, sentence] of [
    [`${access_code} `, /trailing space/],
    [`\n${access_code}`, /leading space/],
    [access_code.toUpperCase(), /upper and lower case/],
    [access_code.slice(0, -3), /3 characters too short/],
  ] as const) {
    const { refusal } = await explain(await send(install({ access_code: given })));
    expect(refusal).toMatchObject({ cause: "access_code_nearly", sentence: expect.stringMatching(sentence) });
  }
});

test("recognises a code that expired because the clock was moved", async () => {
  await service.make("moved");
  const { access_code } = await issue("moved");
  await service.control(clockAdvance, { world: "moved", seconds: 901 });
  const { refusal } = await explain(await send({ ...install({ access_code }), world: "moved" }), "moved");
  expect(refusal).toMatchObject({
    cause: "access_code_clock",
    sentence: "The access code expired because this world’s clock was moved 15 min 1 s ahead after it was issued.",
  });
  const later = await issue("moved");
  await service.control(clockAdvance, { world: "moved", seconds: 60 });
  const used = await send({ ...install({ access_code: later.access_code }), world: "moved" });
  expect(used.status).toBe(200);
  const last = await issue("moved");
  await service.control(clockAdvance, { world: "moved", seconds: 902 });
  const late = await send({ ...install({ access_code: last.access_code }), world: "moved" });
  expect((await explain(late, "moved")).refusal?.sentence).toMatch(/ moved 15 min 2 s ahead after it was issued\.$/);
});

test("an ID in another world is revealed only to those with access to that world", async () => {
  const { id: job } = await service.ok(
    jobsInsert,
    { identity: { external: "of-elsewhere" }, repairer_site_id: SITE },
    repairer,
    { "x-sandbox-tenant": "acme" },
  );
  const { access_code } = await issue("acme");
  const sent: readonly (readonly [SentCall, Cause, Cause, string])[] = [
    [
      get({ id: job }),
      "job_in_other_world",
      "job_unknown",
      "This job is in world acme. This call went to default, the world of calls that name none.",
    ],
    [
      get({ external: "of-elsewhere" }),
      "job_in_other_world",
      "job_unknown",
      "This job is in world acme. This call went to default, the world of calls that name none.",
    ],
    [
      install({ access_code }),
      "access_code_of_other_world",
      "access_code_unusable",
      "The code was issued in world acme; this call went to default, the world of calls that name none.",
    ],
  ];
  const { token } = await service.control(tokensCreate, { name: "view", world: "default", scope: "view" });
  for (const [call, told, untold, sentence] of sent) {
    const answer = await send(call);
    const { refusal } = await explain(answer);
    expect(refusal).toMatchObject({ cause: told, sentence });
    expect(refusal?.what_to_do).toBe("Send `x-sandbox-tenant: acme` with the call.");
    const asked = { world: "default", id: answer.headers.get("x-request-id") ?? "" };
    const confined = await service.post<{ refusal: { cause: string } }>("/__sandbox/requests.explain", asked, {
      authorization: `Bearer ${token}`,
    });
    expect(confined.body.refusal.cause).toBe(untold);
    expect(confined.text).not.toContain("acme");
  }
  await service.control(snapshotsSave, { name: "exported" });
  const exported = await service.post(
    "/__sandbox/snapshots.export",
    { name: "exported" },
    { authorization: `Bearer ${service.ready.control_token}` },
  );
  expect(exported.status).toBe(200);
  expect(exported.text).not.toContain("acme");
});

test("explains a deleted job, and a job number taken at another site", async () => {
  const sites = seed.businesses.filter(
    ({ type, organization_id }) => type === "repairer_site" && organization_id === seed.credentials[0]?.organization_id,
  );
  const [here, there] = sites.map(({ id: site }) => site);
  const made = await service.ok(
    jobsInsert,
    { identity: { external: "moves" }, repairer_site_id: here ?? "", job_number: "OWN-1" },
    repairer,
  );
  await service.ok(
    jobsInsert,
    { identity: { external: "stays" }, repairer_site_id: there ?? "", job_number: "OWN-1" },
    repairer,
  );
  const moved = await send(insert({ identity: { id: made.id }, repairer_site_id: there, if_: { exists: "update" } }));
  expect((await explain(moved)).refusal).toMatchObject({
    cause: "own_number_taken",
    pointers: ["/repairer_site_id"],
    sentence: "The job’s own number OWN-1 is already used at the new site.",
  });
  await service.ok(jobsDelete, { identity: { id: made.id } }, repairer);
  expect((await explain(await send(get({ id: made.id })))).refusal).toMatchObject({
    cause: "job_deleted",
    sentence: expect.stringMatching(/^A call with the same key deleted the job, \d+ m?s before this call\.$/),
    earlier: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  // The job's number was its label.
  for (const external of ["moves", "OWN-1"])
    expect((await explain(await send(get({ external })))).refusal?.cause).toBe(
      external === "moves" ? "job_deleted" : "id_as_external",
    );
});

test("a refusal after a lost response links to the call that made the change", async () => {
  const world = "lost";
  await service.control(faultsSet, {
    world,
    operation: "repairer.jobs.insert",
    effect: { drop: { when: "after" } },
    uses: 1,
  } as never);
  await send({ ...insert({ identity: { external: "lost-1" } }), world }).catch(() => undefined);
  const again = await send({ ...insert({ identity: { external: "lost-1" } }), world });
  expect(again.status).toBe(422);
  const { refusal } = await explain(again, world);
  expect(refusal).toMatchObject({
    cause: "job_exists",
    sentence: expect.stringMatching(
      /^A call with the same key created the job .* earlier\. A fault left it without a response\.$/,
    ),
  });
  expect(refusal?.earlier).toMatch(/^[0-9a-f-]{36}$/);
});

test("a code that a lost install used says that its response never arrived, and links to it", async () => {
  const world = "lost-install";
  const { items } = await service.control(organizationsList, { world: "default" });
  const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
  const again = async (effect?: object) => {
    const { access_code } = await service.control(accessCodesIssue, {
      world,
      client_id,
      organization_id,
      scope: "repairer",
    });
    if (effect) await service.control(faultsSet, { world, operation: integrationsInsert.id, effect, uses: 1 } as never);
    const call = { id: integrationsInsert.id, body: { client_id, client_secret, access_code }, headers: {}, world };
    await send(call).catch(() => undefined);
    return (await explain(await send(call), world)).refusal;
  };
  const lost = await again({ drop: { when: "after" } });
  expect(lost).toMatchObject({
    whose_side: "fault",
    sentence: expect.stringMatching(/already used, .* exchanged it for .* A fault left it without a response\.$/),
    what_to_do: expect.stringMatching(/^Get a new access code/),
    earlier: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const received = await again();
  expect(received).toMatchObject({ whose_side: "partner", what_to_do: expect.stringMatching(/^Use the key/) });
  expect(received?.earlier).toMatch(/^[0-9a-f-]{36}$/);
});

test("a fault's response after the change is told, not taken for lost", async () => {
  const world = "answered";
  const effect = { error: { status: 503, when: "after" as const } };
  await service.control(faultsSet, { world, operation: jobsInsert.id, effect, uses: 1 });
  const call = { ...insert({ identity: { external: "answered-1" } }), world };
  expect((await send(call)).status).toBe(503);
  const { refusal } = await explain(await send(call), world);
  expect(refusal?.sentence).toMatch(
    /^A call with the same key created the job .* earlier\. A fault returned 503 in place of its response\.$/,
  );
});

test("a received response doesn't count as lost", async () => {
  await service.ok(jobsInsert, { identity: { external: "twice" }, repairer_site_id: SITE }, repairer);
  const { refusal } = await explain(await send(insert({ identity: { external: "twice" } })));
  expect(refusal?.sentence).toMatch(/^A call with the same key created the job \d+ m?s.* earlier\.$/);
});

test("every recorded explanation is a sentence", async () => {
  for (const [what, sent] of rows) {
    const { refusal } = await explain(await send(sent));
    expect(refusal?.sentence, what).toMatch(/^[A-Z`/].*\.$/s);
  }
});

test("an empty basket says why, and one with offers doesn't", async () => {
  const read = (external: string) =>
    send({ id: "repairer.jobs.baskets.latest.get", body: { job_identity: { external } } });
  const insertion = { identity: { external: "no-parts" }, repairer_site_id: SITE };
  await service.ok(jobsInsert, insertion, repairer);
  expect((await explain(await read("no-parts"))).warning).toMatch(/^The basket is empty: the job had no parts/);
  expect((await explain(await read("estimate:88128"))).warning).toBeUndefined();
});

test("an empty basket names parts with quantity 0, and a test value that asks for no offers", async () => {
  const warningOf = async (external: string, quantity: number, more: object) => {
    const insertion = { identity: { external }, repairer_site_id: SITE, ...more };
    await service.ok(jobsInsert, insertion, repairer);
    const parts = [{ description: "Bonnet", quantity }];
    await service.ok(partsInsert, { job_identity: { external }, parts }, repairer);
    const body = { job_identity: { external } };
    return (await explain(await send({ id: "repairer.jobs.baskets.latest.get", body }))).warning;
  };
  expect(await warningOf("none-wanted", 0, {})).toMatch(/^The basket is empty: every part has quantity 0\./);
  expect(await warningOf("none-offered", 1, { claim_number: "test:offers=none" })).toBe(
    "The basket is empty: the job’s claim number has the test value `offers=none`. Give the job another claim number.",
  );
  expect(await warningOf("offered", 1, {})).toBeUndefined();
});
