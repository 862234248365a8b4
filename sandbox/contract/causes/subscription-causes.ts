import { BUYER, following, forOperation, inOther, KEY, OTHER_WORLD, SUPPLIER } from "../cause-examples.ts";
import { UNUSED_ID } from "../values.ts";
import { at, type Row } from "./row.ts";

const SUBSCRIPTION = "Events: Subscription";

/** Refusals of a subscription. */
export const subscriptionCauses = {
  url_not_loopback: at("rules", "url_not_loopback", SUBSCRIPTION, ["D76", "D77"], {
    sentence:
      "The `url` is not an address of this machine, nor of a host given by `--receiver-host`. A local service sends nowhere else.",
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
  subscription_credentials: at("credentials", "unauthorized", SUBSCRIPTION, ["D76"], {
    sentence:
      "The setting `subscribe_credentials` of this world asks for credentials to subscribe, and they are missing.",
    remedy:
      "Send `Authorization: Bearer <api_key>` with the `Service-Integration-ID` of the integration to subscribe. Or change the setting.",
    example: following(
      "webhooks.subscribe",
      [inOther("policies.set", { policies: { subscribe_credentials: "required" } })],
      { tenant: OTHER_WORLD, body: { integration_id: BUYER, url: "http://127.0.0.1:9999/webhooks" } },
    ),
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
    remedy:
      "Delete a subscription that is no longer used, with `subscriptions.delete`. It takes the control token, or a token of this world with the scope `act` or `manage`.",
    arises: "An integration subscribes more addresses than `--max-subscriptions` allows, 32 unless set.",
  }),
  subscription_fields: at("shape", "missing_field", SUBSCRIPTION, ["D76"], {
    sentence: "`integration_id` is missing or not a UUID, or `url` is missing.",
    remedy: "Send `integration_id` and `url`, both as text.",
    example: forOperation("webhooks.subscribe", { url: "http://127.0.0.1:9999/webhooks" }),
  }),
} as const satisfies Readonly<Record<string, Row>>;
