import type { StrayCall } from "../contract/control/activity-operations.ts";
import { isRefused } from "../contract/control/exchange-kinds.ts";
import type { SearchHit } from "../contract/control/explain-operations.ts";
import type { RequestRow } from "../contract/control/rows.ts";
import type { ActivityLog } from "../storage/activity-log.ts";
import { foldCase } from "../storage/folded.ts";
import { jobList } from "../storage/jobs-store.ts";
import { findPage, type List } from "../storage/lists.ts";
import { procurementList } from "../storage/procurements-store.ts";
import { requestList, requestQuery } from "../storage/requests-store.ts";
import { idRange } from "../storage/search.ts";
import type { SlicedRead } from "../storage/slices.ts";
import type { World } from "../worlds/world.ts";
import { parseRecordedBody } from "./accepted-warnings.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";

/** Maximum hits of each kind. */
const MAX_HITS = 6;
/** Newest rows scanned where no text index exists. */
const MAX_SCANNED = 2_000;
/** Other worlds searched if the requested one has no match, the most recently used first. */
const MAX_OTHER_WORLDS = 32;
/** Time after which no other world is searched: those of other nodes are read from the database first. */
const OTHER_WORLDS_MS = 2_000;
/** Characters shown of a matching value. */
const MAX_VALUE_CHARS = 64;

interface SearchQuery {
  readonly world: World;
  readonly typed: string;
  /** Range of IDs with the typed prefix, if it can be one. */
  readonly id: ReturnType<typeof idRange>;
  /** Worlds that a reason may name. */
  readonly maySee: ControlContext["maySee"];
}

const line = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(" · ");

/** First rows of a list's search. */
function* findSeqs({ world, typed }: SearchQuery, list: List, sort: string): SlicedRead<readonly number[]> {
  const order = { sort, descending: true };
  const query = { search: typed, conditions: [], order, after: null, limit: MAX_HITS };
  return (yield* findPage(world.db, list, query)).seqs;
}

/** Puts the job with exactly this number first, because thousands may contain the text. */
function* jobs(query: SearchQuery): SlicedRead<SearchHit[]> {
  const { stores } = query.world;
  const seqs = [...stores.jobs.findSeqsByName(query.typed), ...(yield* findSeqs(query, jobList, "updated"))];
  return [...new Set(seqs)].flatMap((seq): SearchHit[] => {
    const job = stores.jobs.at(seq);
    if (!job) return [];
    const { id, job_number, external_id, claim_number, vehicle, repairer_site_id, organization_id } = job;
    const site = stores.directory.site(repairer_site_id, organization_id)?.name;
    const detail = line(vehicle?.plate_number, claim_number, job_number === null ? null : external_id, site);
    return [{ kind: "job", id, label: job_number ?? external_id ?? id, detail }];
  });
}

function* procurements(query: SearchQuery): SlicedRead<SearchHit[]> {
  const { stores } = query.world;
  return (yield* findSeqs(query, procurementList, "created")).flatMap((seq): SearchHit[] => {
    const record = stores.procurements.at(seq);
    if (!record) return [];
    const { id, reference, supplier_business_name, status } = record;
    const job = stores.jobs.get(record.job_id);
    const detail = line(job?.vehicle?.plate_number, job?.job_number, supplier_business_name, status);
    return [{ kind: "procurement", id, label: reference ?? id, detail }];
  });
}

/** Checks whether a text contains the query, or an ID starts with it. */
const isMatch = ({ typed, id }: SearchQuery, texts: readonly (string | null)[], ids: readonly string[]): boolean =>
  texts.some((text) => text !== null && foldCase(text).includes(foldCase(typed))) ||
  (id !== null && ids.some((one) => one.startsWith(id[0])));

/** Organizations and insurers, also by the names of their businesses. */
const organizations = (query: SearchQuery): SearchHit[] => {
  const { directory } = query.world.stores;
  return directory.organizations().flatMap(({ id, name, scope }): SearchHit[] => {
    const named = [name, ...directory.listBusinesses(id).map((business) => business.name)];
    const label = named.find((one) => isMatch(query, [one], [id]));
    if (label === undefined) return [];
    return [{ kind: scope === null ? "insurer" : "organization", id, label, detail: label === name ? "" : name }];
  });
};

const integrations = (query: SearchQuery): SearchHit[] => {
  const { credentials, directory } = query.world.stores;
  return credentials.list(MAX_SCANNED).flatMap(({ integration_id: id, organization_id, scope, client_id }) => {
    const label = directory.organization(organization_id)?.name ?? "";
    if (!isMatch(query, [label, client_id], [id])) return [];
    return [{ kind: "integration", id, label, detail: line(scope, client_id) }];
  });
};

const subscriptions = (query: SearchQuery): SearchHit[] => {
  const { subscriptions: store, credentials, directory } = query.world.stores;
  return store.newest(MAX_SCANNED).flatMap(({ id, integration_id, url }) => {
    if (!isMatch(query, [url], [id, integration_id])) return [];
    const organization = credentials.findByIntegration(integration_id)?.organization_id ?? "";
    return [{ kind: "subscription", id, label: url, detail: directory.organization(organization)?.name ?? "" }];
  });
};

/** All strings of a JSON value. */
const listTexts = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value
      ? Object.values(value).flatMap(listTexts)
      : [];

/** Matching value of the call's body or headers, such as a plate or a user agent. */
const findMatchingValue = ({ world, typed }: SearchQuery, { id }: RequestRow): string | undefined => {
  const detail = world.stores.requests.get(id);
  if (!detail) return undefined;
  const folded = foldCase(typed);
  const values = [...listTexts(parseRecordedBody(detail)?.value), ...detail.request_headers.map(([, value]) => value)];
  return values.find((value) => foldCase(value).includes(folded))?.slice(0, MAX_VALUE_CHARS);
};

const requestHit = (query: SearchQuery, row: RequestRow): SearchHit => {
  const { id, operation, method, path, status, label, at, integration_id } = row;
  const { credentials, directory } = query.world.stores;
  const caller = integration_id === null ? undefined : credentials.findByIntegration(integration_id)?.organization_id;
  const about = new Set([findMatchingValue(query, row), label].filter(Boolean));
  const why = isRefused(row) ? (row.reason ?? row.outcome) : "";
  return {
    ...{ kind: "request", id, label: operation ?? `${method} ${path}` },
    detail: line(String(status), ...about, caller && directory.organization(caller)?.name),
    ...(why === "" ? {} : { reason: why }),
    at,
  };
};

/** Calls, events, deliveries and drills with the typed ID or prefix. */
const findOnWire = (query: SearchQuery): SearchHit[] => {
  const { world, id } = query;
  if (id === null) return [];
  const call = (row: RequestRow) => requestHit(query, row);
  const { requests, outbox, events, drills } = world.stores;
  const [from, below] = id;
  const foundEvents = events.between(from, below, MAX_HITS);
  const deliveries = [
    ...outbox.idsBetween(from, below, MAX_HITS),
    // Test events and drills have no call, so they are found by their delivery.
    ...foundEvents.flatMap(({ delivery_id }) => delivery_id ?? []),
    ...[drills.get(from)?.delivery_id ?? []].flat(),
  ];
  return [
    ...requests.between(from, below, MAX_HITS).map(call),
    ...foundEvents.flatMap(({ trace_id }) => requests.findByTrace(trace_id) ?? []).map(call),
    ...deliveries.flatMap((deliveryId): SearchHit[] => {
      const delivery = outbox.delivery(deliveryId);
      if (!delivery) return [];
      const { event_type, label, status, url } = delivery;
      return [{ kind: "delivery", id: deliveryId, label, detail: line(event_type, status, url) }];
    }),
  ];
};

/**
 * Refused calls by their content. Support often asks about values that were never stored: a plate, a claim, a user
 * agent.
 */
function* findRefusedCalls(searched: SearchQuery): SlicedRead<SearchHit[]> {
  const { world, typed, maySee } = searched;
  const query = { ...requestQuery(world.db, { search: typed, refused: true }), after: null, limit: MAX_HITS };
  const { seqs } = yield* findPage(world.db, requestList, query);
  return seqs.flatMap((seq) => world.stores.requests.at(seq, maySee) ?? []).map((row) => requestHit(searched, row));
}

/** Newest calls to unknown worlds with a text in any value, ignoring case. Parses only those whose JSON contains it. */
export const findStrays = async (activity: ActivityLog, text: string, limit: number): Promise<StrayCall[]> => {
  const folded = foldCase(text);
  const written = JSON.stringify(folded).slice(1, -1);
  const found: StrayCall[] = [];
  for (const json of await activity.strays()) {
    if (found.length === limit) break;
    if (!foldCase(json).includes(written)) continue;
    const call = JSON.parse(json) as StrayCall;
    if (listTexts(call).some((value) => foldCase(value).includes(folded))) found.push(call);
  }
  return found;
};

const strayHit = ({ id, at, world, operation, method, path, status, reason }: StrayCall): SearchHit => ({
  ...{ kind: "stray", id, label: operation ?? `${method} ${path}`, at },
  detail: line(String(status), `${world}, which doesn’t exist`),
  ...(reason === null ? {} : { reason }),
});

/** Unique hits, up to the limit of each kind. */
const limitEachKind = (hits: readonly SearchHit[]): SearchHit[] => {
  const unique = [...new Map(hits.map((hit) => [`${hit.kind} ${hit.id}`, hit])).values()];
  return [...Map.groupBy(unique, ({ kind }) => kind).values()].flatMap((ofKind) => ofKind.slice(0, MAX_HITS));
};

function* searchAll(query: SearchQuery): SlicedRead<SearchHit[]> {
  const hits = [...(yield* jobs(query)), ...(yield* procurements(query)), ...organizations(query)];
  for (const search of [integrations, findOnWire]) {
    yield;
    hits.push(...search(query));
  }
  hits.push(...(yield* findRefusedCalls(query)));
  yield;
  return limitEachKind([...hits, ...subscriptions(query)]);
}

/** Kinds whose matches in the requested world make a search of others unnecessary. */
const recordKinds: readonly SearchHit["kind"][] = ["job", "procurement", "request", "delivery"];
const isRecord = ({ kind }: SearchHit): boolean => recordKinds.includes(kind);
/** Checks whether a hit of another world is none of the seed's, which every world has. */
const isOnlyThere = (here: World, hit: SearchHit): boolean =>
  hit.kind === "integration"
    ? here.stores.credentials.findByIntegration(hit.id) === undefined
    : hit.kind === "subscription" || isRecord(hit);

/** Records of other worlds: support knows a job's number or an integration's ID, but often not its world. */
const searchOtherWorlds = async (
  { world: here, worlds, worldName, maySee, inSlices }: ControlContext,
  typed: string,
): Promise<{ readonly items: SearchHit[]; readonly skipped_worlds: number }> => {
  const others = (await worlds.listAll())
    .filter(({ name }) => name !== worldName && maySee(name))
    .sort((one, other) => other.last_active_at - one.last_active_at);
  const until = performance.now() + OTHER_WORLDS_MS;
  const found: SearchHit[] = [];
  let searched = 0;
  for (const { name } of others.slice(0, MAX_OTHER_WORLDS)) {
    if (found.length >= MAX_HITS || performance.now() > until) break;
    const search = (world: World) => inSlices(() => searchAll({ world, typed, id: idRange(typed), maySee }));
    const hits = (await worlds.peek(name, search)) ?? [];
    found.push(...hits.filter((hit) => isOnlyThere(here, hit)).map((hit) => ({ ...hit, world: name })));
    searched += 1;
  }
  return { items: limitEachKind(found), skipped_worlds: others.length - searched };
};

/** Search over the service's data. The explorer searches its own pages itself. */
export const searchControls: readonly BoundControl[] = [
  control("search.everywhere", async (context, { query }) => {
    const { world, inSlices, activity, caller, maySee } = context;
    const typed = query.trim();
    const own = await inSlices(() => searchAll({ world, typed, id: idRange(typed), maySee }));
    const others = own.some(isRecord) ? { items: [], skipped_worlds: 0 } : await searchOtherWorlds(context, typed);
    // Wrong world names in others' calls must not reach a partner's token.
    const strays = caller.token === null ? await findStrays(activity, typed, MAX_HITS) : [];
    return { ...others, items: [...own, ...others.items, ...strays.map(strayHit)] };
  }),
];
