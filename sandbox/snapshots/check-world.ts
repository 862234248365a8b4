import type { TSchema } from "typebox";
import * as Type from "typebox";
import { faultsList } from "../contract/control/fault-operations.ts";
import { FaultFiring } from "../contract/control/fault-rows.ts";
import {
  clientsList,
  credentialsList,
  deliveriesGet,
  deliveriesList,
  directoryList,
  eventsList,
  jobsList,
  organizationsList,
  procurementsList,
  requestsGet,
  requestsList,
  subscriptionsList,
  tier1List,
  uploadsList,
} from "../contract/control/operations.ts";
import { drillsGet, drillsList, receiversList, receiversReceived } from "../contract/control/receiver-operations.ts";
import { DrillRow } from "../contract/control/receiver-rows.ts";
import { retentionGet } from "../contract/control/retention-operations.ts";
import { DeliveryRow, EventRow, RequestRow, StateChange } from "../contract/control/rows.ts";
import { clockGet, policiesGet } from "../contract/control/world-operations.ts";
import { Refusal } from "../contract/errors.ts";
import type { LiveEntry, LiveKind } from "../contract/live.ts";
import type { Operation } from "../contract/operation.ts";
import {
  basketsLatestGet,
  businessesList,
  jobsGet,
  partsList,
  repairerProcurementsGet,
  repairerProcurementsList,
  supplierProcurementsGet,
  workProvidersList,
} from "../contract/operations/partner.ts";
import { Address } from "../contract/resources/procurement.ts";
import { isAbsoluteUrl } from "../contract/schema.ts";
import type { ControlContext } from "../control/handler.ts";
import { controlHandlers } from "../control/registry.ts";
import { execute } from "../operations/execute.ts";
import { partnerHandlers } from "../operations/registry.ts";
import { violation } from "../operations/validation.ts";
import type { Database } from "../storage/database.ts";
import { entryOf } from "../storage/log-store.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import { BadSettingError } from "../storage/settings-store.ts";
import { World } from "../worlds/world.ts";
import { type OnProgress, WorkRefusal } from "./work.ts";

type Row = Readonly<Record<string, unknown>>;

/** A list of the control plane, and what is read of each of its rows. */
interface Reading {
  readonly list: Operation;
  readonly body?: Row;
  readonly each?: (row: Row) => readonly (readonly [operation: Operation, body: Row, as?: unknown])[];
}

const identity = ({ id }: Row): Row => ({ identity: { id } });
const ofJob = ({ id }: Row): Row => ({ job_identity: { id } });
const partyOf = (row: Row, side: string): unknown => (row[side] as Row | undefined)?.organization_id;

const readings: readonly Reading[] = [
  { list: organizationsList },
  { list: clientsList, body: { reveal: true } },
  {
    list: credentialsList,
    body: { reveal: true },
    each: ({ organization_id, scope }) =>
      scope === "repairer"
        ? [
            [businessesList, {}, organization_id],
            [workProvidersList, {}, organization_id],
          ]
        : [],
  },
  ...[directoryList, policiesGet, clockGet, retentionGet, faultsList, tier1List, uploadsList].map((list) => ({ list })),
  {
    list: jobsList,
    each: (row) => [
      [jobsGet, identity(row), row.organization_id],
      [partsList, ofJob(row), row.organization_id],
      [basketsLatestGet, ofJob(row), row.organization_id],
      [repairerProcurementsList, ofJob(row), row.organization_id],
    ],
  },
  {
    list: procurementsList,
    each: (row) => [
      [repairerProcurementsGet, identity(row), partyOf(row, "buyer")],
      [supplierProcurementsGet, identity(row), partyOf(row, "supplier")],
    ],
  },
  { list: subscriptionsList, each: ({ id }) => [[drillsList, { subscription_id: id }]] },
  { list: eventsList, body: { limit: 500 } },
  { list: deliveriesList, each: ({ id }) => [[deliveriesGet, { id }]] },
  { list: requestsList, body: { limit: 500 }, each: ({ id }) => [[requestsGet, { id }]] },
  { list: receiversList, each: ({ id }) => [[receiversReceived, { id, limit: 500 }]] },
];

/** What an entry of each kind in the log carries. */
const entries: Record<LiveKind, TSchema> = {
  request: RequestRow,
  state: StateChange,
  event: EventRow,
  delivery: DeliveryRow,
  drill: DrillRow,
  fault: FaultFiring,
  world: Type.Object({ what: Type.String() }),
};

const unreadable = (what: string, problem: string): WorkRefusal =>
  new WorkRefusal("unprocessable", `/document/tables do not hold together: ${what}: ${problem}`);

/** Carries out the reads of a world that nobody else has open, and holds each answer to its declaration. */
class Reader {
  readonly #world: World;
  readonly #keys: ReadonlyMap<string, { readonly integration_id: string; readonly api_key: string }>;

  constructor(world: World) {
    this.#world = world;
    this.#keys = new Map(
      world.stores.credentials.list().map((one) => [`${one.scope} ${one.organization_id}`, one] as const),
    );
  }

  /** @param as the organization that asks for an operation of partners */
  async read(operation: Operation, body: Row, as?: unknown): Promise<Row | null> {
    const what = `${operation.id} of ${JSON.stringify(body).slice(0, 200)}`;
    // An id that the operation itself would refuse.
    const unaskable = violation(operation.request, body);
    if (unaskable !== null) throw unreadable(what, unaskable);
    let answer: unknown;
    try {
      answer = await (operation.surface === "control"
        ? this.#control(operation, body)
        : this.#partner(operation, body, as));
    } catch {
      throw unreadable(what, "there is no answer to it");
    }
    if (answer === null) return null;
    if (answer instanceof Refusal) throw unreadable(what, answer.message ?? answer.code);
    const problem = violation(operation.response, JSON.parse(JSON.stringify(answer)));
    if (problem !== null) throw unreadable(what, problem);
    return answer as Row;
  }

  #control(operation: Operation, body: Row): unknown {
    const bound = controlHandlers.find((one) => one.operation === operation);
    // Reads of a world know the world, and where the service can be reached.
    const context = { world: this.#world, info: { baseUrl: "http://localhost" } } as ControlContext;
    return bound?.handle(context, body as never);
  }

  /** Null where nobody holds a key who could ask. */
  async #partner(operation: Operation, body: Row, organization: unknown): Promise<unknown> {
    const bound = partnerHandlers.find((one) => one.operation === operation);
    const scope = operation.scope === "supplier" ? "supplier" : "repairer";
    const key = this.#keys.get(`${scope} ${organization}`);
    if (!bound || !key) return null;
    const { value } = await execute(bound, {
      world: this.#world,
      baseUrl: "http://localhost",
      traceId: "",
      signUpload: () => "",
      credentials: { authorization: `Bearer ${key.api_key}`, integrationId: key.integration_id },
      contentType: undefined,
      body: Buffer.from(JSON.stringify(body)),
    });
    return value;
  }
}

const readList = async (reader: Reader, { list, body = {}, each }: Reading): Promise<void> => {
  let cursor: unknown;
  do {
    const page = await reader.read(list, cursor === undefined ? body : { ...body, cursor });
    for (const row of each ? ((page?.items ?? []) as Row[]) : [])
      for (const [operation, of, as] of each?.(row) ?? []) await reader.read(operation, of, as);
    cursor = page?.next_cursor ?? undefined;
  } while (cursor !== undefined);
};

const checkLog = ({ stores }: World): void => {
  const after = (id: number): LiveEntry[] => {
    try {
      return stores.log.after(id, 1_000).map(entryOf);
    } catch {
      throw unreadable("the log", `what follows its entry ${id} cannot be read`);
    }
  };
  for (let page = after(0); page.length > 0; page = after(page.at(-1)?.id ?? 0)) {
    for (const { id, kind, data } of page) {
      const problem = Object.hasOwn(entries, kind) ? violation(entries[kind], data) : "/kind is unknown";
      if (problem !== null) throw unreadable(`the log's entry ${id}`, problem);
    }
  }
};

/** Addresses that are notified, or are to be. */
const checkAddresses = (db: Database): void => {
  for (const table of ["subscriptions", "receivers"])
    for (const { id, url } of db.all<{ id: string; url: string }>(`SELECT seq AS id, url FROM ${table}`))
      if (!isAbsoluteUrl(url)) throw unreadable(`row ${id} of ${table}`, "/url must be an absolute http or https URL");
};

/** What a procurement takes over of the site that orders. */
const OrderingSite = Type.Object({ address: Address, currency_code: Type.String({ pattern: "^[A-Z]{3}$" }) });

const checkSites = ({ db, stores }: World): void => {
  const sites = db.all<{ id: string; organization_id: string }>(
    "SELECT id, organization_id FROM businesses WHERE type = 'repairer_site'",
  );
  for (const { id, organization_id } of sites) {
    let site: unknown;
    try {
      site = stores.directory.site(id, organization_id);
    } catch {
      throw unreadable(`the site ${id} of businesses`, "/address must be JSON");
    }
    const problem = violation(OrderingSite, site);
    if (problem !== null) throw unreadable(`the site ${id} of businesses`, problem);
  }
};

/** Opens what was imported as the world it will be. */
const openWorld = (db: Database): World => {
  if (db.epoch === 0) throw new WorkRefusal("unprocessable", "/document/tables must hold meta with the world's epoch");
  try {
    return new World("imported", db, { published: () => undefined, troubled: () => undefined });
  } catch (error) {
    if (!(error instanceof BadSettingError)) throw error;
    throw unreadable("meta", error.message);
  }
};

/**
 * Reads all there is in a world, as its callers and the explorer will.
 *
 * @returns how much there is in it
 * @throws WorkRefusal when anything cannot be read
 */
export const checkWorld = async (db: Database, onProgress: OnProgress): Promise<WorldSummary> => {
  const world = openWorld(db);
  try {
    checkAddresses(db);
    checkSites(world);
    const reader = new Reader(world);
    for (const [index, reading] of readings.entries()) {
      await readList(reader, reading);
      onProgress((index + 1) / readings.length);
    }
    for (const { id } of db.all<{ id: string }>("SELECT id FROM drills")) await reader.read(drillsGet, { id });
    checkLog(world);
    const { directory, credentials } = world.stores;
    if (directory.organizations().length === 0 || credentials.list().length === 0)
      throw new WorkRefusal("unprocessable", "/document/tables must hold organizations and credentials");
    return world.summary();
  } finally {
    world.close();
  }
};
