import type { DecisionId } from "./openapi/decisions.ts";

/**
 * The checks of a partner's call in the order they are made (D2), with what a screen calls them. A fault answers in the
 * place of what would come next, so it stands in two places.
 */
export const checkNames = {
  protocol: "HTTP",
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

interface Declared {
  readonly check: Check;
  /** Of the contract. */
  readonly section: string;
  readonly decisions: readonly DecisionId[];
  /** Why it is refused, with what the call is about by the name a person knows it by. */
  readonly says: (label: string) => string;
  readonly whatToDo: string;
}

const subscription = "Webhooks: Subscription";
const ofJob = "Endpoints: repairer.jobs.insert";
const order = (label: string): string => (label === "" ? "The order" : `Order ${label}`);
const job = (label: string): string => (label === "" ? "The job" : `Job ${label}`);

/** Every cause by which a call of a partner is refused by the pipeline or by an operation. */
export const causes = {
  no_credentials: {
    check: "credentials",
    section: "Authentication: Headers",
    decisions: ["D13"],
    says: () => "The call lacks a header that proves who sends it: Authorization, Service-Integration-ID or both.",
    whatToDo: "Send `Authorization: Bearer <api_key>` with the `Service-Integration-ID` of the same installation.",
  },
  no_bearer: {
    check: "credentials",
    section: "Authentication: Headers",
    decisions: ["D13"],
    says: () => "The Authorization header does not say Bearer before the key.",
    whatToDo: "Send `Authorization: Bearer <api_key>`: the word `Bearer`, a space, and the key.",
  },
  credentials: {
    check: "credentials",
    section: "Authentication: Headers",
    decisions: ["D13"],
    says: () => "The call does not prove who sends it: key and integration are not a pair this world knows.",
    whatToDo: "Send `Authorization: Bearer <api_key>` with the `Service-Integration-ID` of the same installation.",
  },
  scope: {
    check: "scope",
    section: "Authentication: Organization and scope",
    decisions: [],
    says: () => "The credential is of the other side: the operation is not for it.",
    whatToDo: "Call with a credential of the side the operation is for.",
  },
  media_type: {
    check: "json",
    section: "Conventions",
    decisions: ["D4"],
    says: () => "The body says that it is something other than JSON.",
    whatToDo: "Send the body with `Content-Type: application/json`.",
  },
  encoding: {
    check: "json",
    section: "Conventions",
    decisions: ["D14"],
    says: () => "The body is compressed or encoded.",
    whatToDo: "Send the body as it is, without `Content-Encoding`.",
  },
  not_json: {
    check: "json",
    section: "Conventions",
    decisions: ["D3", "D4"],
    says: () => "The body is not a JSON object.",
    whatToDo: "Send one JSON object in UTF-8.",
  },
  shape: {
    check: "shape",
    section: "Endpoints",
    decisions: ["D3"],
    says: () => "A field of the body is missing or is not as the operation takes it.",
    whatToDo: "Correct the field that is named and send the call again.",
  },
  client_unknown: {
    check: "rules",
    section: "Authentication: Install",
    decisions: [],
    says: () => "No client has this `client_id`.",
    whatToDo: "Send a `client_id` of this sandbox: Install lists them.",
  },
  client_not_enabled: {
    check: "rules",
    section: "Authentication: Install",
    decisions: [],
    says: () => "The client may not be installed by OAuth.",
    whatToDo: "Use a client that is enabled for OAuth install.",
  },
  client_secret_wrong: {
    check: "rules",
    section: "Authentication: Install",
    decisions: ["D23"],
    says: () => "The `client_secret` is not this client’s.",
    whatToDo: "Send the secret of this very client.",
  },
  access_code_unusable: {
    check: "rules",
    section: "Authentication: Install",
    decisions: ["D22", "D23"],
    says: () => "The access code is unknown, expired, used, or another client’s.",
    whatToDo: "Get a new access code: each is good once, and for 15 minutes.",
  },
  job_unknown: {
    check: "rules",
    section: "Errors",
    decisions: ["D1", "D25"],
    says: () => "This caller has no such job.",
    whatToDo: "Check the identifier, and whose key is sent: what belongs to others is answered the same.",
  },
  procurement_unknown: {
    check: "rules",
    section: "Errors",
    decisions: ["D1", "D25"],
    says: () => "This caller has no such order.",
    whatToDo: "Check the identifier, and whose key is sent: what belongs to others is answered the same.",
  },
  site_unknown: {
    check: "rules",
    section: ofJob,
    decisions: ["D34"],
    says: () => "The site is not one of the caller’s.",
    whatToDo: "Send a `repairer_site` that businesses.list answers.",
  },
  job_exists: {
    check: "rules",
    section: ofJob,
    decisions: ["D30"],
    says: (label) => `${job(label)} exists already, and the call does not say what to do then.`,
    whatToDo: "Say `update` in `if_`: an update keeps what the call leaves out.",
  },
  job_id_not_assigned: {
    check: "rules",
    section: ofJob,
    decisions: ["D31"],
    says: () => "No job has this `id`, and a caller cannot choose one: the service assigns them.",
    whatToDo: "Insert with an identifier of your own, as `external`.",
  },
  work_provider_unknown: {
    check: "rules",
    section: ofJob,
    decisions: ["D1", "D36"],
    says: () => "No insurer has this name or identifier.",
    whatToDo: "Send one that repairer.work-providers.list answers.",
  },
  work_providers_differ: {
    check: "rules",
    section: ofJob,
    decisions: ["D36"],
    says: () => "The two fields that name the insurer name two different ones.",
    whatToDo: "Send one of the two fields.",
  },
  job_number_taken: {
    check: "rules",
    section: ofJob,
    decisions: ["D35"],
    says: () => "Another job of the site has this number.",
    whatToDo: "Send a number that is free at this site, or none.",
  },
  part_of_other_job: {
    check: "rules",
    section: "Endpoints: repairer.jobs.parts.insert",
    decisions: ["D38"],
    says: () => "The part belongs to another job.",
    whatToDo: "Leave the part’s identity out: then the service assigns one.",
  },
  offer_unknown: {
    check: "rules",
    section: "Endpoints: extension operations",
    decisions: ["D43"],
    says: () => "The latest basket of the job has no such offer.",
    whatToDo: "Read repairer.jobs.baskets.latest.get and order what it offers.",
  },
  offer_repeated: {
    check: "rules",
    section: "Endpoints: extension operations",
    decisions: [],
    says: () => "The same offer is ordered twice in one call.",
    whatToDo: "Name each offer once.",
  },
  procurement_placed: {
    check: "rules",
    section: "States and transitions",
    decisions: [],
    says: (label) => `${order(label)} is placed already.`,
    whatToDo: "Place the offers again for another order.",
  },
  confirmed_already: {
    check: "rules",
    section: "States and transitions",
    decisions: ["D50"],
    says: (label) => `${order(label)} is confirmed already.`,
    whatToDo: "Take it as confirmed: nothing is left to do.",
  },
  confirm_of_cancelled: {
    check: "rules",
    section: "States and transitions",
    decisions: ["D51"],
    says: (label) => `${order(label)} is cancelled and cannot be confirmed.`,
    whatToDo: "Read the order first; the buyer can place the offers again.",
  },
  cancel_of_confirmed: {
    check: "rules",
    section: "States and transitions",
    decisions: [],
    says: (label) => `${order(label)} is confirmed and cannot be cancelled any more.`,
    whatToDo: "Read the order first: only a requested one can be cancelled.",
  },
  cancelled_already: {
    check: "rules",
    section: "States and transitions",
    decisions: [],
    says: (label) => `${order(label)} is cancelled already.`,
    whatToDo: "Take it as cancelled: nothing is left to do.",
  },
  procurement_not_confirmed: {
    check: "rules",
    section: "Endpoints: extension operations",
    decisions: [],
    says: (label) => `${order(label)} is not confirmed, and an invoice is compared with a confirmed one.`,
    whatToDo: "Have the supplier confirm the order first.",
  },
  not_an_amount: {
    check: "rules",
    section: "Endpoints: extension operations",
    decisions: ["D55"],
    says: () => "The price of a line is not an amount in the order’s currency.",
    whatToDo: "Send a decimal string with the currency’s digits, at most a million.",
  },
  job_has_live_procurement: {
    check: "rules",
    section: "Endpoints: extension operations",
    decisions: ["D75"],
    says: (label) => `${job(label)} has an order that is not cancelled.`,
    whatToDo: "Cancel the order first, while it is requested; a confirmed one keeps its job.",
  },
  subscription_fields: {
    check: "shape",
    section: subscription,
    decisions: ["D76"],
    says: () => "The body names no integration by its UUID, or no `url`.",
    whatToDo: "Send `integration_id` and `url`, both as text.",
  },
  url_not_loopback: {
    check: "rules",
    section: subscription,
    decisions: ["D76", "D77"],
    says: () => "The `url` is none of this machine: a local service sends nowhere else.",
    whatToDo: "Send an http or https address of localhost or 127.0.0.1, without a user name or password.",
  },
  https_required: {
    check: "rules",
    section: subscription,
    decisions: ["D76", "D77"],
    says: () => "The `url` is no https address: a deployed service sends to nothing else.",
    whatToDo: "Send an https address with a port or none, without a user name or password.",
  },
  private_or_reserved_host: {
    check: "rules",
    section: subscription,
    decisions: ["D77"],
    says: () => "The host of the `url` is private or reserved: a deployed service sends to public ones alone.",
    whatToDo: "Send the address of a host that is reached from anywhere.",
  },
  too_many_subscriptions: {
    check: "rules",
    section: subscription,
    decisions: ["D86"],
    says: () => "The integration has as many subscriptions in this world as it may.",
    whatToDo: "End one of its subscriptions first.",
  },
} as const satisfies Readonly<Record<string, Declared>>;

export type Cause = keyof typeof causes;
export type StateCause = Extract<
  Cause,
  "procurement_placed" | "confirmed_already" | "confirm_of_cancelled" | "cancel_of_confirmed" | "cancelled_already"
>;

/** What is declared of a cause. */
export const causeOf = (cause: Cause): Declared => causes[cause];

/** Why a call is refused, by what a person knows its subject by; null where the answer says it better: by the field. */
export const reasonOf = (
  why: { readonly cause: Cause; readonly fact?: string } | null | undefined,
  label: string | null,
): string | null =>
  !why || why.cause === "shape" || why.cause === "not_json" ? null : (why.fact ?? causeOf(why.cause).says(label ?? ""));
