import { isLoopbackHost } from "../rules/webhook-url.ts";
import { DEFAULT_WORLD } from "../rules/world-name.ts";
import type { World } from "../worlds/world.ts";
import { receiverPath } from "./receiver.ts";

/** The paths under which this service takes notifications itself. */
const OWN_PATH = /^\/__(webhooks\/sink$|receiver\/)/;

/** Whether an address is one at which the service at `origin` takes notifications itself, however loopback is spelt. */
export const isOwnAddress = (address: string, origin: string): boolean => {
  const [url, own] = [new URL(address), new URL(origin)];
  if (!OWN_PATH.test(url.pathname)) return false;
  if (url.origin === own.origin) return true;
  const sameDoor = url.protocol === own.protocol && url.port === own.port;
  return sameDoor && isLoopbackHost(url.hostname) && isLoopbackHost(own.hostname);
};

/** The same address at another origin; of two on this machine the port alone differs, its name stays as it was spelt. */
const movedTo = (address: string, origin: string): string => {
  const [url, own] = [new URL(address), new URL(origin)];
  const local = isLoopbackHost(url.hostname) && isLoopbackHost(own.hostname);
  const base = local ? `${own.protocol}//${url.hostname}${own.port === "" ? "" : `:${own.port}`}` : own.origin;
  return base + url.pathname + url.search;
};

/** Where a world's own addresses lead: to a service, with the world's name in the address. */
const ledBy = (world: World, origin: string): string => `${origin} ${world.name}`;

/** Notes that addresses of the service itself are subscribed in a world. Call inside a write. */
export const noteOwnAddresses = (world: World, origin: string): void =>
  world.stores.settings.set("own_addresses", ledBy(world, origin));

/**
 * Lets a world's subscriptions to the service's own receivers and sink follow the service, which may listen at another
 * port than last time, and the world, which may be a copy of another. Call when a world is open and the service is
 * reached under `origin`; costs a look when nothing moved.
 */
export const followOwnAddresses = (world: World, origin: string): void => {
  const { subscriptions, receivers, settings } = world.stores;
  const before = settings.get("own_addresses");
  const now = ledBy(world, origin);
  if (before === "" || before === now) return;
  const made = receivers.list();
  const [originBefore = origin] = before.split(" ", 1);
  const move = world.db.handle.transaction(() => {
    for (const { id, url, seq } of made) {
      const moved = origin + receiverPath(id, world.name, DEFAULT_WORLD);
      receivers.move(seq, moved);
      subscriptions.move(url, moved);
    }
    const others = new Set(subscriptions.list().map(({ url }) => url));
    for (const { url } of made) others.delete(url);
    for (const url of others) if (isOwnAddress(url, originBefore)) subscriptions.move(url, movedTo(url, origin));
    settings.set("own_addresses", now);
  });
  move.immediate();
};
