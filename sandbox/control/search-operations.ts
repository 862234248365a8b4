import type { RequestRow } from "../contract/control/rows.ts";
import { type SearchHit, searchEverywhere, searchKinds } from "../contract/control/search-operations.ts";
import { spellings } from "../storage/folded.ts";
import { searchableJobs } from "../storage/jobs-store.ts";
import { searchableProcurements } from "../storage/procurements-store.ts";
import { bestMatch, byMatch, type Match, type Searched, searched, searchList } from "../storage/search.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control } from "./handler.ts";

interface Asked {
  readonly world: World;
  readonly of: Searched;
  readonly limit: number;
}

/** So many rows of what has no index of its text are looked at, the newest. */
const MOST_LOOKED_AT = 2_000;

const line = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(" · ");

const jobs = ({ world, of, limit }: Asked): SearchHit[] => {
  const { db, stores } = world;
  return searchList(db, searchableJobs, of, limit, stores.jobs.named(of.typed)).flatMap(({ seq, ...match }) => {
    const job = stores.jobs.at(seq);
    if (!job) return [];
    const { job_number, external_id, claim_number, vehicle, repairer_site_id, organization_id } = job;
    const label = job_number ?? external_id ?? job.id;
    const values = { external_id, claim_number, chassis_number: vehicle?.chassis_number } as const;
    const matched = values[match.matched_field as keyof typeof values];
    const detail = line(
      vehicle?.plate_number,
      matched === label ? null : matched,
      stores.directory.site(repairer_site_id, organization_id)?.name,
    );
    return [{ kind: "job", id: job.id, label, detail, ...match }];
  });
};

const procurements = ({ world, of, limit }: Asked): SearchHit[] =>
  searchList(world.db, searchableProcurements, of, limit).flatMap(({ seq, ...match }) => {
    const record = world.stores.procurements.at(seq);
    if (!record) return [];
    const job = world.stores.jobs.get(record.job_id);
    const matched = match.matched_field === "job_number" ? job?.job_number : null;
    const detail = line(job?.vehicle?.plate_number, matched, record.supplier_business_name, record.status);
    return [{ kind: "procurement", id: record.id, label: record.reference ?? record.id, detail, ...match }];
  });

/** Organizations, insurers among them, also by the names of their businesses. */
const organizations = ({ world, of }: Asked): SearchHit[] =>
  world.stores.directory.organizations().flatMap(({ id, name, scope }) => {
    const businesses = world.stores.directory.businessesOf(id).map((business) => ({
      label: business.name,
      detail: business.name === name ? "" : name,
      match: bestMatch({ name: business.name }, {}, of),
    }));
    const [best] = [{ label: name, detail: "", match: bestMatch({ name }, { id }, of) }, ...businesses]
      .flatMap(({ match, ...named }) => (match ? [{ ...named, ...match }] : []))
      .sort(byMatch);
    return best ? [{ kind: scope === null ? "insurer" : "organization", id, ...best }] : [];
  });

const integrations = ({ world, of }: Asked): SearchHit[] =>
  world.stores.credentials.newest(MOST_LOOKED_AT).flatMap(({ integration_id, organization_id, scope, client_id }) => {
    const label = world.stores.directory.organization(organization_id)?.name ?? "";
    const match = bestMatch({ organization_name: label, client_id }, { integration_id }, of);
    return match ? [{ kind: "integration", id: integration_id, label, detail: line(scope, client_id), ...match }] : [];
  });

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
  const { world, of, limit } = asked;
  if (of.id === null) return [];
  const { requests, outbox, events, drills } = world.stores;
  const [from, below] = of.id;
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

const subscriptions = ({ world, of }: Asked): SearchHit[] =>
  world.stores.subscriptions.newest(MOST_LOOKED_AT).flatMap(({ id, integration_id, url }) => {
    const match = bestMatch({ url }, { id, integration_id }, of);
    if (!match) return [];
    const organization = world.stores.credentials.byIntegration(integration_id)?.organization_id ?? "";
    const detail = world.stores.directory.organization(organization)?.name ?? "";
    return [{ kind: "subscription", id, label: url, detail, ...match }];
  });

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
  control(searchEverywhere, ({ world }, { query, limit = 6 }) => {
    const all = spellings(query.trim()).map((typed): Asked => ({ world, of: searched(typed), limit }));
    return {
      items: ranked(
        all.flatMap((asked) => searches.flatMap((search) => search(asked))),
        limit,
      ),
    };
  }),
];
