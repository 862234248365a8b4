import { fixedClients, fixedCredentials } from "./demo-values.ts";
import type { Operation } from "./operation.ts";
import { UNUSED_ID } from "./values.ts";

// Calls that are refused for one cause each, for the help, the Console and the tests.

export type Fields = Readonly<Record<string, unknown>>;

/**
 * World that example calls use beside the caller's: to be in another world, or to change what a person's own world keeps.
 */
export const OTHER_WORLD = "elsewhere";

/** A call that an example needs to be made first. */
export interface FirstCall {
  /** An operation of partners, called with the buyer's pre-loaded key, or of the control plane. */
  readonly operation: string;
  readonly body: Fields;
  /** Default: the caller's world. */
  readonly world?: typeof OTHER_WORLD;
  /** Name of its response, to which later calls refer: `{{code.access_code}}`. */
  readonly save?: string;
}

/** The difference between a call refused for this cause and the operation's own example, in a freshly seeded world. */
export interface ExampleCall {
  /** Calls to make first, at most two. */
  readonly after?: readonly FirstCall[];
  /** Method and address of a call that reaches no operation of this list. The address may be a reference. */
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  /** The raw body, for examples that are not JSON. */
  readonly text?: string;
  /** A shell command that writes the body, for bytes that aren't text or are too many to show. */
  readonly pipe?: string;
  /** The call is refused the second time. */
  readonly twice?: boolean;
  /** Default: a key of the side that the operation takes. */
  readonly as?: "nobody" | "other_side";
  readonly tenant?: string;
  readonly headers?: Fields;
}
export type Example = (operation: Pick<Operation, "id" | "scope" | "errors">, example: Fields) => ExampleCall | null;

/** An example for one operation only. */
export const forOperation =
  (id: string, body: Fields): Example =>
  (operation) =>
    operation.id === id ? { body } : null;
export const forJobInsert = (more: Fields): Example =>
  forOperation("repairer.jobs.insert", { identity: { external: "new-job" }, repairer_site_id: SITE, ...more });
/** An example for every operation that takes a key. */
export const withKey =
  (call: ExampleCall): Example =>
  ({ scope }) =>
    scope === "none" ? null : call;
/** An example for every operation about a job or an order that may be missing. */
export const naming =
  (what: "job" | "procurement"): Example =>
  ({ id, errors }, example) => {
    const field = Object.keys(example).find((key) => key === "identity" || key === "job_identity");
    const named = field === "job_identity" || id.startsWith("repairer.jobs.") ? "job" : "procurement";
    if (field === undefined || named !== what || !errors.includes("not_found")) return null;
    return { body: { ...example, [field]: { id: UNUSED_ID } } };
  };

/** Stands for calls that aren't made to one operation: links, uploads, unknown addresses. */
export const ANY_CALL = { id: "any", scope: "none", errors: [] } as const;
export const request =
  (method: string, path: string, call: ExampleCall = {}): Example =>
  ({ id }) =>
    id === ANY_CALL.id ? { method, path, ...call } : null;
/** An example for one operation, after other calls. */
export const following =
  (id: string, after: readonly FirstCall[], call: ExampleCall): Example =>
  (operation) =>
    operation.id === id ? { after, ...call } : null;

// Records of the seed whose state never changes: a job with a confirmed order cannot be deleted, and a confirmed or
// cancelled order stays so.
const SITE = "27dd09b9-f7a0-507e-99fd-e42e88e60a99";
export const JOB = { external: "estimate:88021" };
export const NUMBER = "J-20356";
export const CONFIRMED = { identity: { id: "9806f291-aa39-5d64-8aa5-beec14b247e4" } };
export const CANCELLED = { identity: { id: "c4e479fd-0df9-5ab3-bf5e-50969f1daa34" } };
export const OTHER_SITE = "1f8f1c39-3f72-5857-a848-a243b9087795";
const BUYERS_ORGANIZATION = "6f0871e3-8006-5d3b-ac51-39bf773e060d";
export const PLACE = {
  job_identity: { external: "estimate:88128" },
  sellable_ids: ["baa9cccb-63ed-5876-b19d-0d14917aa3b2"],
};
const UPDATE = { exists: "update" };
export const OTHERS_JOB = "25b1c42c-4ab7-57a6-8fef-ee03be6eaa5f";
export const OTHERS_ORDER = "2c60e5a0-4e75-5a17-8643-6dc15d42dbff";
/** The documented pre-loaded key of the buyer, and the integration ID of each side. */
export const { api_key: KEY, integration_id: BUYER } = fixedCredentials.repairer;
export const SUPPLIER = fixedCredentials.supplier.integration_id;
export const { client_id, client_secret } = fixedClients.demo;
export const INSTALL = { client_id, client_secret, access_code: "ac_invented" };

/** Calls of examples to make first. */
export const inOther = (operation: string, body: Fields, save?: string): FirstCall => ({
  ...{ operation, body, world: OTHER_WORLD },
  ...(save === undefined ? {} : { save }),
});
export const first = (operation: string, body: Fields, save: string): FirstCall => ({ operation, body, save });
export const RESET = inOther("worlds.reset", { checkpoint: false });
export const LATER = inOther("clock.advance", { seconds: 16 * 60 });
/** @param name unique for each cause, so that examples don't conflict */
export const newJob = (name: string) => ({
  identity: { external: `example:${name}` },
  repairer_site_id: SITE,
  if_: UPDATE,
});
export const ISSUE = { client_id, organization_id: BUYERS_ORGANIZATION, scope: "repairer" };
export const PICTURE = { file_name: "example.gif", media_type: "image", type: "job_media" };
export const UPLOAD = "{{upload.upload_url}}";
export const LINK = `/__oauth/authorize?client_id=${client_id}`;
export const CALLBACK = "redirect_uri=http://127.0.0.1:5173/callback";
export const FORM = { "content-type": "application/x-www-form-urlencoded" };

export const asOtherSupplier = (authorization: string, id = UNUSED_ID): Example =>
  withKey({ as: "nobody", headers: { authorization, "service-integration-id": id } });
