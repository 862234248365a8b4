import { queryOptions, skipToken } from "@tanstack/react-query";
import type { DirectoryBusiness } from "../../../sandbox/contract/control/operations.ts";
import type { JobRow, ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import type { JobIdentity } from "../../../sandbox/contract/resources/job.ts";
import { testValueExamples } from "../../../sandbox/contract/test-values.ts";
import { sideWord } from "../../components/side.tsx";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import type { Path } from "../../lib/json-text.ts";
import { callControl, observePartner, type PartnerKey } from "../../lib/service-client.ts";

/** A suggestion of this world: the value and its label. */
interface Pick {
  readonly value: string;
  readonly name: string;
  readonly note: string;
}

const pickKinds = [
  "job",
  "job by its external identifier",
  "order",
  "offer",
  "site",
  "insurer",
  "insurer by its name",
  "integration",
  "client",
  "test value",
] as const;
type PickKind = (typeof pickKinds)[number];

const byName: Readonly<Record<string, PickKind>> = {
  job_id: "job",
  procurement_id: "order",
  sellable_ids: "offer",
  sellable_id: "offer",
  repairer_site_id: "site",
  work_provider_id: "insurer",
  work_provider_contract: "insurer by its name",
  integration_id: "integration",
  client_id: "client",
};

const identityPick = (operation: string, holder: string, name: string): PickKind | null => {
  const isJob = holder === "job_identity" || operation.startsWith("repairer.jobs.");
  if (name === "external") return isJob ? "job by its external identifier" : null;
  if (name !== "id") return null;
  return isJob ? "job" : "order";
};

/** Returns the kind of record that a field names, if the world can suggest any. */
export const fieldPickKind = (operation: string, path: Path): PickKind | null => {
  const names = path.filter((step) => typeof step === "string");
  const name = names.at(-1) ?? "";
  const holder = names.at(-2);
  if (operation === "repairer.jobs.insert" && name === "claim_number") return "test value";
  if (holder === "identity" || holder === "job_identity")
    return names[0] === "parts" ? null : identityPick(operation, holder, name);
  return byName[name] ?? null;
};

const jobLabel = ({ job_number, plate_number, claim_number }: JobRow): string =>
  [job_number, plate_number].filter((one) => one !== null).join(" · ") || (claim_number ?? "a job without a number");

const orderLabel = ({ reference, job_number, supplier }: ProcurementRow): string =>
  `${reference ?? job_number ?? "an order without a reference"} · ${supplier.name}`;

const LISTED = 20;

interface PickRequest {
  readonly world: string;
  readonly kind: PickKind;
  /** The typed or current text. */
  readonly text: string;
  /** The body's job, whose latest basket contains the suggested offers. */
  readonly job: unknown;
  readonly key: PartnerKey | null;
}
type Read = (request: PickRequest, signal: AbortSignal) => Promise<readonly Pick[]>;

/** Filters a short list by the typed text. */
const filterPicks = (all: readonly Pick[], text: string): readonly Pick[] => {
  const typed = text.trim().toLowerCase();
  return all.filter(({ value, name, note }) => `${value} ${name} ${note}`.toLowerCase().includes(typed));
};

const jobs: Read = async ({ world, kind, text }, signal) => {
  const { items } = await callControl("jobs.list", { search: text, limit: LISTED, world }, { signal });
  return items.flatMap((row) => {
    const value = kind === "job" ? row.id : row.external_id;
    return value === null ? [] : [{ value, name: jobLabel(row), note: row.site.name }];
  });
};

const orders: Read = async ({ world, text }, signal) => {
  const { items } = await callControl("procurements.list", { search: text, limit: LISTED, world }, { signal });
  return items.map((row) => ({ value: row.id, name: orderLabel(row), note: row.status.replace("order_", "") }));
};

const businesses =
  (type: DirectoryBusiness["type"], written: (one: DirectoryBusiness) => string): Read =>
  async ({ world, text }, signal) => {
    const { items } = await callControl("directory.list", { world }, { signal });
    const own = items.filter((one) => one.type === type);
    return filterPicks(
      own.map((one) => ({ value: written(one), name: one.name, note: "" })),
      text,
    );
  };

const readers: Readonly<Record<PickKind, Read>> = {
  job: jobs,
  "job by its external identifier": jobs,
  order: orders,
  offer: async ({ world, job, key, text }, signal) => {
    const request = { job_identity: job as JobIdentity };
    const basket = await observePartner("repairer.jobs.baskets.latest.get", request, { world, key }, { signal });
    const sellers = new Map(basket.suppliers.map(({ business_id, name }) => [business_id, name]));
    const all = basket.offers.map(({ sellable_id, name, trade_price, supplier_business_id }) => ({
      value: sellable_id,
      name,
      note: `${trade_price}, ${sellers.get(supplier_business_id) ?? "an unknown supplier"}`,
    }));
    return filterPicks(all, text);
  },
  site: businesses("repairer_site", ({ id }) => id),
  insurer: businesses("insurer", ({ organization_id }) => organization_id),
  "insurer by its name": businesses("insurer", ({ name }) => name),
  integration: async ({ world, text }, signal) => {
    const { items } = await callControl("credentials.list", { world }, { signal });
    const all = items.map(({ integration_id, organization_name, scope, key_hint }) => ({
      value: integration_id,
      name: organization_name,
      note: `${sideWord(scope).toLowerCase()}, ${key_hint}`,
    }));
    return filterPicks(all, text);
  },
  "test value": async ({ text }) =>
    filterPicks(
      testValueExamples.map(({ value, outcome }) => ({ value, name: value, note: outcome })),
      text,
    ),
  client: async ({ world, text }, signal) => {
    const { items } = await callControl("clients.list", { world }, { signal });
    return filterPicks(
      items.map(({ client_id, name }) => ({ value: client_id, name, note: "" })),
      text,
    );
  },
};

/** Suggestions for a field by the typed text; empty for a field without suggestions, or when the service doesn't respond. */
export const picksQuery = (request: Omit<PickRequest, "kind"> & { readonly kind: PickKind | null }) => {
  const { world, kind, text, job, key } = request;
  return queryOptions({
    // Not under a key that the feed invalidates: every mounted field would be fetched again after each change.
    queryKey: [...worldKeys(world).all, "picks", kind, text, kind === "offer" ? [job, key?.integration_id] : null],
    queryFn: kind === null ? skipToken : ({ signal }) => readers[kind]({ world, kind, text, job, key }, signal),
    staleTime: 10_000,
    retry: false,
  });
};
