import { ActsStore } from "./acts-store.ts";
import { ClockStore } from "./clock-store.ts";
import { type CredentialRow, CredentialsStore } from "./credentials-store.ts";
import type { Database } from "./database.ts";
import { DirectoryStore } from "./directory-store.ts";
import { DrillsStore } from "./drills-store.ts";
import { EventsStore } from "./events-store.ts";
import { JobsStore } from "./jobs-store.ts";
import { LogStore } from "./log-store.ts";
import { OutboxStore } from "./outbox-store.ts";
import { PartsStore } from "./parts-store.ts";
import { ProcurementsStore } from "./procurements-store.ts";
import { ReceiversStore } from "./receivers-store.ts";
import { RequestsStore } from "./requests-store.ts";
import { SettingsStore } from "./settings-store.ts";
import { SubscriptionsStore } from "./subscriptions-store.ts";
import { UploadsStore } from "./uploads-store.ts";
import { VehiclesStore } from "./vehicles-store.ts";

/** All stores of one world, on one connection. */
export interface Stores {
  readonly settings: SettingsStore;
  readonly directory: DirectoryStore;
  readonly credentials: CredentialsStore;
  readonly jobs: JobsStore;
  readonly parts: PartsStore;
  readonly procurements: ProcurementsStore;
  readonly vehicles: VehiclesStore;
  readonly uploads: UploadsStore;
  readonly subscriptions: SubscriptionsStore;
  readonly outbox: OutboxStore;
  readonly events: EventsStore;
  readonly drills: DrillsStore;
  readonly receivers: ReceiversStore;
  readonly requests: RequestsStore;
  readonly log: LogStore;
  readonly clock: ClockStore;
  readonly acts: ActsStore;
}

/** Name of an integration's organization; null if unknown. */
export const findOrganizationName = (
  { credentials, directory }: Stores,
  integrationId: string | null,
): string | null => {
  const organization =
    integrationId === null ? undefined : credentials.findByIntegration(integrationId)?.organization_id;
  return (organization === undefined ? undefined : directory.organization(organization)?.name) ?? null;
};

/** @param installed called for each new credential, before its commit */
export const openStores = (db: Database, installed: (row: CredentialRow) => void = () => undefined): Stores => {
  const subscriptions = new SubscriptionsStore(db);
  const [outbox, events, requests] = [new OutboxStore(db), new EventsStore(db), new RequestsStore(db)];
  return {
    settings: new SettingsStore(db),
    directory: new DirectoryStore(db),
    credentials: new CredentialsStore(db, (row) => {
      subscriptions.clearCache();
      installed(row);
    }),
    jobs: new JobsStore(db),
    parts: new PartsStore(db),
    procurements: new ProcurementsStore(db),
    vehicles: new VehiclesStore(db),
    uploads: new UploadsStore(db),
    subscriptions,
    outbox,
    events,
    drills: new DrillsStore(db),
    receivers: new ReceiversStore(db),
    requests,
    log: new LogStore(db, requests, events, outbox),
    clock: new ClockStore(db),
    acts: new ActsStore(db),
  };
};
