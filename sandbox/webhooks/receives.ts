import type { Subscription } from "../contract/control/rows.ts";
import { type EventType, events, eventTypes } from "../contract/event-types.ts";
import type { SubscriptionRecord } from "../storage/subscriptions-store.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";

type EventSubscription = Pick<SubscriptionRecord, "integration_id"> & Partial<Pick<SubscriptionRecord, "event_types">>;

/** Integration IDs named in a sentence. */
const MAX_IDS_NAMED = 3;

/** Unknown integrations looked up in other worlds. */
const MAX_LOOKUPS = 100;

/**
 * Worlds of unknown integrations by ID, limited to visible worlds. Opens none.
 *
 * @param maySee checks a world by name
 */
export const findOtherWorlds = async (
  worlds: Pick<Worlds, "findIntegration">,
  { name, stores }: World,
  ids: readonly string[],
  maySee: (world: string) => boolean,
): Promise<ReadonlyMap<string, string>> => {
  const unknown = [...new Set(ids)].filter((id) => !stores.credentials.findByIntegration(id)).slice(0, MAX_LOOKUPS);
  const found = await Promise.all(
    unknown.map(async (id) => [id, (await worlds.findIntegration(id))?.world ?? name] as const),
  );
  return new Map(found.filter(([, world]) => world !== name && maySee(world)));
};

/** Said because every world has the pre-loaded integrations. */
const THIS_WORLD = "Events of other worlds need a subscription there.";

const listed = (types: readonly EventType[]): string => types.join(" and ");

/** Explains the ID of an organization or a business in place of its integration's; null for other IDs. */
const describeOwner = ({ credentials, directory }: World["stores"], id: string): string | null => {
  const business = directory.business(id);
  const organization = directory.organization(business?.organization_id ?? id);
  if (!organization) return null;
  const what = business ? `the business ${business.name}` : `the organization ${organization.name}`;
  const own = credentials.list().filter(({ organization_id }) => organization_id === organization.id);
  const ids = own.slice(0, MAX_IDS_NAMED).map(({ integration_id }) => `\`${integration_id}\``);
  const instead = ids.length === 0 ? "" : ` Subscribe with its integration ID: ${ids.join(" or ")}.`;
  return `This is the ID of ${what}, not of an integration. Nothing will be sent.${instead}`;
};

/** Event types a subscription receives, or why it receives none. @param others worlds of integrations unknown here */
export const describeReceived = (
  { stores }: World,
  { integration_id, event_types = null }: EventSubscription,
  others: ReadonlyMap<string, string>,
): Subscription["receives"] => {
  const side = stores.credentials.findByIntegration(integration_id)?.scope;
  const other = others.get(integration_id);
  if (side === undefined) {
    const sentence = other
      ? `This integration is in world ${other}, and its events happen there. Nothing will be sent from here.`
      : (describeOwner(stores, integration_id) ?? "No integration has this ID in this world. Nothing will be sent.");
    return { events: [], sentence };
  }
  const subject = side === "repairer" ? "A buyer’s integration" : "A supplier’s integration";
  const ofSide = eventTypes.filter((type) => events[type].side === side);
  const sent = ofSide.filter((type) => event_types?.includes(type) ?? true);
  const sentence =
    sent.length === 0
      ? `${subject} receives ${listed(ofSide)}; this one asks for ${listed(event_types ?? [])}. Nothing will be sent.`
      : `${subject}: receives ${listed(sent)}${sent.length === 1 ? " only" : ""}. ${THIS_WORLD}`;
  return { events: sent, sentence };
};
