import type { Cause } from "../contract/causes.ts";
import { type ErrorCode, errorCodes } from "../contract/errors.ts";
import { NO_ONES_ID } from "../contract/no-ones-id.ts";
import { type DecisionId, decisionOf } from "../contract/openapi/decisions.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import type { Operation } from "../contract/operation.ts";
import type { partnerOperations } from "../contract/operations/partner.ts";
import type { ProcurementStatus } from "../contract/values.ts";
import { latestBasket } from "../operations/latest-basket.ts";
import { jobLabel, procurementLabel } from "../operations/views.ts";
import { maskSecret } from "../rules/keys.ts";
import type { JobRecord, ProcurementRecord } from "../rules/records.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import type { BusinessRow } from "../storage/directory-store.ts";
import type { World } from "../worlds/world.ts";

/** What is different about a call that is refused; what is not said is as in the operation's example. */
interface Sends {
  /** What it does, to be read behind "the call". */
  readonly says: string;
  readonly body?: unknown;
  /** Null: without a key. */
  readonly as?: CredentialRow | null;
  readonly tenant?: string;
  readonly headers?: [string, string][];
}

/** What is to be done before there can be such a call, as a sentence. */
interface Needs {
  readonly needs: string;
}

/** How a call comes to be refused in one way. */
export interface Recipe {
  readonly code: ErrorCode;
  readonly cause: Cause | null;
  readonly name: string;
  /** Of the operation itself, not of any call. */
  readonly own: boolean;
  readonly compose: (scene: Scene) => Sends | Needs;
}

/** Among so many, the newest, what a call needs is looked for. */
const MOST_RECORDS = 1_000;
const MOST_BASKETS = 20;

type Fields = Readonly<Record<string, unknown>>;

/** What a call to one operation can be composed of: its example, its caller, and what the caller has in the world. */
export class Scene {
  readonly world: World;
  readonly operation: Operation;
  /** Null where the operation takes no credential, or the world has none of its side. */
  readonly caller: CredentialRow | null;
  readonly #reveal: boolean;

  constructor(world: World, operation: Operation, caller: CredentialRow | null, reveal: boolean) {
    this.world = world;
    this.operation = operation;
    this.caller = caller;
    this.#reveal = reveal;
  }

  get example(): Fields {
    const example: object = requestExamples[this.operation.id as (typeof partnerOperations)[number]["id"]];
    return Object.fromEntries(
      Object.entries(example).map(([key, value]) => [key, key === "client_secret" ? this.secret(value) : value]),
    );
  }

  /** The caller, in a sentence. */
  get name(): string {
    return this.world.stores.directory.organization(this.#organization)?.name ?? "the caller";
  }

  get #organization(): string {
    return this.caller?.organization_id ?? "";
  }

  secret(value: string): string {
    return this.#reveal ? value : maskSecret(value);
  }

  sites(): BusinessRow[] {
    return this.world.stores.directory.businessesOf(this.#organization).filter(({ type }) => type === "repairer_site");
  }

  /** The newest jobs of the caller. @param condition in SQL */
  jobs(condition: string, most = 1): JobRecord[] {
    const { db, stores } = this.world;
    return db
      .all<{ id: string }>(
        `SELECT id FROM (SELECT * FROM jobs ORDER BY seq DESC LIMIT ${MOST_RECORDS}) WHERE organization_id = ? AND ${condition} LIMIT ${most}`,
        this.#organization,
      )
      .flatMap(({ id }) => stores.jobs.get(id) ?? []);
  }

  /** The newest order of the caller in a state. */
  order(status: ProcurementStatus): ProcurementRecord | undefined {
    const party = this.caller?.scope === "supplier" ? "supplier_organization_id" : "buyer_organization_id";
    const row = this.world.db.get<{ id: string }>(
      `SELECT id FROM (SELECT id, ${party} AS party FROM procurements WHERE status = ? ORDER BY updated_at DESC LIMIT ${MOST_RECORDS}) WHERE party = ? LIMIT 1`,
      status,
      this.#organization,
    );
    return row && this.world.stores.procurements.get(row.id);
  }

  /** A job of the caller that has offers, with the first of them. */
  offer(): { readonly job: JobRecord; readonly sellable: string } | undefined {
    for (const job of this.jobs("state <> 'no_parts'", MOST_BASKETS)) {
      // Written in other letters it is the same offer, where there are letters in it.
      const offer = latestBasket(this.world, job).offers.find(({ sellable_id }) => /[a-f]/.test(sellable_id));
      if (offer) return { job, sellable: offer.sellable_id };
    }
    return undefined;
  }

  /** The insert of a job that is not there yet. */
  newJob(changes: Fields): Fields {
    let external = "new-job";
    for (let n = 2; this.world.stores.jobs.find({ external }, this.#organization); n += 1) external = `new-job-${n}`;
    return { identity: { external }, repairer_site_id: this.sites()[0]?.id ?? NO_ONES_ID, ...changes };
  }
}

const named = ({ external_id, id }: JobRecord): Fields => (external_id === null ? { id } : { external: external_id });

/** A recipe of an operation's own. */
const own = (code: ErrorCode, cause: Cause, name: string, compose: Recipe["compose"]): Recipe => ({
  code,
  cause,
  name,
  own: true,
  compose,
});

const unlessThere = <T>(found: T | undefined, needs: string, sends: (it: T) => Sends): Sends | Needs =>
  found === undefined ? { needs } : sends(found);

const howToHave: Readonly<Record<ProcurementStatus, string>> = {
  order_requested: "Place",
  order_confirmed: "Confirm",
  cancelled: "Cancel",
};

/** A recipe about an order in a state. */
const aboutOrder =
  (status: ProcurementStatus, says: (label: string) => string): Recipe["compose"] =>
  (scene) =>
    unlessThere(scene.order(status), `${howToHave[status]} an order of ${scene.name} first.`, (order) => ({
      says: says(procurementLabel(order)),
      body: { ...scene.example, identity: { id: order.id } },
    }));

/** The same, where a switch of the world does not let the call through. */
const unlessSwitched =
  (decision: DecisionId, otherwise: string, compose: Recipe["compose"]): Recipe["compose"] =>
  (scene) => {
    const { policy } = decisionOf(decision);
    return policy === null || scene.world.policies[policy] === "reject"
      ? compose(scene)
      : { needs: `Switch assumption ${decision} to reject first: this world ${otherwise}.` };
  };

const RESET = "Reset this world first: its seed has what the call takes.";

const ofInstall: readonly Recipe[] = [
  own("integration_not_found", "client_unknown", "No such client", ({ example }) => ({
    says: "invents a client",
    body: { ...example, client_id: "nobody" },
  })),
  own("o_auth_not_supported_by_integration", "client_not_enabled", "Client without OAuth install", (scene) =>
    unlessThere(
      scene.world.stores.credentials.clients().find(({ oauth_enabled }) => !oauth_enabled),
      RESET,
      ({ client_id, name }) => ({ says: `names ${name}`, body: { ...scene.example, client_id } }),
    ),
  ),
  own("invalid_client_secret", "client_secret_wrong", "Wrong client secret", ({ example }) => ({
    says: "guesses the secret",
    body: { ...example, client_secret: "guessed" },
  })),
  own("invalid_access_code", "access_code_unusable", "Unusable access code", (scene) =>
    unlessThere(
      scene.world.stores.credentials.clients().find(({ oauth_enabled }) => oauth_enabled),
      RESET,
      ({ client_id, client_secret }) => ({
        says: "invents an access code",
        body: { access_code: "ac_invented", client_id, client_secret: scene.secret(client_secret) },
      }),
    ),
  ),
];

const ofJobInsert: readonly Recipe[] = [
  own(
    "unprocessable",
    "job_exists",
    "The job exists",
    unlessSwitched("D30", "updates a job that exists", (scene) =>
      unlessThere(scene.jobs("TRUE")[0], `Insert a job of ${scene.name} first.`, (job) => ({
        says: `inserts ${jobLabel(job)} and says nothing of existing`,
        body: { identity: named(job), repairer_site_id: job.repairer_site_id },
      })),
    ),
  ),
  own("unprocessable", "site_unknown", "No such site", (scene) => ({
    says: "invents a site",
    body: scene.newJob({ repairer_site_id: NO_ONES_ID }),
  })),
  own(
    "unprocessable",
    "job_id_not_assigned",
    "An id of the caller’s own",
    unlessSwitched("D31", "takes any id", (scene) => ({
      says: "makes up the job’s id",
      body: scene.newJob({ identity: { id: NO_ONES_ID } }),
    })),
  ),
  own("work_provider_not_found", "work_provider_unknown", "No such insurer", (scene) => ({
    says: "invents an insurer",
    body: scene.newJob({ work_provider_contract: "Nobody Mutual" }),
  })),
  own("unprocessable", "work_providers_differ", "Two insurers", (scene) => {
    const [one, other] = scene.world.stores.directory.insurers();
    return unlessThere(one && other && { one, other }, RESET, ({ one, other }) => ({
      says: `names ${one.name} and ${other.name}`,
      body: scene.newJob({ work_provider_id: one.organization_id, work_provider_contract: other.name }),
    }));
  }),
  own("unprocessable", "job_number_taken", "The number is taken", (scene) =>
    unlessThere(
      scene.jobs("job_number IS NOT NULL")[0],
      `Insert a job of ${scene.name} with a number first.`,
      ({ job_number, repairer_site_id }) => ({
        says: `gives another job the number ${job_number}`,
        body: scene.newJob({ repairer_site_id, job_number }),
      }),
    ),
  ),
];

const ofPartsInsert: readonly Recipe[] = [
  own("unprocessable", "part_of_other_job", "Another job’s part", (scene) => {
    const { db } = scene.world;
    const part = db.get<{ id: string; job_id: string }>("SELECT id, job_id FROM job_parts ORDER BY seq DESC LIMIT 1");
    const job = part && scene.jobs("TRUE", 2).find(({ id }) => id !== part.job_id);
    return unlessThere(
      part && job && { part, job },
      `Insert two jobs of ${scene.name}, one of them with a part, first.`,
      ({ part, job }) => ({
        says: `gives ${jobLabel(job)} a part of another job`,
        body: { job_identity: named(job), parts: [{ identity: { id: part.id } }] },
      }),
    );
  }),
];

const ofPlace: readonly Recipe[] = [
  own("unprocessable", "offer_unknown", "No such offer", (scene) =>
    unlessThere(scene.jobs("TRUE")[0], `Insert a job of ${scene.name} first.`, (job) => ({
      says: `orders for ${jobLabel(job)} what nobody offered`,
      body: { job_identity: named(job), sellable_ids: [NO_ONES_ID] },
    })),
  ),
  own("unprocessable", "offer_repeated", "An offer twice", (scene) =>
    unlessThere(
      scene.offer(),
      `Insert a part of a job of ${scene.name} that is offered first.`,
      ({ job, sellable }) => ({
        says: `orders one offer of ${jobLabel(job)} twice, in other letters`,
        body: { job_identity: named(job), sellable_ids: [sellable, sellable.toUpperCase()] },
      }),
    ),
  ),
];

const ofConfirm: readonly Recipe[] = [
  own(
    "unprocessable",
    "confirm_of_cancelled",
    "The order is cancelled",
    unlessSwitched(
      "D51",
      "answers not_found",
      aboutOrder("cancelled", (label) => `confirms ${label}, which is cancelled`),
    ),
  ),
  own(
    "unprocessable",
    "confirmed_already",
    "The order is confirmed already",
    unlessSwitched(
      "D50",
      "takes a second confirmation",
      aboutOrder("order_confirmed", (label) => `confirms ${label} once more`),
    ),
  ),
];

const ofCancel: readonly Recipe[] = [
  own(
    "unprocessable",
    "cancel_of_confirmed",
    "The order is confirmed",
    aboutOrder("order_confirmed", (label) => `cancels ${label}, which is confirmed`),
  ),
  own(
    "unprocessable",
    "cancelled_already",
    "The order is cancelled already",
    aboutOrder("cancelled", (label) => `cancels ${label} once more`),
  ),
];

const ofDelete: readonly Recipe[] = [
  own("unprocessable", "job_has_live_procurement", "The job has an order", (scene) =>
    unlessThere(
      scene.jobs("state IN ('order_requested', 'order_confirmed')")[0],
      `Place an order for a job of ${scene.name} first.`,
      (job) => ({ says: `deletes ${jobLabel(job)}, which has an order`, body: { identity: named(job) } }),
    ),
  ),
];

const ofReconcile: readonly Recipe[] = [
  own("unprocessable", "procurement_not_confirmed", "The order is not confirmed", (scene) => {
    const order = scene.order("order_requested") ?? scene.order("cancelled");
    return unlessThere(order, `Place an order of ${scene.name} first.`, (order) => ({
      says: `compares an invoice with ${procurementLabel(order)}, which is not confirmed`,
      body: { ...scene.example, identity: { id: order.id } },
    }));
  }),
  own("unprocessable", "not_an_amount", "A price that is none", (scene) =>
    unlessThere(scene.order("order_confirmed"), `Confirm an order of ${scene.name} first.`, ({ id }) => ({
      says: "writes a price with a sign of money",
      body: { identity: { id }, lines: [{ quantity: 1, unit_price: "$1,548.05" }] },
    })),
  ),
];

const recipesOf: Readonly<Record<string, readonly Recipe[]>> = {
  "integrations.insert": ofInstall,
  "repairer.jobs.insert": ofJobInsert,
  "repairer.jobs.parts.insert": ofPartsInsert,
  "repairer.procurements.place": ofPlace,
  "supplier.procurements.confirm": ofConfirm,
  "procurements.cancel": ofCancel,
  "repairer.jobs.delete": ofDelete,
  "repairer.invoices.reconcile": ofReconcile,
};

const noKey = own("unauthorized", "no_credentials", "No key", () => ({ says: "sends none", as: null }));

const unknownKey = own("unauthorized", "credentials", "Unknown key", () => ({
  says: "sends a key that is of no integration",
  as: null,
  headers: [
    ["authorization", "Bearer key-of-no-integration"],
    ["service-integration-id", NO_ONES_ID],
  ],
}));

const noBearer = own("unauthorized", "no_bearer", "Key without Bearer", () => ({
  says: "leaves the word Bearer out",
  as: null,
  headers: [["authorization", "key-without-bearer"]],
}));

const wrongSide = own("forbidden", "scope", "Wrong side", ({ world, operation }) =>
  unlessThere(
    world.stores.credentials.list().findLast(({ scope }) => scope !== operation.scope),
    `Install an integration of a ${operation.scope === "supplier" ? "buyer" : "supplier"} first.`,
    (other) => ({
      says: `sends ${world.stores.directory.organization(other.organization_id)?.name ?? "another"}’s key`,
      as: other,
    }),
  ),
);

/** What is not there is asked for: by the field that names it. */
const nothingThere = ({ id }: Operation, field: string): Recipe => {
  const isJob = field === "job_identity" || id.startsWith("repairer.jobs.");
  const what = isJob ? "job" : "order";
  return own("not_found", isJob ? "job_unknown" : "procurement_unknown", `No such ${what}`, ({ example }) => ({
    says: `invents ${isJob ? "a job" : "an order"}`,
    body: { ...example, [field]: { id: NO_ONES_ID } },
  }));
};

const wrongShape = (code: ErrorCode, field: string): Recipe =>
  own(code, "shape", "A field is off", ({ example }) => ({
    says: `sends a number as ${field}`,
    body: { ...example, [field]: 0 },
  }));

/** What any call is refused for. */
const ofAnyCall = ({ shapeError }: Operation): readonly Recipe[] => {
  const recipe = (code: ErrorCode, cause: Cause | null, name: string, sends: Sends): Recipe => ({
    ...{ code, cause, name, own: false },
    compose: () => sends,
  });
  return [
    recipe(shapeError, "not_json", "Not a JSON object", { says: "sends a list", body: [] }),
    recipe("bad_request", null, "No name of a world", { says: "names a world “no name”", tenant: "no name" }),
    recipe("unsupported_media_type", "media_type", "Not sent as JSON", {
      says: "says that its body is text",
      headers: [["content-type", "text/plain"]],
    }),
    recipe("unsupported_media_type", "encoding", "Compressed", {
      says: "says that its body is compressed",
      headers: [["content-encoding", "gzip"]],
    }),
  ];
};

/** Every way in which a call to an operation can be refused for what it is; what is left over takes a fault. */
export const recipesFor = (operation: Operation): readonly Recipe[] => {
  const { id, scope, errors, shapeError } = operation;
  const fields = Object.keys((operation.request as { properties?: object }).properties ?? {});
  const [first] = fields;
  const identity = fields.find((field) => field === "identity" || field === "job_identity");
  return [
    ...(scope === "none" ? [] : [noKey, unknownKey, noBearer]),
    ...(scope === "repairer" || scope === "supplier" ? [wrongSide] : []),
    ...(identity !== undefined && errors.includes("not_found") ? [nothingThere(operation, identity)] : []),
    ...(recipesOf[id] ?? []),
    ...(first === undefined ? [] : [wrongShape(shapeError, first)]),
    ...ofAnyCall(operation),
  ];
};

/** What a code that takes a fault is called. */
export const nameOfCode = (code: ErrorCode): string => {
  const names: Partial<Record<ErrorCode, string>> = {
    unauthorized: "No key, or unknown",
    forbidden: "Wrong side",
    method_not_allowed: "Wrong method",
    payload_too_large: "Body too large",
    misdirected_request: "Wrong host",
    internal_error: "Something unexpected",
    storage_unavailable: "Cannot be stored",
    too_many_worlds: "Too many worlds",
    world_unavailable: "The world is damaged",
  };
  return names[code] ?? errorCodes[code].meaning;
};
