import { causeOf } from "../contract/causes.ts";
import type { Correction, Edit } from "../contract/control/explain-operations.ts";
import { Refusal, type RefusedFor } from "../contract/errors.ts";
import { likeness } from "../contract/nearest-names.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import type { Operation } from "../contract/operation.ts";
import type { partnerOperations } from "../contract/operations/partner.ts";
import type { JobIdentity } from "../contract/resources/job.ts";
import { isUuid, meetsFormat } from "../contract/schema.ts";
import { execute, type Result } from "../operations/execute.ts";
import type { BoundHandler } from "../operations/handler.ts";
import { latestBasket } from "../operations/latest-basket.ts";
import { parseBody } from "../operations/validation.ts";
import { amountMeant } from "../rules/amount-meant.ts";
import { maskSecret } from "../rules/keys.ts";
import { correctedShape, valueAt, withValueAt } from "../rules/smallest-correction.ts";
import { isLoopbackHost } from "../rules/webhook-url.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import type { KeptDetail } from "../storage/requests-store.ts";
import { asked, subscribedOutcome } from "../webhooks/subscriptions.ts";
import type { World } from "../worlds/world.ts";
import type { ControlContext } from "./handler.ts";

/** A call as it might be sent. */
interface Draft {
  readonly credential: CredentialRow | null;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly bytes: Buffer;
  readonly edits: readonly Edit[];
}

/** A correction, or a sentence why there is none. */
export type Corrected = { readonly correction: Correction } | { readonly none: string };

/** Each round settles one refusal. */
const MOST_ROUNDS = 12;
const MOST_CHOICES = 8;
/** Among so many, the newest, the identifier that was meant is looked for. */
const MOST_RECORDS = 1_000;
/** What takes something away is only corrected to what is named nearly so. */
const takesAway: ReadonlySet<string> = new Set(["repairer.jobs.delete", "procurements.cancel"]);
/** How alike a name must be to the one that was sent, of 1, for it to be meant. */
const NEARLY = 0.8;
const ACCEPTED_NOW = "Sent again now, it is accepted as it is: the world is no longer as it was then.";

const headerOf = ({ request_headers }: KeptDetail, name: string): string | undefined =>
  request_headers.find(([one]) => one === name)?.[1];

const bodyIn = ({ bytes }: Draft): unknown => {
  const parsed = parseBody(bytes);
  return "value" in parsed ? parsed.value : undefined;
};

/** One edit a place: what was there first becomes what is there last. */
const withEdits = (edits: readonly Edit[], more: readonly Edit[]): Edit[] => {
  const all = [...edits];
  for (const edit of more) {
    const at = all.findIndex((one) => one.in === edit.in && one.pointer === edit.pointer);
    const { before: _before, ...rest } = edit;
    const first = all[at];
    if (first) all[at] = { ...rest, ...("before" in first ? { before: first.before } : {}) };
    else all.push(edit);
  }
  return all;
};

const withBody = (draft: Draft, body: unknown, edits: readonly Omit<Edit, "in">[]): Draft => ({
  ...draft,
  bytes: Buffer.from(JSON.stringify(body)),
  edits: withEdits(
    draft.edits,
    edits.map((edit) => ({ in: "body", ...edit })),
  ),
});

/** The draft with something else at a place of its body; undefined takes away what is there. */
const edited = (draft: Draft, pointer: string, after: unknown, reason: string): Draft => {
  const body = bodyIn(draft);
  const before = valueAt(body, pointer);
  return withBody(draft, withValueAt(body, pointer, after), [
    { pointer, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }), reason },
  ]);
};

const byLikeness = <T>(items: readonly T[], sent: unknown, name: (item: T) => string): T[] => {
  const asked = String(sent).toLowerCase();
  const alike = new Map(items.map((item) => [item, likeness(asked, name(item).toLowerCase())]));
  return items.toSorted((one, other) => (alike.get(other) ?? 0) - (alike.get(one) ?? 0)).slice(0, MOST_CHOICES);
};

/** Those of them that may have been meant: what is only the nearest of many is somebody else's. */
const nearly = <T>(items: readonly T[], sent: unknown, name: (item: T) => string): T[] =>
  byLikeness(items, sent, name).filter(
    (item) => likeness(String(sent).toLowerCase(), name(item).toLowerCase()) >= NEARLY,
  );

/** The credentials a call may have meant: the integration it names, then the pre-loaded ones. */
const fitting = (world: World, kept: KeptDetail, fits: (one: CredentialRow) => boolean): CredentialRow[] => {
  const named = headerOf(kept, "service-integration-id")?.trim().toLowerCase();
  const rank = (one: CredentialRow): number => (one.integration_id === named ? 0 : one.preloaded ? 1 : 2);
  return world.stores.credentials
    .list()
    .filter(fits)
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MOST_CHOICES);
};

/** A call's headers as they are with a credential. */
const credentialEdits = (kept: KeptDetail, credential: CredentialRow, reason: string): Edit[] => {
  const header = (name: string, after: string): Edit => {
    const before = headerOf(kept, name);
    return { in: "headers", pointer: `/${name}`, ...(before === undefined ? {} : { before }), after, reason };
  };
  return [
    header("authorization", `Bearer ${maskSecret(credential.api_key)}`),
    ...(credential.integration_id === headerOf(kept, "service-integration-id")?.trim().toLowerCase()
      ? []
      : [header("service-integration-id", credential.integration_id)]),
  ];
};

const pairReason = {
  no_credentials: "key and integration are sent by these headers",
  no_bearer: "the key comes after Bearer",
  credentials: "key and integration are a pair that this world knows",
} as const;

/** Whose key a correction is sent with. */
const named = (world: World, credential: CredentialRow): NonNullable<Correction["credential"]> => ({
  integration_id: credential.integration_id,
  organization_name: world.stores.directory.organization(credential.organization_id)?.name ?? "",
  side: credential.scope,
});

/** The body sent under its type, or as it is. */
const headerEdits = (kept: KeptDetail, cause: "media_type" | "encoding"): Edit[] => {
  const name = cause === "media_type" ? "content-type" : "content-encoding";
  const after = cause === "media_type" ? { after: "application/json" } : {};
  const before = headerOf(kept, name) ?? "";
  return [{ in: "headers", pointer: `/${name}`, before, ...after, reason: causeOf(cause).whatToDo }];
};

/** What those edits make of the headers. */
const headersWith = (edits: readonly Edit[]): Correction["headers"] => [
  ...(edits.some(({ pointer }) => pointer === "/content-type")
    ? [["content-type", "application/json"] as [string, string]]
    : []),
  ...(edits.some(({ pointer }) => pointer === "/content-encoding")
    ? [["content-encoding", ""] as [string, string]]
    : []),
];

/** Finds corrections of the calls to one operation in one world. */
class Corrector {
  readonly #world: World;
  readonly #bound: BoundHandler;
  readonly #kept: KeptDetail;
  readonly #baseUrl: string;

  constructor(world: World, bound: BoundHandler, kept: KeptDetail, baseUrl: string) {
    this.#world = world;
    this.#bound = bound;
    this.#kept = kept;
    this.#baseUrl = baseUrl;
  }

  get #operation(): Operation {
    return this.#bound.operation;
  }

  /** What would come of it now; whatever it does is undone. */
  #tried(draft: Draft): Result | Promise<Result> {
    const { credential, bytes, contentType, contentEncoding } = draft;
    return execute(this.#bound, {
      world: this.#world,
      baseUrl: this.#baseUrl,
      traceId: this.#kept.id,
      signUpload: () => "",
      credentials: {
        // Without a credential, as it was recorded: its key is masked and is nobody's.
        authorization: credential ? `Bearer ${credential.api_key}` : headerOf(this.#kept, "authorization"),
        integrationId: credential?.integration_id,
      },
      contentType,
      contentEncoding,
      body: bytes,
      trial: {},
    });
  }

  #credentials(draft: Draft, reason: string): Draft[] {
    const { scope } = this.#operation;
    return fitting(this.#world, this.#kept, (one) => scope === "either" || one.scope === scope).map((credential) => ({
      ...draft,
      credential,
      edits: withEdits(draft.edits, credentialEdits(this.#kept, credential, reason)),
    }));
  }

  #identities(draft: Draft, pointer: string, organization: string): Draft[] {
    const { db } = this.#world;
    const { id, external } = (valueAt(bodyIn(draft), pointer) ?? {}) as Partial<JobIdentity>;
    const jobs = db.all<{ id: string; external_id: string | null }>(
      `SELECT id, external_id FROM jobs WHERE organization_id = ? ORDER BY seq DESC LIMIT ${MOST_RECORDS}`,
      organization,
    );
    const put = (name: "id" | "external", value: string): Draft =>
      edited(draft, `${pointer}/${name}`, value, "a job of this caller has this identifier");
    if (id !== undefined) return nearly(jobs, id, (one) => one.id).map((one) => put("id", one.id));
    const named = jobs.flatMap(({ external_id }) => external_id ?? []);
    return nearly(named, external, (one) => one).map((one) => put("external", one));
  }

  #procurements(draft: Draft, { scope, organization_id }: CredentialRow): Draft[] {
    const party = scope === "repairer" ? "buyer_organization_id" : "supplier_organization_id";
    const all = this.#world.db.all<{ id: string }>(
      `SELECT id FROM procurements WHERE ${party} = ? ORDER BY seq DESC LIMIT ${MOST_RECORDS}`,
      organization_id,
    );
    return nearly(all, valueAt(bodyIn(draft), "/identity/id"), (one) => one.id).map(({ id }) =>
      edited(draft, "/identity/id", id, "an order of this caller has this identifier"),
    );
  }

  #offers(draft: Draft, pointer: string, organization: string): Draft[] {
    const body = bodyIn(draft) as { readonly job_identity: JobIdentity; readonly sellable_ids: readonly string[] };
    const job = this.#world.stores.jobs.find(body.job_identity, organization);
    const chosen = new Set(body.sellable_ids.map((id) => id.toLowerCase()));
    const { offers } = job ? latestBasket(this.#world, job) : { offers: [] };
    const free = offers.filter(({ sellable_id }) => !chosen.has(sellable_id));
    return byLikeness(free, valueAt(body, pointer), (one) => one.sellable_id).map(({ sellable_id }) =>
      edited(draft, pointer, sellable_id, "the job’s latest basket offers this"),
    );
  }

  #amounts(draft: Draft, pointer: string): Draft[] {
    const id = valueAt(bodyIn(draft), "/identity/id");
    const order = typeof id === "string" ? this.#world.stores.procurements.get(id) : undefined;
    const meant = amountMeant(String(valueAt(bodyIn(draft), pointer)), order?.currency_code ?? "USD");
    return meant === null ? [] : [edited(draft, pointer, meant, "an amount is a plain decimal string")];
  }

  #insurers(draft: Draft, pointer: string): Draft[] {
    const key = pointer === "/work_provider_id" ? "organization_id" : "name";
    const sent = valueAt(bodyIn(draft), pointer);
    return [
      ...nearly(this.#world.stores.directory.insurers(), sent, (one) => one[key]).map((one) =>
        edited(draft, pointer, one[key], "an insurer of this world has this name or identifier"),
      ),
      edited(draft, pointer, undefined, "no insurer is named nearly so, and a job may name none"),
    ];
  }

  #sites(draft: Draft, organization: string): Draft[] {
    const sites = this.#world.stores.directory
      .businessesOf(organization)
      .filter(({ type }) => type === "repairer_site");
    return byLikeness(sites, valueAt(bodyIn(draft), "/repairer_site_id"), (one) => one.id).map(({ id, name }) =>
      edited(draft, "/repairer_site_id", id, `${name} is a site of this caller`),
    );
  }

  #shape(draft: Draft): Draft[] {
    const { id, request } = this.#operation;
    const example = requestExamples[id as (typeof partnerOperations)[number]["id"]];
    const corrected = correctedShape(request, bodyIn(draft), example, meetsFormat);
    return corrected ? [withBody(draft, corrected.body, corrected.edits)] : [];
  }

  /** What may settle a refusal, the nearest first. */
  #choices(draft: Draft, { why }: Refusal): Draft[] {
    const [pointer = ""] = why?.pointers ?? [];
    const organization = draft.credential?.organization_id ?? "";
    switch (why?.cause) {
      case "no_credentials":
      case "no_bearer":
      case "credentials":
        return this.#credentials(draft, pairReason[why.cause]);
      case "scope":
        return this.#credentials(draft, `the operation is for the ${this.#operation.scope} side`);
      case "media_type":
      case "encoding": {
        const edits = withEdits(draft.edits, headerEdits(this.#kept, why.cause));
        const isType = why.cause === "media_type";
        const settled = isType ? { contentType: "application/json" } : { contentEncoding: undefined };
        return [{ ...draft, ...settled, edits }];
      }
      case "shape":
        return this.#shape(draft);
      case "job_unknown":
        return this.#identities(draft, pointer, organization);
      case "procurement_unknown":
        return draft.credential ? this.#procurements(draft, draft.credential) : [];
      case "site_unknown":
        return this.#sites(draft, organization);
      case "job_exists":
        return [edited(draft, "/if_", { exists: "update" }, "the job exists: update it")];
      case "job_id_not_assigned": {
        const external = valueAt(bodyIn(draft), pointer);
        return [edited(draft, "/identity", { external }, "a new job is named by the caller’s own identifier")];
      }
      case "work_provider_unknown":
        return this.#insurers(draft, pointer);
      case "work_providers_differ":
        return [edited(draft, pointer, undefined, "one of the two fields is enough")];
      case "job_number_taken":
        return [undefined, null].map((none) => edited(draft, pointer, none, "the number is another job’s"));
      case "part_of_other_job":
        return [edited(draft, pointer, undefined, "without an identity the part is a new one of this job")];
      case "offer_unknown":
        return this.#offers(draft, pointer, organization);
      case "offer_repeated":
        return [edited(draft, pointer, undefined, "the offer is there already")];
      case "not_an_amount":
        return this.#amounts(draft, pointer);
      default:
        return [];
    }
  }

  /** What a call names that nothing of its caller is like; empty: it is refused for something else. */
  #unlike(draft: Draft, { why }: Refusal): string {
    const [pointer = ""] = why?.pointers ?? [];
    if (why?.cause === "procurement_unknown")
      return `No order of this caller is like ${valueAt(bodyIn(draft), pointer)}.`;
    if (why?.cause !== "job_unknown") return "";
    const { id, external } = (valueAt(bodyIn(draft), pointer) ?? {}) as Partial<JobIdentity>;
    return `No job of this caller is like ${id ?? external}.`;
  }

  #found(draft: Draft, { outcome }: Result): Corrected {
    const { credential, edits } = draft;
    if (edits.length === 0) return { none: ACCEPTED_NOW };
    const sent = JSON.stringify(valueAt(bodyIn(this.#sent()), "/identity") ?? "");
    const body = bodyIn(draft);
    if (takesAway.has(this.#operation.id) && likeness(sent, JSON.stringify(valueAt(body, "/identity"))) < NEARLY)
      return { none: "It takes something away, and nothing there is has nearly the identifier it names." };
    const isOther = edits.some((edit) => edit.in === "headers" && edit.pointer === "/authorization");
    return {
      correction: {
        body,
        credential: isOther && credential ? named(this.#world, credential) : null,
        headers: headersWith(edits),
        edits: [...edits],
        would_answer: { status: 200, outcome },
      },
    };
  }

  #sent(): Draft {
    const { integration_id } = this.#kept;
    return {
      credential:
        integration_id === null ? null : (this.#world.stores.credentials.byIntegration(integration_id) ?? null),
      contentType: headerOf(this.#kept, "content-type"),
      contentEncoding: headerOf(this.#kept, "content-encoding"),
      bytes: Buffer.from(this.#kept.request_body_base64, "base64"),
      edits: [],
    };
  }

  async find(): Promise<Corrected> {
    let draft = this.#sent();
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const result = await this.#tried(draft);
      if (!(result.value instanceof Refusal)) return this.#found(draft, result);
      const choices = this.#choices(draft, result.value);
      for (const choice of choices) {
        const tried = await this.#tried(choice);
        if (!(tried.value instanceof Refusal)) return this.#found(choice, tried);
      }
      const [next] = choices;
      if (!next) {
        const todo = result.value.why ? causeOf(result.value.why.cause).whatToDo : "";
        const none = this.#unlike(draft, result.value) || "No change of the call alone is accepted as things are now.";
        return { none: `${none} ${todo}`.trim() };
      }
      draft = next;
    }
    return { none: "No small change of the call is accepted as things are now." };
  }
}

/**
 * The smallest correction by which a refused call is accepted now: it is tried in the pipeline itself, in transactions
 * that are undone.
 */
export const correctionOf = (
  world: World,
  bound: BoundHandler,
  kept: KeptDetail,
  baseUrl: string,
): Promise<Corrected> => new Corrector(world, bound, kept, baseUrl).find();

/** Addresses that a `url` may have been meant as; the service's own reference receiver where there is none. */
const urlsMeant = (url: unknown, { mode, baseUrl }: ControlContext["info"]): readonly string[] => {
  const own = `${baseUrl}/__webhooks/sink`;
  if (typeof url !== "string" || !URL.canParse(url)) return [own];
  const meant = new URL(url);
  meant.username = "";
  meant.password = "";
  if (meant.port === "0") meant.port = "";
  meant.protocol = mode === "deployed" || meant.protocol === "https:" ? "https:" : "http:";
  if (mode === "local" && !isLoopbackHost(meant.hostname)) meant.hostname = "127.0.0.1";
  return [meant.href, own];
};

/**
 * The same for what a partner calls beside the operations, `webhooks.subscribe` and `webhooks.secret`: judged by what
 * judges the call itself, and nothing is carried out.
 */
export const webhookCorrection = (
  world: World,
  info: ControlContext["info"],
  kept: KeptDetail,
  why: RefusedFor | null,
): Corrected => {
  if (why === null) return { none: "Why it was refused is not on record." };
  const { cause } = why;
  const none = { none: `No change of the call alone is accepted as things are now. ${causeOf(cause).whatToDo}` };
  const parsed = parseBody(Buffer.from(kept.request_body_base64, "base64"));
  const isHeader = cause === "media_type" || cause === "encoding";
  const headers = isHeader ? headerEdits(kept, cause) : [];
  if (kept.operation === "webhooks.secret") {
    const [credential] = fitting(world, kept, () => true);
    const isOther = causeOf(cause).check === "credentials";
    if (!(isHeader || (isOther && credential))) return none;
    const edits =
      isOther && credential
        ? credentialEdits(
            kept,
            credential,
            cause === "no_bearer" || cause === "no_credentials" ? pairReason[cause] : pairReason.credentials,
          )
        : headers;
    return {
      correction: {
        body: {},
        credential: isOther && credential ? named(world, credential) : null,
        headers: headersWith(edits),
        edits,
        would_answer: { status: 200, outcome: "read only" },
      },
    };
  }
  if ("problem" in parsed) return none;
  const sent = parsed.value as Readonly<Record<string, unknown>>;
  const put = (body: unknown, key: string, after: string, reason: string): { body: unknown; edit: Edit } => {
    const before = sent[key];
    const edit: Edit = { in: "body", pointer: `/${key}`, ...(before === undefined ? {} : { before }), after, reason };
    return { body: { ...(body as object), [key]: after }, edit };
  };
  const isNamed = typeof sent.integration_id === "string" && isUuid(sent.integration_id);
  const [credential] = fitting(world, kept, () => true);
  const integration =
    isNamed || !credential
      ? null
      : put(sent, "integration_id", credential.integration_id, "an integration of this world");
  const withIntegration = integration?.body ?? sent;
  const candidates = [
    { body: withIntegration, edit: null },
    ...urlsMeant(sent.url, info).map((url) => put(withIntegration, "url", url, "the service may send there")),
  ];
  for (const { body, edit } of candidates) {
    const judged = asked(info.mode, { value: body });
    if ("reason" in judged) continue;
    const others = world.stores.subscriptions.ofIntegration(judged.integration_id);
    if (!others.some(({ url }) => url === judged.url) && others.length >= info.quotas.subscriptions) return none;
    const edits = [...headers, ...(integration ? [integration.edit] : []), ...(edit ? [edit] : [])];
    if (edits.length === 0) return { none: ACCEPTED_NOW };
    const outcome = subscribedOutcome(world.stores.credentials.byIntegration(judged.integration_id));
    const would_answer = { status: 200, outcome };
    return { correction: { body, credential: null, headers: headersWith(edits), edits, would_answer } };
  }
  return none;
};
