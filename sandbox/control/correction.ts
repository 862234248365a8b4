import type { KnownList } from "../contract/causes/row.ts";
import { findCause } from "../contract/causes.ts";
import type { Correction, Edit, Suggestion } from "../contract/control/explain-operations.ts";
import type { RequestDetail } from "../contract/control/rows.ts";
import type { RefusalReason } from "../contract/errors.ts";
import { explain, findInvalid, findingSentence, findUnknown, isObject } from "../contract/explain.ts";
import { valueAt, withValueAt } from "../contract/json-pointer.ts";
import { similarity } from "../contract/nearest-names.ts";
import type { JobIdentity } from "../contract/resources/job.ts";
import type { BoundHandler } from "../operations/handler.ts";
import { latestBasket } from "../operations/latest-basket.ts";
import { describeSpelling } from "../operations/likely-mistakes.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import type { World } from "../worlds/world.ts";

/** Similarity (0 to 1) from which a value counts as a misspelling. */
const MIN_SIMILARITY = 0.85;
/** The same among the few insurers and sites. */
const MIN_SIMILARITY_OF_FEW = 0.6;
/** Newest records searched for a misspelt reference. */
const MAX_CANDIDATES = 200;
const MAX_EDITS = 20;

interface ProposedCorrection {
  readonly correction: Correction | null;
  readonly suggestions: readonly Suggestion[];
}

class Draft {
  body: unknown;
  readonly edits: Edit[] = [];

  constructor(body: unknown) {
    this.body = body;
  }

  /** @param after undefined removes the field */
  put(pointer: string, after: unknown, reason: string): void {
    const before = valueAt(this.body, pointer);
    const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    this.edits.push({ pointer, ...change, reason });
    this.body = withValueAt(this.body, pointer, after);
  }
}

/** Corrects misspelt names and wrong types, and adds allowed nulls. Null if errors remain. */
const correctNames = (schema: object, body: unknown): Draft | null => {
  const draft = new Draft(body);
  let edits = 0;
  // A renamed field may hold further ones under other names.
  for (let isChanged = true; isChanged && edits <= MAX_EDITS; ) {
    isChanged = false;
    const before = draft.body;
    for (const { path, meant, problem } of findUnknown(schema, before)) {
      edits += 1;
      if (edits > MAX_EDITS) break;
      if (meant === undefined || valueAt(draft.body, meant) !== undefined) continue;
      draft.put(meant, valueAt(before, path), findingSentence({ path, problem }));
      draft.put(path, undefined, findingSentence({ path, problem }));
      isChanged = true;
    }
  }
  for (const { path, problem, ...found } of findInvalid(schema, draft.body)) {
    if (!("should" in found) || draft.edits.length >= MAX_EDITS) break;
    draft.put(path, found.should, findingSentence({ path, problem }));
  }
  return draft.edits.length > 0 && explain(schema, draft.body) === null ? draft : null;
};

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

/** Corrects misspelt references with a single similar candidate; returns the candidates if there are several. */
const correctReferences = (
  world: World,
  caller: CredentialRow,
  known: KnownList,
  draft: Draft,
  at: string,
): Draft | Suggestion[] => {
  const { body } = draft;
  const named = valueAt(body, at);
  const [key] = isObject(named) ? Object.keys(named) : [];
  const pointer = key === undefined ? at : `${at}/${key}`;
  const sent = String(valueAt(body, pointer)).toLowerCase();
  const all = listReferences(world, caller, known, body, pointer);
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
    return draft;
  }
  const listed = near.length > 0 || isOfRecords ? near : all;
  return listed.map(({ value, label }) => ({ pointer, value, label }));
};

/** Guesses the intended call from similar names and the caller's references. */
export const findCorrection = (
  world: World,
  bound: BoundHandler,
  call: RequestDetail,
  body: unknown,
  { cause, pointers, meant }: RefusalReason,
): ProposedCorrection => {
  const caller = world.stores.credentials.findByIntegration(call.integration_id ?? "");
  if (!caller) return { correction: null, suggestions: [] };
  const [pointer = ""] = pointers;
  const { fix, remedy = "" } = findCause(cause) ?? {};
  const renamed = correctNames(bound.operation.request, body);
  let draft: Draft | Suggestion[] | null = cause === "shape" ? renamed : null;
  if (meant) {
    draft = renamed ?? new Draft(body);
    for (const [at, after] of meant) draft.put(at, after, "the value belongs here");
  } else if (typeof fix === "string")
    draft = correctReferences(world, caller, fix, renamed ?? new Draft(body), pointer);
  else if (fix) {
    draft = renamed ?? new Draft(body);
    const [at, after] = fix(pointer, valueAt(draft.body, pointer));
    // A misnamed field may already say what is missing.
    if (pointer.startsWith(at) || valueAt(draft.body, at) === undefined) draft.put(at, after, remedy);
  }
  if (!(draft instanceof Draft)) return { correction: null, suggestions: draft ?? [] };
  return { correction: { body: draft.body, edits: draft.edits }, suggestions: [] };
};
