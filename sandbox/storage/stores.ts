import { CredentialsStore } from "./credentials-store.ts";
import type { Database } from "./database.ts";
import { DirectoryStore } from "./directory-store.ts";
import { JobsStore } from "./jobs-store.ts";
import { LogStore } from "./log-store.ts";
import { MetaStore } from "./meta-store.ts";
import { OutboxStore } from "./outbox-store.ts";
import { PartsStore } from "./parts-store.ts";
import { ProcurementsStore } from "./procurements-store.ts";
import { RequestsStore } from "./requests-store.ts";
import { SubscriptionsStore } from "./subscriptions-store.ts";
import { UploadsStore } from "./uploads-store.ts";
import { VehiclesStore } from "./vehicles-store.ts";

/** Every store of one world, over one connection. */
export interface Stores {
  readonly meta: MetaStore;
  readonly directory: DirectoryStore;
  readonly credentials: CredentialsStore;
  readonly jobs: JobsStore;
  readonly parts: PartsStore;
  readonly procurements: ProcurementsStore;
  readonly vehicles: VehiclesStore;
  readonly uploads: UploadsStore;
  readonly subscriptions: SubscriptionsStore;
  readonly outbox: OutboxStore;
  readonly requests: RequestsStore;
  readonly log: LogStore;
}

export const openStores = (db: Database): Stores => ({
  meta: new MetaStore(db),
  directory: new DirectoryStore(db),
  credentials: new CredentialsStore(db),
  jobs: new JobsStore(db),
  parts: new PartsStore(db),
  procurements: new ProcurementsStore(db),
  vehicles: new VehiclesStore(db),
  uploads: new UploadsStore(db),
  subscriptions: new SubscriptionsStore(db),
  outbox: new OutboxStore(db),
  requests: new RequestsStore(db),
  log: new LogStore(db),
});
