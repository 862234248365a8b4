import type { KnownList } from "../contract/causes/row.ts";
import { findCause } from "../contract/causes.ts";
import type { Correction, Edit, Suggestion } from "../contract/control/explain-operations.ts";
import type { RequestDetail } from "../contract/control/rows.ts";
import type { RefusalReason } from "../contract/errors.ts";
import { explain, isObject } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { similarity } from "../contract/nearest-names.ts";
import type { JobIdentity } from "../contract/resources/job.ts";
import { correctBody, type Draft } from "../operations/corrected-body.ts";
import type { BoundHandler } from "../operations/handler.ts";
import { latestBasket } from "../operations/latest-basket.ts";
import { describeSpelling } from "../operations/likely-mistakes.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import type { World } from "../worlds/world.ts";

/** Similarity (0 to 1) from which a value counts as a misspelling. */
const MIN_SIMILARITY = 0.85;
/** Lower for insurers and sites, because there are few of them. */
const MIN_SIMILARITY_OF_FEW = 0.6;
/** Newest records searched for a misspelt reference. */
const MAX_CANDIDATES = 200;

export interface ProposedCorrection {
  /** The whole body; null if errors would remain. */
  readonly correction: Correction | null;
  /** Known corrections, even if errors remain. */
  readonly edits: readonly Edit[];
  readonly suggestions: readonly Suggestion[];
}
export const NO_CORRECTION: ProposedCorrection = { correction: null, edits: [], suggestions: [] };

type Reference = Pick<Suggestion, "value" | "label">;

/** References the caller can use, newest first: its own records, or data every caller may read. */
const listReferences = (
  world: World,
  caller: CredentialRow,
  known: KnownList,
  body: unknown,
  pointer: string,
): Reference[] => {
  const { db, stores } = world;
  const own = (table: "jobs" | "procurements", column: string, owner: string): Reference[] =>
    db
      .all<{ value: string }>(
        `SELECT value FROM (SELECT ${column} AS value, ${owner} AS owner FROM ${table} ORDER BY seq DESC LIMIT ${MAX_CANDIDATES})
         WHERE owner = ? AND length(value) <= 100`,
        caller.organization_id,
      )
      .map(({ value }) => ({ value, label: value }));
  switch (known) {
    case "jobs":
      return own("jobs", pointer.endsWith("/external") ? "external_id" : "id", "organization_id");
    case "procurements":
      return own(
        "procurements",
        "id",
        caller.scope === "repairer" ? "buyer_organization_id" : "supplier_organization_id",
      );
    case "insurers": {
      const key = pointer === "/work_provider_id" ? "organization_id" : "name";
      return stores.directory.insurers().map((one) => ({ value: one[key], label: one.name }));
    }
    case "sites":
      return stores.directory
        .listBusinesses(caller.organization_id)
        .filter(({ type }) => type === "repairer_site")
        .map(({ id, name }) => ({ value: id, label: name }));
    case "offers": {
      const { job_identity } = body as { readonly job_identity: JobIdentity };
      const job = stores.jobs.find(job_identity, caller.organization_id);
      const basketContext = { stores, policies: world.policies, note: () => undefined };
      const { offers } = job ? latestBasket(basketContext, job) : { offers: [] };
      return offers.map(({ sellable_id, name }) => ({ value: sellable_id, label: name }));
    }
  }
};

/** Corrects a misspelt reference with a single similar candidate; returns the candidates if there are several. */
const correctReferences = (
  world: World,
  caller: CredentialRow,
  known: KnownList,
  draft: Draft,
  at: string,
): Suggestion[] | null => {
  const { body } = draft;
  const named = valueAt(body, at);
  const [key] = isObject(named) ? Object.keys(named) : [];
  const pointer = key === undefined ? at : `${at}/${key}`;
  const value = valueAt(body, pointer);
  const sent = String(value).toLowerCase();
  // The sent value may exist by now.
  const all = listReferences(world, caller, known, body, pointer).filter((one) => one.value !== value);
  const isOfRecords = known === "jobs" || known === "procurements";
  const least = isOfRecords ? MIN_SIMILARITY : MIN_SIMILARITY_OF_FEW;
  const near = all
    .map((one) => ({ ...one, alike: similarity(sent, one.value.toLowerCase()) }))
    .filter(({ alike }) => alike >= least)
    .toSorted((one, other) => other.alike - one.alike);
  const [only, another] = near;
  const spelled = another ? undefined : all.find(({ value }) => describeSpelling(sent, value.toLowerCase()));
  const isExact = only?.value.toLowerCase() === sent.trim();
  const meant = spelled ?? (isExact || !another ? only : undefined);
  if (meant) {
    draft.put(pointer, meant.value, `nearest known: ${meant.label}`);
    return null;
  }
  const listed = near.length > 0 || isOfRecords ? near : all;
  return listed.map(({ value, label }) => ({ pointer, value, label }));
};

/** Corrects the further mistake if its cause says how. */
const correctNext = (draft: Draft, next: RefusalReason["next"]): void => {
  const [pointer = ""] = next?.pointers ?? [];
  const { fix, remedy = "" } = findCause(next?.cause) ?? {};
  if (typeof fix === "function") draft.put(...fix(pointer, valueAt(draft.body, pointer)), remedy);
};

/** Guesses the intended call from similar names and the caller's references. */
export const findCorrection = (
  world: World,
  bound: BoundHandler,
  call: RequestDetail,
  body: unknown,
  { cause, pointers, meant, next }: RefusalReason,
): ProposedCorrection => {
  const [pointer = ""] = pointers;
  const { fix, remedy = "" } = findCause(cause) ?? {};
  const { request } = bound.operation;
  const draft = correctBody(request, body, meant);
  if (cause === "shape" || meant) {
    correctNext(draft, next);
    const isWhole = draft.edits.length > 0 && explain(request, draft.body) === null;
    return { ...NO_CORRECTION, edits: draft.edits, correction: isWhole ? draft : null };
  }
  if (!fix) return NO_CORRECTION;
  if (typeof fix === "string") {
    const caller = world.stores.credentials.findByIntegration(call.integration_id ?? "");
    if (!caller) return NO_CORRECTION;
    const suggestions = correctReferences(world, caller, fix, draft, pointer);
    return suggestions
      ? { ...NO_CORRECTION, suggestions }
      : { ...NO_CORRECTION, edits: draft.edits, correction: draft };
  }
  const [at, after] = fix(pointer, valueAt(draft.body, pointer));
  // A misnamed field may already say what is missing.
  if (pointer.startsWith(at) || valueAt(draft.body, at) === undefined) draft.put(at, after, remedy);
  return { ...NO_CORRECTION, edits: draft.edits, correction: draft };
};
