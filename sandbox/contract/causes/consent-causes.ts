import { CALLBACK, client_id, FORM, LINK, request } from "../cause-examples.ts";
import type { ErrorCode } from "../errors.ts";
import { at, type CauseTexts, type Row } from "./row.ts";

const consent = <const Code extends ErrorCode>(code: Code, texts: CauseTexts) =>
  at("rules", code, null, ["D21"], texts);

/** Refusals of the consent page. */
export const consentCauses = {
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
