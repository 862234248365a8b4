import { ServiceFailure } from "../../../lib/service-failure.ts";

/** What each reason of `/__webhooks/subscribe` means and what to do about it (contract, "Subscription"; D76, D77). */
const meanings: Readonly<Record<string, string>> = {
  url_not_loopback:
    "A local service sends to this machine only: http or https to localhost, 127.0.0.1, [::1] or 0.0.0.0, at a port from 1 to 65535, without a user name or password in the address.",
  https_required:
    "A deployed service sends to public https addresses only, at a port from 1 to 65535, without a user name or password in the address.",
  private_or_reserved_host: "A deployed service sends to public hosts only; this one is private or reserved.",
  too_many_subscriptions: "This integration has as many subscriptions in this world as it may; delete one first.",
  missing_field: "Both fields are required, and integration_id must be a UUID.",
  bad_body: "The body could not be read as a JSON object.",
};

/** The refusal with the service's code and a sentence about it. */
export const subscribeFailure = (failure: ServiceFailure): ServiceFailure =>
  new ServiceFailure(failure.status, failure.code, meanings[failure.code] ?? failure.message, failure.requestId);
