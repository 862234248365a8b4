import { first, following, forOperation, INSTALL, ISSUE, inOther, LATER, OTHER_WORLD } from "../cause-examples.ts";
import { type Row, rule } from "./row.ts";

const INSTALLATION = "Authentication: Install";

/** Refusals of the exchange of an access code for a key. */
export const installCauses = {
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
    remedy: "Send only the value of the redirect address’s parameter `code`, unchanged.",
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
} as const satisfies Readonly<Record<string, Row>>;
