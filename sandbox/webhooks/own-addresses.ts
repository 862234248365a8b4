import { isLoopbackHost } from "../rules/webhooks/webhook-url.ts";
import type { World } from "../worlds/world.ts";
import { receiverPath } from "./receivers.ts";

const SINK_PATH = "/__webhooks/sink";

/** A path with what is spelt as `%73` read as the server does; as it is where that is no text. */
const pathOf = ({ pathname }: URL): string => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
};

/** Whether an address is one at which the service at `origin` takes notifications itself, however loopback is spelt. */
export const isOwnAddress = (address: string, origin: string): boolean => {
  const [url, own] = [new URL(address), new URL(origin)];
  const path = pathOf(url);
  if (path !== SINK_PATH && !path.startsWith("/__receiver/")) return false;
  const isLocal = isLoopbackHost(url.hostname) && isLoopbackHost(own.hostname);
  return url.origin === own.origin || (isLocal && url.protocol === own.protocol && url.port === own.port);
};

/**
 * The address to which a world's notification goes. To the sink of the service at `origin` it names the world, as another
 * one may have the same integration with another secret.
 */
export const namingWorld = (address: string, world: string, origin: string): string => {
  const url = new URL(address);
  if (pathOf(url) !== SINK_PATH || !isOwnAddress(address, origin)) return address;
  url.searchParams.set("world", world);
  return url.href;
};

/** Notes that addresses of the service itself are subscribed in a world, and which. Call inside a write. */
export const noteOwnAddresses = ({ name, stores }: World, origin: string): void =>
  stores.settings.set("own_addresses", `${origin} ${name}`);

/**
 * Lets a world's subscriptions to the service's own receivers and sink follow the service, which may listen at another
 * port than last time, and the world, which may be a copy of another. Call when a world is open and the service is
 * reached under `origin`; costs a look when nothing moved.
 */
export const followOwnAddresses = (world: World, origin: string): void => {
  const { subscriptions, receivers, settings } = world.stores;
  const [before = "", nameBefore = ""] = settings.get("own_addresses").split(" ");
  if (before === "" || (before === origin && nameBefore === world.name)) return;
  const move = world.db.handle.transaction(() => {
    for (const { id, url, seq } of receivers.list()) {
      const moved = origin + receiverPath(id, world.name);
      receivers.move(seq, moved);
      subscriptions.move(url, moved);
    }
    for (const { url } of subscriptions.list()) {
      const at = new URL(url);
      if (pathOf(at) !== SINK_PATH || !isOwnAddress(url, before)) continue;
      const moved = new URL(SINK_PATH + at.search, origin);
      if (moved.searchParams.has("world")) moved.searchParams.set("world", world.name);
      subscriptions.move(url, moved.href);
    }
    noteOwnAddresses(world, origin);
  });
  move.immediate();
};
