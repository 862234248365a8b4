import {
  asOtherSupplier,
  BUYER,
  CALLBACK,
  CANCELLED,
  CONFIRMED,
  client_id,
  client_secret,
  type Example,
  FORM,
  first,
  following,
  forJobInsert,
  forOperation,
  INSTALL,
  ISSUE,
  inOther,
  JOB,
  KEY,
  LATER,
  LINK,
  NUMBER,
  naming,
  newJob,
  OTHER_SITE,
  OTHER_WORLD,
  OTHERS_JOB,
  OTHERS_ORDER,
  PICTURE,
  PLACE,
  RESET,
  request,
  SUPPLIER,
  UPLOAD,
  withKey,
} from "./cause-examples.ts";
import { type ErrorCode, Refusal, type RefusalReason } from "./errors.ts";
import type { DecisionId } from "./openapi/decisions.ts";
import { INTERFACE_VERSION } from "./operation.ts";
import { UNUSED_ID } from "./values.ts";

/**
 * The checks of a partner's call in their order (D2), with their labels. `fault` appears twice: a fault replaces
 * whatever check would come next.
 */
export const checkNames = {
  protocol: "HTTP",
  limit: "Rate limit",
  address: "Address",
  host: "Host",
  tenant: "Tenant",
  size: "Size",
  world: "World",
  fault_before: "Fault",
  credentials: "Credentials",
  scope: "Scope",
  json: "JSON",
  shape: "Shape",
  rules: "Rules",
  fault_after: "Fault",
} as const;

export type Check = keyof typeof checkNames;
export const checks = Object.keys(checkNames) as Check[];

/** Lists to search for the known value nearest to a wrong one. */
export type KnownList = "jobs" | "procurements" | "insurers" | "sites" | "offers";

interface Row {
  /** The error code; null: the operation's own code for a wrong body (D3). */
  readonly code: string | null;
  readonly check: Check;
  /** `{Job}` and `{Order}` are replaced by the label of the affected job or order. */
  readonly sentence: string;
  readonly remedy: string;
  /** Decisions where the contract is silent, most specific first. */
  readonly decisions: readonly DecisionId[];
  /** The contract's section; null: the contract doesn't cover this. */
  readonly section: string | null;
  /** Corrects the body: by a known value, or by replacing the value at a pointer (undefined: remove it). */
  readonly fix?: KnownList | ((pointer: string, value: unknown) => readonly [pointer: string, after: unknown]);
  readonly example?: Example;
  /** How a refusal comes about that no short sequence of calls brings about. */
  readonly arises?: string;
}

const INSTALLATION = "Authentication: Install";
const JOB_INSERT = "Endpoints: repairer.jobs.insert";
const EXTENSIONS = "Endpoints: extension operations";
const TRANSITIONS = "States and transitions";
const SUBSCRIPTION = "Webhooks: Subscription";

type CauseTexts = Pick<Row, "sentence" | "remedy" | "fix" | "example" | "arises">;

const at = <const Code extends string | null>(
  check: Check,
  code: Code,
  section: string | null,
  decisions: readonly DecisionId[],
  texts: CauseTexts,
) => ({ check, code, section, decisions, ...texts });
const rule = <const Code extends ErrorCode>(
  code: Code,
  section: string,
  decisions: readonly DecisionId[],
  texts: CauseTexts,
) => at("rules", code, section, decisions, texts);

const credentials = (texts: CauseTexts) => at("credentials", "unauthorized", "Authentication: Headers", ["D13"], texts);
const json = (texts: CauseTexts) => at("json", null, "Conventions", ["D3", "D4"], texts);
const upload = <const Code extends ErrorCode>(code: Code, decision: DecisionId, texts: CauseTexts) =>
  at("rules", code, null, [decision], texts);
const consent = <const Code extends ErrorCode>(code: Code, texts: CauseTexts) =>
  at("rules", code, null, ["D21"], texts);
/** Every cause for refusing a partner's call. To add one, add a row here and the check that returns it. */
export const causes = {
  no_credentials: credentials({
    sentence: "The `Authorization` or the `Service-Integration-ID` header is missing.",
    remedy: "Send `Authorization: Bearer <api_key>` with the `Service-Integration-ID` of the same installation.",
    example: withKey({ as: "nobody" }),
  }),
  credentials: credentials({
    sentence: "The API key and the integration ID are not a known pair in this world.",
    remedy: "Send the API key and the `Service-Integration-ID` of the same installation, in the world it belongs to.",
    example: withKey({
      as: "nobody",
      headers: { authorization: "Bearer key-of-no-integration", "service-integration-id": UNUSED_ID },
    }),
  }),
  no_bearer: credentials({
    sentence: "The `Authorization` header doesn’t start with `Bearer`.",
    remedy: "Send `Authorization: Bearer <api_key>`: the word `Bearer`, a space and the key.",
    example: withKey({ as: "nobody", headers: { authorization: "key-without-bearer" } }),
  }),
  key_quoted: credentials({
    sentence: "The key or the integration ID is in quotes.",
    remedy: "Send the bare values, without quotes or brackets around them.",
    example: asOtherSupplier('Bearer "an-api-key"'),
  }),
  bearer_twice: credentials({
    sentence: "The word `Bearer` is in the `Authorization` header twice.",
    remedy: "Send `Authorization: Bearer <api_key>`. Many HTTP clients add the word themselves.",
    example: asOtherSupplier("Bearer Bearer an-api-key"),
  }),
  key_missing: credentials({
    sentence: "No key comes after `Bearer`.",
    remedy: "Send `Authorization: Bearer <api_key>`. Check the variable that holds the key: it is likely empty.",
    example: asOtherSupplier("Bearer "),
  }),
  key_placeholder: credentials({
    sentence: "A header holds the name of a variable instead of its value.",
    remedy: "Set the variable in your program or HTTP client, then send the call again.",
    example: asOtherSupplier("Bearer {{api_key}}"),
  }),
  key_of_other_kind: credentials({
    sentence: "A credential header holds another kind of value.",
    remedy:
      "Send the API key after `Bearer`, and the integration ID as `Service-Integration-ID`. Both come from the same installation.",
    example: asOtherSupplier("Bearer ac_an-access-code"),
  }),
  key_and_id_swapped: credentials({
    sentence: "The API key and the integration ID are swapped.",
    remedy: "Send the API key after `Bearer`, and the integration ID as `Service-Integration-ID`.",
    example: asOtherSupplier(`Bearer ${UNUSED_ID}`, "isk_an-api-key"),
  }),
  id_malformed: credentials({
    sentence: "The `Service-Integration-ID` header is not a UUID.",
    remedy: "Send the integration ID as it was issued: 36 characters with four hyphens.",
    example: asOtherSupplier("Bearer an-api-key", "not-a-uuid"),
  }),
  key_nearly: credentials({
    sentence: "The key is nearly the key of this integration.",
    remedy: "Copy the whole key again, exactly as it was issued.",
    example: asOtherSupplier(`Bearer ${KEY.slice(0, -1)}`, BUYER),
  }),
  keys_differ: credentials({
    sentence: "The key and the integration ID belong to different integrations.",
    remedy: "Send the API key and the `Service-Integration-ID` of the same installation.",
    example: asOtherSupplier(`Bearer ${KEY}`, SUPPLIER),
  }),
  key_of_other_world: credentials({
    sentence: "The key belongs to another world.",
    remedy: "Name the key’s world in `x-sandbox-tenant`.",
    example: following(
      "businesses.list",
      [
        inOther("access-codes.issue", ISSUE, "code"),
        inOther("integrations.insert", { client_id, client_secret, access_code: "{{code.access_code}}" }, "key"),
      ],
      {
        as: "nobody",
        headers: { authorization: "Bearer {{key.api_key}}", "service-integration-id": "{{key.integration_id}}" },
      },
    ),
  }),
  key_from_before: credentials({
    sentence: "The key is from before this world was created or reset.",
    remedy: "Install again for a new key and ID. Only pre-loaded keys survive a reset.",
    example: following(
      "businesses.list",
      [
        inOther("access-codes.issue", ISSUE, "code"),
        inOther("integrations.insert", { client_id, client_secret, access_code: "{{code.access_code}}" }, "key"),
        RESET,
      ],
      {
        ...{ as: "nobody", tenant: OTHER_WORLD },
        headers: { authorization: "Bearer {{key.api_key}}", "service-integration-id": "{{key.integration_id}}" },
      },
    ),
  }),
  scope: at("scope", "forbidden", "Authentication: Organization and scope", [], {
    sentence: "The key belongs to the other side of the trade.",
    remedy: "Use a buyer’s key for `repairer.*` and a supplier’s key for `supplier.*`.",
    example: ({ scope }) => (scope === "repairer" || scope === "supplier" ? { as: "other_side" } : null),
  }),
  job_unknown: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "Job not found for this integration.",
    remedy: "Check the ID and the API key. Jobs of other organizations also return 404.",
    fix: "jobs",
    example: naming("job"),
  }),
  procurement_unknown: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "Order not found for this integration.",
    remedy: "Check the ID and the API key. Orders of other organizations also return 404.",
    fix: "procurements",
    example: naming("procurement"),
  }),
  job_of_another: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "The job belongs to another organization.",
    remedy: "Send the key of the organization that owns the job. Jobs of other organizations return 404.",
    fix: "jobs",
    example: forOperation("repairer.jobs.parts.list", { job_identity: { id: OTHERS_JOB } }),
  }),
  procurement_of_another: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "The order belongs to other organizations.",
    remedy: "Send the key of the order’s buyer or supplier. Orders of other organizations return 404.",
    fix: "procurements",
    example: forOperation("supplier.procurements.get", { identity: { id: OTHERS_ORDER } }),
  }),
  job_in_other_world: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "The job is in another world.",
    remedy: "Name the job’s world in `x-sandbox-tenant`.",
    example: following("repairer.jobs.get", [inOther("repairer.jobs.insert", newJob("elsewhere"))], {
      body: { identity: newJob("elsewhere").identity },
    }),
  }),
  procurement_in_other_world: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "The order is in another world.",
    remedy: "Name the order’s world in `x-sandbox-tenant`.",
    example: following("repairer.procurements.get", [inOther("repairer.procurements.place", PLACE, "placed")], {
      body: { identity: { id: "{{placed.items.0.id}}" } },
    }),
  }),
  id_of_other_kind: rule("not_found", "Errors", ["D1"], {
    sentence: "The ID belongs to another kind of resource.",
    remedy: "Send an ID of the kind that the operation takes.",
    example: forOperation("repairer.procurements.get", { identity: { id: OTHERS_JOB } }),
  }),
  id_as_external: rule("not_found", "Errors", ["D1"], {
    sentence: "`external` holds another identifier of the job.",
    remedy: "Send the job’s own ID as `id`, and the identifier your program gave it as `external`.",
    example: forOperation("repairer.jobs.parts.list", { job_identity: { external: NUMBER } }),
  }),
  job_from_before: rule("not_found", "Errors", ["D1", "D82"], {
    sentence: "The ID is from before this world was created or reset.",
    remedy: "Insert the job again. A reset deletes what a world held, and a job gets a new ID.",
    example: following("repairer.jobs.get", [inOther("repairer.jobs.insert", newJob("before"), "job"), RESET], {
      ...{ tenant: OTHER_WORLD, body: { identity: { id: "{{job.id}}" } } },
    }),
  }),
  procurement_from_before: rule("not_found", "Errors", ["D1", "D82"], {
    sentence: "The ID is from before this world was created or reset.",
    remedy: "Place the order again. A reset deletes what a world held, and an order gets a new ID.",
    example: following("repairer.procurements.get", [inOther("repairer.procurements.place", PLACE, "placed"), RESET], {
      tenant: OTHER_WORLD,
      body: { identity: { id: "{{placed.items.0.id}}" } },
    }),
  }),
  job_deleted: rule("not_found", "Errors", ["D1"], {
    sentence: "The job was deleted.",
    remedy: "Insert the job again if it is still needed. It gets a new ID.",
    example: following(
      "repairer.jobs.get",
      [
        { operation: "repairer.jobs.insert", body: newJob("deleted") },
        { operation: "repairer.jobs.delete", body: { identity: newJob("deleted").identity } },
      ],
      { body: { identity: newJob("deleted").identity } },
    ),
  }),
  client_swapped: rule("integration_not_found", INSTALLATION, [], {
    sentence: "`client_id` and `client_secret` are swapped.",
    remedy: "Swap the two values.",
    example: forOperation("integrations.insert", {
      ...INSTALL,
      client_id: INSTALL.client_secret,
      client_secret: INSTALL.client_id,
    }),
  }),
  client_id_of_other_kind: rule("integration_not_found", INSTALLATION, [], {
    sentence: "`client_id` holds another kind of value.",
    remedy: "Send a `client_id` of this sandbox. Install lists them.",
    example: forOperation("integrations.insert", { ...INSTALL, client_id: "isk_an-api-key" }),
  }),
  client_id_nearly: rule("integration_not_found", INSTALLATION, [], {
    sentence: "`client_id` is nearly that of a client.",
    remedy: "Send the `client_id` exactly as Install lists it.",
    example: forOperation("integrations.insert", { ...INSTALL, client_id: "Demo-Client" }),
  }),
  client_unknown: rule("integration_not_found", INSTALLATION, [], {
    sentence: "No client has this `client_id`.",
    remedy: "Send a `client_id` of this sandbox. Install lists them.",
    example: forOperation("integrations.insert", { ...INSTALL, client_id: "nobody" }),
  }),
  client_not_enabled: rule("o_auth_not_supported_by_integration", INSTALLATION, [], {
    sentence: "This client is not enabled for OAuth install.",
    remedy: "Use a client that is enabled for OAuth install.",
    example: forOperation("integrations.insert", { ...INSTALL, client_id: "demo-client-no-oauth" }),
  }),
  client_secret_wrong: rule("invalid_client_secret", INSTALLATION, ["D23"], {
    sentence: "The `client_secret` doesn’t match the client.",
    remedy: "Send the secret of the same client.",
    example: forOperation("integrations.insert", { ...INSTALL, client_secret: "guessed" }),
  }),
  client_secret_of_other_kind: rule("invalid_client_secret", INSTALLATION, ["D23"], {
    sentence: "`client_secret` holds another kind of value.",
    remedy: "Send the secret of the same client.",
    example: forOperation("integrations.insert", { ...INSTALL, client_secret: "ac_an-access-code" }),
  }),
  client_secret_nearly: rule("invalid_client_secret", INSTALLATION, ["D23"], {
    sentence: "`client_secret` is nearly the secret of this client.",
    remedy: "Copy the whole secret again, exactly as it was issued.",
    example: forOperation("integrations.insert", { ...INSTALL, client_secret: `${INSTALL.client_secret} ` }),
  }),
  access_code_of_other_kind: rule("invalid_access_code", INSTALLATION, ["D22", "D23"], {
    sentence: "`access_code` holds another kind of value.",
    remedy: "Send the `code` that the redirect address of the install carried.",
    example: forOperation("integrations.insert", { ...INSTALL, access_code: INSTALL.client_secret }),
  }),
  access_code_nearly: rule("invalid_access_code", INSTALLATION, ["D22", "D23"], {
    sentence: "`access_code` is nearly a code that was issued.",
    remedy: "Send the code exactly as the redirect address carried it.",
    example: following("integrations.insert", [first("access-codes.issue", ISSUE, "code")], {
      body: { ...INSTALL, access_code: "{{code.access_code}}x" },
    }),
  }),
  access_code_of_other_world: rule("invalid_access_code", INSTALLATION, ["D22", "D23"], {
    sentence: "The access code was issued in another world.",
    remedy: "Name the code’s world in `x-sandbox-tenant`.",
    example: following("integrations.insert", [inOther("access-codes.issue", ISSUE, "code")], {
      body: { ...INSTALL, access_code: "{{code.access_code}}" },
    }),
  }),
  access_code_clock: rule("invalid_access_code", INSTALLATION, ["D22", "D23"], {
    sentence: "The access code expired because this world’s clock was moved.",
    remedy: "Put the clock back with `clock.reset`, or get a new access code.",
    example: following("integrations.insert", [inOther("access-codes.issue", ISSUE, "code"), LATER], {
      ...{ tenant: OTHER_WORLD, body: { ...INSTALL, access_code: "{{code.access_code}}" } },
    }),
  }),
  access_code_unusable: rule("invalid_access_code", INSTALLATION, ["D22", "D23"], {
    sentence: "The access code is unknown, expired, used, or belongs to another client.",
    remedy: "Get a new access code. Each works once, within 15 minutes.",
    example: forOperation("integrations.insert", INSTALL),
  }),
  job_exists: rule("unprocessable", JOB_INSERT, ["D30"], {
    sentence: "{Job} already exists, and the call has no `if_`.",
    remedy: "Add `if_` with `exists: update`. An update keeps the fields that the call leaves out.",
    fix: () => ["/if_", { exists: "update" }],
    example: forJobInsert({ identity: JOB }),
  }),
  site_unknown: rule("unprocessable", JOB_INSERT, ["D34"], {
    sentence: "The site is not one of the caller’s sites.",
    remedy: "Send the ID of a `repairer_site` that `businesses.list` returns.",
    fix: "sites",
    example: forJobInsert({ repairer_site_id: UNUSED_ID }),
  }),
  job_id_not_assigned: rule("unprocessable", JOB_INSERT, ["D31"], {
    sentence: "No job has this `id`, and new IDs are assigned by the service.",
    remedy: "Insert the job with your own identifier, as `external`.",
    fix: (_, value) => ["/identity", { external: value }],
    example: forJobInsert({ identity: { id: UNUSED_ID } }),
  }),
  work_provider_unknown: rule("work_provider_not_found", JOB_INSERT, ["D1", "D36"], {
    sentence: "No insurer has this name or ID.",
    remedy: "Send an insurer that `repairer.work-providers.list` returns.",
    fix: "insurers",
    example: forJobInsert({ work_provider_contract: "Nobody Mutual" }),
  }),
  work_providers_differ: rule("unprocessable", JOB_INSERT, ["D36"], {
    sentence: "`work_provider_id` and `work_provider_contract` name two different insurers.",
    remedy: "Send only the field that names the right insurer.",
    example: forJobInsert({
      work_provider_id: "78727963-088d-501d-b7ed-b973cd82f3ad",
      work_provider_contract: "Longreach Mutual",
    }),
  }),
  job_number_taken: rule("unprocessable", JOB_INSERT, ["D35"], {
    sentence: "Another job of the site has this number.",
    remedy: "Use a job number that no other job of this site has, or leave it out.",
    example: forJobInsert({ job_number: NUMBER }),
  }),
  own_number_taken: rule("unprocessable", JOB_INSERT, ["D35"], {
    sentence: "The job’s own number is already used at the new site.",
    remedy: "Send a `job_number` that is free at the new site, or `null`.",
    example: following(
      "repairer.jobs.insert",
      [
        {
          operation: "repairer.jobs.insert",
          body: { ...newJob("moved"), repairer_site_id: OTHER_SITE, job_number: NUMBER },
        },
      ],
      { body: newJob("moved") },
    ),
  }),
  part_of_other_job: rule("unprocessable", "Endpoints: repairer.jobs.parts.insert", ["D38"], {
    sentence: "The part belongs to another job.",
    remedy: "Leave out the part’s `identity` to insert a new part.",
    fix: (pointer) => [pointer, undefined],
    example: forOperation("repairer.jobs.parts.insert", {
      job_identity: JOB,
      parts: [{ identity: { id: "df8aa0eb-ece5-5ec9-bb6e-8f30c15883dc" } }],
    }),
  }),
  offer_unknown: rule("unprocessable", EXTENSIONS, ["D43"], {
    sentence: "The latest basket of the job doesn’t have this offer.",
    remedy: "Call `repairer.jobs.baskets.latest.get` and use its `sellable_id` values.",
    fix: "offers",
    example: forOperation("repairer.procurements.place", { job_identity: JOB, sellable_ids: [UNUSED_ID] }),
  }),
  offer_repeated: rule("unprocessable", EXTENSIONS, [], {
    sentence: "The call orders the same offer twice.",
    remedy: "Name each offer once.",
    fix: (pointer) => [pointer, undefined],
    example: ({ id }, { job_identity, sellable_ids }) => {
      if (id !== "repairer.procurements.place") return null;
      const [offer] = sellable_ids as string[];
      return { body: { job_identity, sellable_ids: [offer, offer?.toUpperCase()] } };
    },
  }),
  confirmed_already: rule("unprocessable", TRANSITIONS, ["D50"], {
    sentence: "{Order} is already confirmed.",
    remedy: "Treat the order as confirmed. Nothing is left to do.",
    example: forOperation("supplier.procurements.confirm", CONFIRMED),
  }),
  confirm_of_cancelled: rule("unprocessable", TRANSITIONS, ["D51"], {
    sentence: "{Order} is cancelled and can’t be confirmed.",
    remedy: "Read the order before you confirm it. The buyer can place the offers again.",
    example: forOperation("supplier.procurements.confirm", CANCELLED),
  }),
  cancel_of_confirmed: rule("unprocessable", TRANSITIONS, [], {
    sentence: "{Order} is confirmed and can’t be cancelled.",
    remedy: "Read the order first. Only a requested order can be cancelled.",
    example: forOperation("procurements.cancel", CONFIRMED),
  }),
  cancelled_already: rule("unprocessable", TRANSITIONS, [], {
    sentence: "{Order} is already cancelled.",
    remedy: "Treat the order as cancelled. Nothing is left to do.",
    example: forOperation("procurements.cancel", CANCELLED),
  }),
  procurement_not_confirmed: rule("unprocessable", EXTENSIONS, [], {
    sentence: "{Order} is not confirmed. Invoices are compared with confirmed orders.",
    remedy: "Have the supplier confirm the order first.",
    example: forOperation("repairer.invoices.reconcile", {
      ...CANCELLED,
      lines: [{ quantity: 1, unit_price: "1.00" }],
    }),
  }),
  not_an_amount: rule("unprocessable", EXTENSIONS, ["D55"], {
    sentence: "The price of a line is not an amount in the order’s currency.",
    remedy: 'Send a decimal string with the currency\'s digits, for example "1548.05", at most a million.',
    example: forOperation("repairer.invoices.reconcile", {
      ...CONFIRMED,
      lines: [{ quantity: 1, unit_price: "$1,548.05" }],
    }),
  }),
  job_has_live_procurement: rule("unprocessable", EXTENSIONS, ["D75"], {
    sentence: "{Job} has an order that is not cancelled.",
    remedy: "Cancel the order first, while it is requested. A confirmed order keeps its job.",
    example: forOperation("repairer.jobs.delete", { identity: JOB }),
  }),
  url_not_loopback: at("rules", "url_not_loopback", SUBSCRIPTION, ["D76", "D77"], {
    sentence: "The `url` is not an address of this machine. A local service sends nowhere else.",
    remedy:
      "Send an http or https address of localhost or 127.0.0.1, without a user name or password. To send to another host, such as a container, start the service with `--receiver-host` and its name.",
    example: forOperation("webhooks.subscribe", { integration_id: UNUSED_ID, url: "https://example.com/webhooks" }),
  }),
  url_invalid: at("rules", "url_not_loopback", SUBSCRIPTION, ["D76"], {
    sentence: "The `url` can’t be subscribed as it is written.",
    remedy: "Send an http or https address with a host and a port from 1 to 65535, without a user name or password.",
    example: forOperation("webhooks.subscribe", {
      integration_id: UNUSED_ID,
      url: "http://user:password@127.0.0.1:9999/",
    }),
  }),
  https_required: at("rules", "https_required", SUBSCRIPTION, ["D76", "D77"], {
    sentence: "The `url` is not an https address. A deployed service sends to nothing else.",
    remedy: "Send an https address without a user name or password.",
    example: forOperation("webhooks.subscribe", { integration_id: UNUSED_ID, url: "http://example.com/webhooks" }),
  }),
  public_url_invalid: at("rules", "https_required", SUBSCRIPTION, ["D76"], {
    sentence: "The `url` can’t be subscribed as it is written.",
    remedy: "Send an https address with a host and a port from 1 to 65535, without a user name or password.",
    arises: "Only a deployed sandbox refuses for this.",
  }),
  private_or_reserved_host: at("rules", "private_or_reserved_host", SUBSCRIPTION, ["D77"], {
    sentence: "The host of the `url` is private or reserved. A deployed service sends only to public hosts.",
    remedy: "Send the address of a public host.",
    arises: "Only a deployed sandbox refuses for this.",
  }),
  subscription_of_another: at("rules", "unauthorized", SUBSCRIPTION, ["D76"], {
    sentence: "The key belongs to another integration than the one to subscribe.",
    remedy: "Send the API key and the ID of the integration that `integration_id` names.",
    example: following(
      "webhooks.subscribe",
      [inOther("policies.set", { policies: { subscribe_credentials: "required" } })],
      {
        ...{ tenant: OTHER_WORLD, body: { integration_id: SUPPLIER, url: "http://127.0.0.1:9999/webhooks" } },
        headers: { authorization: `Bearer ${KEY}`, "service-integration-id": BUYER },
      },
    ),
  }),
  too_many_subscriptions: at("rules", "too_many_subscriptions", SUBSCRIPTION, ["D86"], {
    sentence: "The integration has reached its limit of subscriptions in this world.",
    remedy: "Delete a subscription that you no longer use.",
    arises: "An integration subscribes more addresses than `--max-subscriptions` allows, 32 unless set.",
  }),
  subscription_fields: at("shape", "missing_field", SUBSCRIPTION, ["D76"], {
    sentence: "`integration_id` is missing or not a UUID, or `url` is missing.",
    remedy: "Send `integration_id` and `url`, both as text.",
    example: forOperation("webhooks.subscribe", { url: "http://127.0.0.1:9999/webhooks" }),
  }),
  shape: at("shape", null, "Endpoints", ["D3"], {
    sentence: "A field of the body is missing or invalid.",
    remedy: "Correct the named field and send the call again.",
    example: (_, example) => {
      const [field] = Object.keys(example);
      return field === undefined ? null : { body: { ...example, [field]: 0 } };
    },
  }),
  json_quotes: json({
    sentence: "JSON needs straight double quotes.",
    remedy: 'Put names and text in straight double quotes (`"`), or have a JSON library write the body.',
    example: () => ({ text: "{'identity': 1}" }),
  }),
  json_name: json({
    sentence: "JSON needs double quotes around names.",
    remedy: "Put every name in double quotes, or have a JSON library write the body.",
    example: () => ({ text: "{identity: 1}" }),
  }),
  json_comma: json({
    sentence: "A comma comes before the end of an object or a list.",
    remedy: "Remove the last comma.",
    example: () => ({ text: '{"identity": 1,}' }),
  }),
  json_comment: json({
    sentence: "JSON has no comments.",
    remedy: "Remove the comment.",
    example: () => ({ text: '{"identity": 1 // mine\n}' }),
  }),
  json_word: json({
    sentence: "The body has a word that isn’t valid in JSON.",
    remedy: "Write `true`, `false` and `null` in lower case. JSON has no `None`, `undefined` or `NaN`.",
    example: () => ({ text: '{"identity": None}' }),
  }),
  json_line: json({
    sentence: "A line ends inside a text.",
    remedy: "Write line breaks inside a text as `\\n`, or have a JSON library write the body.",
    example: () => ({ text: '{"identity": "two\nlines"}' }),
  }),
  json_escape: json({
    sentence: "A text has a character that JSON writes with a backslash.",
    remedy:
      'Inside a text, write `\\"` for a double quote, `\\\\` for a backslash and `\\t` for a tab, or have a JSON library write the body.',
    example: () => ({ text: '{"identity": "C:\\parts"}' }),
  }),
  json_number: json({
    sentence: "A number isn’t valid JSON.",
    remedy: "Write numbers in decimal digits, with a point and without leading zeros: `10`, `-1`, `1.5`.",
    example: () => ({ text: '{"identity": 01}' }),
  }),
  json_punctuation: json({
    sentence: "A comma, a colon or a bracket is missing or extra.",
    remedy: "Correct the body at this place, or have a JSON library write it.",
    example: () => ({ text: '{"identity": 1 "external": 2}' }),
  }),
  json_placeholder: json({
    sentence: "The body has a placeholder that was not filled in.",
    remedy: "Set the variable in your program or HTTP client, then send the call again.",
    example: () => ({ text: '{"identity": {{job}}}' }),
  }),
  json_printed: json({
    sentence: "The body is an object printed as text, not JSON.",
    remedy: "Encode the object as JSON before you send it, for example with `JSON.stringify` or `json.dumps`.",
    example: () => ({ text: "[object Object]" }),
  }),
  json_cut: json({
    sentence: "The body ends before its JSON does.",
    remedy: "Send the whole body, and a `Content-Length` that counts its bytes.",
    example: () => ({ text: '{"identity": {"external": "est' }),
  }),
  json_after: json({
    sentence: "Something comes before or after the JSON.",
    remedy: "Send one JSON object and nothing else.",
    example: () => ({ text: "{}{}" }),
  }),
  json_twice: json({
    sentence: "The body is JSON that was encoded twice.",
    remedy: "Encode the body once. Many HTTP clients do so themselves: hand them the object.",
    example: () => ({ text: '"{\\"identity\\": 1}"' }),
  }),
  json_form: json({
    sentence: "The body is an HTML form’s, not JSON.",
    remedy: "Send the body as JSON, with `Content-Type: application/json`.",
    example: () => ({ text: "identity=1&external=2" }),
  }),
  json_list: json({
    sentence: "The body is a JSON list, not an object.",
    remedy: "Send one JSON object. Send lists inside it, one call for each item where the operation takes one.",
    example: () => ({ body: [] }),
  }),
  json_encoding: json({
    sentence: "The body is not UTF-8.",
    remedy: "Send the body in UTF-8, uncompressed.",
    example: request("POST", "/api/2026-01/businesses.list", {
      headers: { authorization: `Bearer ${KEY}`, "service-integration-id": BUYER, "content-type": "application/json" },
      pipe: `printf '{"identity": "caf\\351"}'`,
    }),
  }),
  not_json: at("json", null, "Conventions", ["D3", "D4"], {
    sentence: "The body is not a JSON object.",
    remedy: "Send one JSON object in UTF-8, nested at most 64 levels deep.",
    example: () => ({ text: "3" }),
  }),
  media_type: at("json", "unsupported_media_type", "Conventions", ["D4"], {
    sentence: "`Content-Type` is not `application/json`.",
    remedy: "Write the fields as JSON, and send them with `Content-Type: application/json`.",
    example: () => ({ headers: { "content-type": "text/plain" } }),
  }),
  encoding: at("json", "unsupported_media_type", "Conventions", ["D14"], {
    sentence: "The body is compressed or encoded.",
    remedy: "Send the body uncompressed, without a `Content-Encoding` header.",
    example: () => ({ headers: { "content-encoding": "gzip" } }),
  }),
  tenant: at("tenant", "bad_request", null, ["D81"], {
    sentence: "The `x-sandbox-tenant` header is not a valid world name.",
    remedy: "Send 1 to 64 of `A–Z a–z 0–9 . _ -`, or leave the header out.",
    example: () => ({ tenant: "no name" }),
  }),
  unknown_operation: at("address", "not_found", null, ["D5"], {
    sentence: "No operation has this address.",
    remedy: "Check the name and the version in the address.",
    example: request("POST", "/api/2026-01/repairer.job.get"),
  }),
  unknown_path: at("address", "not_found", null, ["D5"], {
    sentence: "No route matches this path.",
    remedy: "Check the path and the version, for example `/api/2026-01/businesses.list`.",
    example: request("POST", "/jobs"),
  }),
  unknown_version: at("address", "not_found", null, ["D5"], {
    sentence: `The address has another version than \`${INTERFACE_VERSION}\`.`,
    remedy: `Send the call to version \`${INTERFACE_VERSION}\`.`,
    example: request("POST", "/api/2025-10/businesses.list"),
  }),
  method: at("address", "method_not_allowed", null, ["D5"], {
    sentence: "This path doesn’t accept this method.",
    remedy: "Use a method that the `Allow` header of the response lists.",
    example: request("GET", "/api/2026-01/businesses.list"),
  }),
  cross_site: at("host", "forbidden", null, ["D90"], {
    sentence: "A web page of another site sent the call.",
    remedy: "Send the call from your program or backend, not from a page in a browser.",
    example: request("POST", "/api/2026-01/businesses.list", { headers: { origin: "https://example.com" } }),
  }),
  host: at("host", "misdirected_request", null, ["D2"], {
    sentence: "The `Host` header names a host that this service doesn’t serve.",
    remedy: "Call the service at the address that it printed, or start it with `--allow-host` and this name.",
    example: request("POST", "/api/2026-01/businesses.list", { headers: { host: "example.com" } }),
  }),
  too_large: at("size", "payload_too_large", null, ["D6"], {
    sentence: "The body is larger than 1 MiB.",
    remedy: "Send less data in one call. Upload pictures with `uploads.prepare`.",
    example: request("POST", "/api/2026-01/businesses.list", { pipe: "head -c 1048577 /dev/zero" }),
  }),
  unreadable: at("protocol", "bad_request", null, [], {
    sentence: "The bytes are not an HTTP request.",
    remedy: "The request is cut off or isn’t HTTP/1.1. Compare it with what your client sent.",
    arises: "A client speaks another protocol, such as TLS, to a port of plain HTTP, or stops within a request.",
  }),
  rate_limited: at("limit", "rate_limited", null, ["D11"], {
    sentence: "There were too many calls with this key, or from this address, within a minute.",
    remedy: "Wait as many seconds as `Retry-After` says, then send the call again. Spread calls out.",
    arises: "Only a sandbox that was started with `--rate-limit` refuses for this.",
  }),
  world_unavailable: at("world", "world_unavailable", null, ["D87"], {
    sentence: "The file of this world is damaged.",
    remedy: "Reset, restore or delete the world. Other worlds are not affected.",
    arises: "A disk or a program other than the sandbox damaged the file.",
  }),
  too_many_worlds: at("world", "too_many_worlds", null, ["D85"], {
    sentence: "The limit of worlds is reached, so no new world was created.",
    remedy: "Delete worlds that you don’t need, or raise `--max-worlds`.",
    arises: "Calls name more worlds than `--max-worlds` allows.",
  }),
  storage_unavailable: at("rules", "storage_unavailable", null, ["D12"], {
    sentence: "The change could not be stored.",
    remedy:
      "Free some space or check the data folder. Check whether the change was made before you send the call again.",
    arises: "The disk of the sandbox is full, or refuses to write.",
  }),
  internal_error: at("rules", "internal_error", null, ["D12"], {
    sentence: "Something unexpected happened.",
    remedy:
      "Check whether something was changed, then send the call again. If it fails again, report it with the request ID.",
    arises: "The sandbox has a defect.",
  }),
  upload_address: at("address", "not_found", null, ["D64"], {
    sentence: "The address is not an upload’s: its ID is not a UUID, or its `world` is not a world name.",
    remedy: "Send the picture to the whole `upload_url` that `uploads.prepare` returned, unchanged.",
    example: request("PUT", "/__uploads/example.gif"),
  }),
  upload_signature: at("credentials", "forbidden", null, ["D64"], {
    sentence: "The signature doesn’t match the upload’s address.",
    remedy: "Send the picture to the whole `upload_url` that `uploads.prepare` returned, unchanged.",
    example: request("PUT", `${UPLOAD}x`, { after: [first("uploads.prepare", PICTURE, "upload")] }),
  }),
  upload_unknown: upload("not_found", "D64", {
    sentence: "The upload was prepared in another world, or before this world was reset.",
    remedy: "Prepare another upload, and keep the `world` of its address.",
    example: request("PUT", UPLOAD, {
      after: [inOther("uploads.prepare", PICTURE, "upload"), RESET],
      tenant: OTHER_WORLD,
    }),
  }),
  upload_elsewhere: upload("not_found", "D64", {
    sentence: "The upload was prepared in another world.",
    remedy: "Send the picture to the whole `upload_url`, with the `world` it was issued with.",
    example: request("PUT", `${UPLOAD}&world=${OTHER_WORLD}`, {
      after: [first("uploads.prepare", PICTURE, "upload"), inOther("businesses.list", {})],
      tenant: OTHER_WORLD,
    }),
  }),
  upload_used: upload("forbidden", "D64", {
    sentence: "The upload’s address was already used.",
    remedy: "Prepare another upload. Each address takes one picture.",
    example: request("PUT", UPLOAD, {
      ...{ after: [first("uploads.prepare", PICTURE, "upload")], text: "GIF89a", twice: true },
    }),
  }),
  upload_expired: upload("forbidden", "D64", {
    sentence: "The upload’s address has expired.",
    remedy: "Prepare another upload, and send the picture within 15 minutes.",
    arises: "A program keeps an address for more than 15 minutes before it sends the picture.",
  }),
  upload_clock: upload("forbidden", "D64", {
    sentence: "The upload’s address expired because this world’s clock was moved.",
    remedy: "Put the clock back with `clock.reset`, or prepare another upload.",
    example: request("PUT", UPLOAD, {
      after: [inOther("uploads.prepare", PICTURE, "upload"), LATER],
      tenant: OTHER_WORLD,
    }),
  }),
  upload_under_way: upload("forbidden", "D64", {
    sentence: "The upload’s address is receiving a picture already.",
    remedy: "Wait for the response to the first upload, or prepare another.",
    arises: "A program sends a picture twice at the same time.",
  }),
  upload_too_large: upload("payload_too_large", "D6", {
    sentence: "The picture is larger than 20 MiB.",
    remedy: "Send a smaller picture. The address stays valid.",
    example: request("PUT", UPLOAD, {
      after: [first("uploads.prepare", PICTURE, "upload")],
      pipe: "head -c 20971521 /dev/zero",
    }),
  }),
  upload_no_room: upload("payload_too_large", "D86", {
    sentence: "The world has reached its limit of uploaded pictures.",
    remedy: "Reset the world, use another, or raise `--max-uploads`.",
    arises: "The pictures of a world together are larger than `--max-uploads` allows, 256 MiB unless set.",
  }),
  upload_not_an_image: upload("unsupported_media_type", "D64", {
    sentence: "The bytes are not a PNG, JPEG, WebP, GIF or HEIC image.",
    remedy: "Send the bytes of the picture as the whole body: not in a form, and not as text.",
    example: request("PUT", UPLOAD, { after: [first("uploads.prepare", PICTURE, "upload")], text: "no picture" }),
  }),
  upload_encoded: upload("unsupported_media_type", "D14", {
    sentence: "The picture is compressed or encoded.",
    remedy: "Send the picture uncompressed, without a `Content-Encoding` header.",
    example: request("PUT", UPLOAD, {
      after: [first("uploads.prepare", PICTURE, "upload")],
      headers: { "content-encoding": "gzip" },
    }),
  }),
  upload_aborted: upload("bad_request", "D64", {
    sentence: "The connection was closed before the whole picture arrived.",
    remedy: "Send the picture again: its address stays valid. Allow the client more time.",
    arises: "A client stops within the picture, for example at its own timeout.",
  }),
  consent_world: at("tenant", "bad_request", null, ["D21", "D81"], {
    sentence: "The `world` of the install link is not a valid world name.",
    remedy: "Send 1 to 64 of `A–Z a–z 0–9 . _ -`, or leave `world` out.",
    example: request("GET", `${LINK}&${CALLBACK}&world=no%20name`),
  }),
  consent_client_missing: consent("bad_request", {
    sentence: "The install link has no `client_id`.",
    remedy: "Add the `client_id` of your app. Install lists them.",
    example: request("GET", `/__oauth/authorize?${CALLBACK}`),
  }),
  consent_client_unknown: consent("bad_request", {
    sentence: "No client has the `client_id` of the install link.",
    remedy: "Send a `client_id` of this sandbox. Install lists them.",
    example: request("GET", `/__oauth/authorize?client_id=nobody&${CALLBACK}`),
  }),
  consent_client_not_enabled: consent("bad_request", {
    sentence: "The client of the install link is not enabled for OAuth install.",
    remedy: "Use a client that is enabled for OAuth install.",
    example: request("GET", `/__oauth/authorize?client_id=demo-client-no-oauth&${CALLBACK}`),
  }),
  consent_redirect_missing: consent("bad_request", {
    sentence: "The install link has no `redirect_uri`.",
    remedy: "Add the address of your app to return to, percent-encoded.",
    example: request("GET", LINK),
  }),
  consent_redirect_not_allowed: consent("bad_request", {
    sentence: "The `redirect_uri` of the install link is not allowed for this client.",
    remedy: "Send an http or https address of localhost or 127.0.0.1, without a fragment, a user name or a password.",
    example: request("GET", `${LINK}&redirect_uri=https://example.com/callback`),
  }),
  consent_no_choice: consent("bad_request", {
    sentence: "The answer to the consent page names none of its organizations.",
    remedy: "Open the install link again, and choose an organization on the page.",
    example: request("POST", "/__oauth/authorize", {
      ...{ headers: FORM, text: `client_id=${client_id}&${CALLBACK}&decision=approve` },
    }),
  }),
  consent_repeated: consent("forbidden", {
    sentence: "The answer didn’t come from the consent page, or was already sent.",
    remedy: "Open the install link again. Each page takes one answer, within an hour.",
    example: request("POST", "/__oauth/authorize", {
      ...{ headers: FORM, text: `client_id=${client_id}&${CALLBACK}&decision=deny` },
    }),
  }),
  consent_too_many_codes: at("rules", "bad_request", null, ["D21", "D86"], {
    sentence: "The organization has reached its limit of unused access codes.",
    remedy: "Use one of its codes, or wait until one expires.",
    arises: "People approve more installs than `--max-access-codes` allows without the app using the codes.",
  }),
} as const satisfies Readonly<Record<string, Row>>;

export type Cause = keyof typeof causes;
export type StateCause = "confirmed_already" | "confirm_of_cancelled" | "cancel_of_confirmed" | "cancelled_already";

export const causeNames = Object.keys(causes) as Cause[];

/** Returns the row of a cause; null for a cause in an older record that no longer exists. */
export const findCause = (name: string | null | undefined): Row | null =>
  name !== null && name !== undefined && Object.hasOwn(causes, name) ? causes[name as Cause] : null;

/** The reason as a sentence, with the label of the affected job or order. */
export const causeSentence = ({ sentence }: Row, label: string | null): string =>
  sentence
    .replace("{Job}", () => (label ? `Job ${label}` : "The job"))
    .replace("{Order}", () => (label ? `Order ${label}` : "The order"));

/** Returns the reason for a refusal; null when the message says it better by naming the field. */
export const refusalReason = (why: RefusalReason | null | undefined, label: string | null): string | null => {
  const row = findCause(why?.cause);
  return row ? (why?.fact ?? (row.code === null ? null : causeSentence(row, label))) : null;
};

/** Causes for reasons that lie in another world. */
export const causesElsewhere: Readonly<Record<string, Cause>> = {
  credentials: "key_of_other_world",
  job_unknown: "job_in_other_world",
  job_from_before: "job_in_other_world",
  job_deleted: "job_in_other_world",
  procurement_unknown: "procurement_in_other_world",
  procurement_from_before: "procurement_in_other_world",
  access_code_unusable: "access_code_of_other_world",
  upload_unknown: "upload_elsewhere",
};

/** Restores the full reason, for readers who may see every world involved. */
export const withFullReason = (why: RefusalReason): RefusalReason =>
  why.elsewhere ? { ...why, cause: causesElsewhere[why.cause] ?? why.cause, fact: why.elsewhere.fact } : why;

/** Returns the remedy of the first cause with this code. */
export const errorRemedy = (code: ErrorCode): string =>
  findCause(causeNames.find((name) => causes[name].code === code))?.remedy ??
  "Correct the field that the message names.";

type CodeOf<C extends Cause> = (typeof causes)[C]["code"];
/** Causes that an operation refuses with its own code for a wrong body. */
export type BodyCause = { [C in Cause]: CodeOf<C> extends null ? C : never }[Cause];
/** Causes with the same error code for every operation. */
type CauseWithCode = { [C in Cause]: CodeOf<C> extends ErrorCode ? C : never }[Cause];

/**
 * Refuses a call.
 *
 * @param pointers the fields at fault, as JSON Pointers into the body
 * @param message the message of the response, for codes that carry one
 */
export const refuseFor = (
  cause: CauseWithCode,
  pointers: readonly string[] = [],
  message?: string,
  {
    code = causes[cause].code,
    fact,
    remedy,
    side,
  }: Pick<RefusalReason, "remedy" | "side"> & {
    readonly code?: ErrorCode;
    readonly fact?: string | null | undefined;
  } = {},
): Refusal =>
  new Refusal(code, message, {
    ...{ cause, pointers },
    ...(fact ? { fact } : {}),
    ...(remedy === undefined ? {} : { remedy }),
    ...(side ? { side } : {}),
  });

/** Refuses a body of the wrong shape. @param code the operation's own code (D3) */
export const refuseBody = (
  cause: BodyCause,
  code: ErrorCode,
  { pointer, message }: { readonly pointer: string; readonly message: string },
  finer: Pick<RefusalReason, "fact" | "place" | "remedy"> & { readonly pointers?: readonly string[] } = {},
): Refusal => new Refusal(code, message, { cause, pointers: [pointer], ...finer });
