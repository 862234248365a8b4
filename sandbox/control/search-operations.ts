import type { RequestRow } from "../contract/control/rows.ts";
import { type SearchHit, searchEverywhere, searchKinds, searchMatches } from "../contract/control/search-operations.ts";
import { folded, spellings } from "../storage/folded.ts";
import { searchableJobs } from "../storage/jobs-store.ts";
import { searchableProcurements } from "../storage/procurements-store.ts";
import { idRange, newestBlocks, rowsIn, type Searchable, seek } from "../storage/search.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control } from "./handler.ts";

/** Which field matched, and how well. */
type Match = Pick<SearchHit, "matched_field" | "match">;

interface Asked {
  readonly world: World;
  readonly typed: string;
  /** What identifiers begin with, where it can be the beginning of one. */
  readonly id: readonly [from: string, below: string] | null;
  readonly limit: number;
}

/** So many rows of what has no index of its text are looked at, the newest. */
const MOST_LOOKED_AT = 2_000;
/** Of more rows that match, the newest are ranked. */
const MOST_RANKED = 200;

const rank = ({ match }: Match): number => searchMatches.indexOf(match);

/** The better matches first; equal ones stay in their order. */
const byMatch = (one: Match, other: Match): number => rank(one) - rank(other);

const textMatch = (field: string, value: string | null | undefined, typed: string): Match[] => {
  const [text, own] = [folded(typed), folded(value ?? "")];
  const at = own.indexOf(text);
  if (at < 0) return [];
  return [{ matched_field: field, match: at > 0 ? "contains" : own === text ? "exact" : "prefix" }];
};

const idMatch = (field: string, id: string, range: Asked["id"]): Match[] =>
  range !== null && id.startsWith(range[0])
    ? [{ matched_field: field, match: id === range[0] ? "exact" : "prefix" }]
    : [];

/** The best match of some texts and identifiers by their fields, or null. */
const bestMatch = (
  texts: Readonly<Record<string, string | null | undefined>>,
  ids: Readonly<Record<string, string>>,
  { typed, id }: Asked,
): Match | null =>
  [
    ...Object.entries(texts).flatMap(([field, value]) => textMatch(field, value, typed)),
    ...Object.entries(ids).flatMap(([field, value]) => idMatch(field, value, id)),
  ].sort(byMatch)[0] ?? null;

const line = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(" · ");

/** The newest rows of a list that match, those of `also` among them. */
const rowsOf = async (
  list: Searchable,
  { world: { db }, typed }: Asked,
  also: readonly number[],
): Promise<number[]> => {
  const { condition, blocks } = await seek(db, list, typed);
  const { seqs } = await rowsIn(db, list, blocks ?? newestBlocks(db, list, MOST_LOOKED_AT), condition, MOST_RANKED);
  return [...new Set([...seqs, ...also])].sort((one, other) => other - one);
};

const jobs = async (asked: Asked): Promise<SearchHit[]> => {
  const { stores } = asked.world;
  // Of thousands that contain it, the one that it is the number of comes first.
  const seqs = await rowsOf(searchableJobs, asked, stores.jobs.named(asked.typed));
  return seqs.flatMap((seq): SearchHit[] => {
    const job = stores.jobs.at(seq);
    if (!job) return [];
    const { id, job_number, external_id, claim_number, vehicle, repairer_site_id, organization_id } = job;
    const shown = { external_id, claim_number, chassis_number: vehicle?.chassis_number };
    const match = bestMatch({ job_number, plate_number: vehicle?.plate_number, ...shown }, { id }, asked);
    if (!match) return [];
    const label = job_number ?? external_id ?? id;
    const matched = shown[match.matched_field as keyof typeof shown];
    const site = stores.directory.site(repairer_site_id, organization_id)?.name;
    return [
      {
        kind: "job",
        id,
        label,
        detail: line(vehicle?.plate_number, matched === label ? null : matched, site),
        ...match,
      },
    ];
  });
};

const procurements = async (asked: Asked): Promise<SearchHit[]> => {
  const { stores } = asked.world;
  return (await rowsOf(searchableProcurements, asked, [])).flatMap((seq): SearchHit[] => {
    const record = stores.procurements.at(seq);
    if (!record) return [];
    const { id, reference, supplier_business_name: supplier_name, status } = record;
    const job = stores.jobs.get(record.job_id);
    const [plate_number, job_number] = [job?.vehicle?.plate_number, job?.job_number];
    const match = bestMatch({ reference, plate_number, job_number, supplier_name }, { id }, asked);
    if (!match) return [];
    const matched = match.matched_field === "job_number" ? job_number : null;
    const detail = line(plate_number, matched, supplier_name, status);
    return [{ kind: "procurement", id, label: reference ?? id, detail, ...match }];
  });
};

/** Organizations, insurers among them, also by the names of their businesses. */
const organizations = (asked: Asked): SearchHit[] => {
  const { directory } = asked.world.stores;
  return directory.organizations().flatMap(({ id, name, scope }): SearchHit[] => {
    const businesses = directory.businessesOf(id).map((business) => ({
      label: business.name,
      detail: business.name === name ? "" : name,
      match: bestMatch({ name: business.name }, {}, asked),
    }));
    const [best] = [{ label: name, detail: "", match: bestMatch({ name }, { id }, asked) }, ...businesses]
      .flatMap(({ match, ...named }) => (match ? [{ ...named, ...match }] : []))
      .sort(byMatch);
    return best ? [{ kind: scope === null ? "insurer" : "organization", id, ...best }] : [];
  });
};

const integrations = (asked: Asked): SearchHit[] => {
  const { credentials, directory } = asked.world.stores;
  return credentials.newest(MOST_LOOKED_AT).flatMap(({ integration_id, organization_id, scope, client_id }) => {
    const label = directory.organization(organization_id)?.name ?? "";
    const match = bestMatch({ organization_name: label, client_id }, { integration_id }, asked);
    return match ? [{ kind: "integration", id: integration_id, label, detail: line(scope, client_id), ...match }] : [];
  });
};

const requestHit = (row: RequestRow, match: Match): SearchHit => ({
  kind: "request",
  id: row.id,
  label: row.operation ?? `${row.method} ${row.path}`,
  detail: line(String(row.status), row.side, row.label, row.at),
  ...match,
});

/** A delivery; with its whole identifier also the call that it began with. */
const deliveryHits = ({ world: { stores } }: Asked, id: string, match: Match): SearchHit[] => {
  const delivery = stores.outbox.delivery(id);
  if (!delivery) return [];
  const { event, status, url } = delivery;
  const hit = {
    kind: "delivery" as const,
    id,
    label: event.label,
    detail: line(event.event_type, status, url),
    ...match,
  };
  const call = match.match === "exact" ? stores.requests.ofTrace(event.trace_id) : undefined;
  return call ? [hit, requestHit(call, match)] : [hit];
};

/** What an identifier is of that something on the wire has, whole or by what it begins with. */
const byIdentifier = (asked: Asked): SearchHit[] => {
  const { world, id: range, limit } = asked;
  if (range === null) return [];
  const { requests, outbox, events, drills } = world.stores;
  const [from, below] = range;
  const matched = (matched_field: string, id: string): Match => ({
    matched_field,
    match: id === from ? "exact" : "prefix",
  });
  return [
    ...requests.between(from, below, limit).map((row) => requestHit(row, matched("id", row.id))),
    ...outbox.idsBetween(from, below, limit).flatMap((id) => deliveryHits(asked, id, matched("id", id))),
    ...outbox
      .messagesBetween(from, below, limit)
      .flatMap(({ id, message_id }) => deliveryHits(asked, id, matched("message_id", message_id))),
    ...events.between(from, below, limit).flatMap(({ id, trace_id, delivery_id }) => {
      const request = requests.ofTrace(trace_id);
      if (request) return [requestHit(request, matched("event_id", id))];
      return delivery_id === null ? [] : deliveryHits(asked, delivery_id, matched("event_id", id));
    }),
    ...(drills.get(from) ? deliveryHits(asked, drills.get(from)?.delivery_id ?? "", matched("drill_id", from)) : []),
  ];
};

const subscriptions = (asked: Asked): SearchHit[] => {
  const { subscriptions: store, credentials, directory } = asked.world.stores;
  return store.newest(MOST_LOOKED_AT).flatMap(({ id, integration_id, url }) => {
    const match = bestMatch({ url }, { id, integration_id }, asked);
    if (!match) return [];
    const organization = credentials.byIntegration(integration_id)?.organization_id ?? "";
    const detail = directory.organization(organization)?.name ?? "";
    return [{ kind: "subscription", id, label: url, detail, ...match }];
  });
};

/** Each thing once, by its best match, and of each kind at most so many. */
const ranked = (hits: readonly SearchHit[], limit: number): SearchHit[] => {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  return hits
    .toSorted((one, other) => byMatch(one, other) || searchKinds.indexOf(one.kind) - searchKinds.indexOf(other.kind))
    .filter(({ kind, id }) => {
      const counted = counts.get(kind) ?? 0;
      if (seen.has(`${kind} ${id}`) || counted === limit) return false;
      seen.add(`${kind} ${id}`);
      counts.set(kind, counted + 1);
      return true;
    });
};

const searches = [jobs, procurements, organizations, integrations, byIdentifier, subscriptions];

/** The search over everything the service knows; what the explorer knows by itself it finds by itself. */
export const searchControls: readonly BoundControl[] = [
  control(searchEverywhere, async ({ world }, { query, limit = 6 }) => {
    const hits: SearchHit[] = [];
    for (const typed of spellings(query.trim()))
      for (const search of searches) hits.push(...(await search({ world, typed, id: idRange(typed), limit })));
    return { items: ranked(hits, limit) };
  }),
];
