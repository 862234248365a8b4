import {
  asOtherSupplier,
  BUYER,
  client_id,
  client_secret,
  following,
  ISSUE,
  inOther,
  KEY,
  OTHER_WORLD,
  RESET,
  SUPPLIER,
  withKey,
} from "../cause-examples.ts";
import { UNUSED_ID } from "../values.ts";
import { at, type CauseTexts, type Row } from "./row.ts";

const credentials = (texts: CauseTexts) => at("credentials", "unauthorized", "Authentication: Headers", ["D13"], texts);

/** Refusals of a call for its credentials, and for the side of its key. */
export const credentialCauses = {
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
    sentence: "The key is from before this world was created, reset or restored.",
    remedy: "Install again for a new key and ID. Only pre-loaded keys survive a reset, a restore or a deletion.",
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
} as const satisfies Readonly<Record<string, Row>>;
