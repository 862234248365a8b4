import { isLoopbackHost } from "../rules/webhooks/webhook-url.ts";
import type { World } from "../worlds/world.ts";
import { receiverPath } from "./receivers.ts";

const SINK_PATH = "/__webhooks/sink";

/** Decodes a path as the server does; returns it unchanged if it's malformed. */
const decodePath = ({ pathname }: URL): string => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
};

/** Checks whether an address is a receiver of the service at `origin`, in any spelling of loopback. */
export const isOwnAddress = (address: string, origin: string): boolean => {
  const [url, own] = [new URL(address), new URL(origin)];
  const path = decodePath(url);
  if (path !== SINK_PATH && !path.startsWith("/__receiver/")) return false;
  const isLocal = isLoopbackHost(url.hostname) && isLoopbackHost(own.hostname);
  return url.origin === own.origin || (isLocal && url.protocol === own.protocol && url.port === own.port);
};

/**
 * The loopback address of a receiver of the service at `origin` that is named by one of the service's other `names`
 * (D95); null for any other address. Kept under that address, it is reached without looking the name up.
 */
export const toLoopback = (address: string, origin: string, names: readonly string[]): string | null => {
  if (!URL.canParse(address) || !isLoopbackHost(new URL(origin).hostname)) return null;
  const url = new URL(address);
  if (!names.includes(url.hostname)) return null;
  url.hostname = new URL(origin).hostname;
  return isOwnAddress(url.href, origin) ? url.href : null;
};

/**
 * Target address of a notification. Adds the world for the test receiver of the service at `origin`, because another
 * world may have the same integration with another secret.
 */
export const addWorldToAddress = (address: string, world: string, origin: string): string => {
  const url = new URL(address);
  if (decodePath(url) !== SINK_PATH || !isOwnAddress(address, origin)) return address;
  url.searchParams.set("world", world);
  return url.href;
};

/** Records that a world has subscriptions to the service itself. Call inside a write. */
export const noteOwnAddresses = ({ name, stores }: World, origin: string): void =>
  stores.settings.set("own_addresses", `${origin} ${name}`);

/**
 * Updates a world's subscriptions to the service's own receivers after a change of port or name, for example in a copy.
 * Call when the world is open and the service's `origin` is known. Cheap if nothing changed.
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
      if (decodePath(at) !== SINK_PATH || !isOwnAddress(url, before)) continue;
      const moved = new URL(SINK_PATH + at.search, origin);
      if (moved.searchParams.has("world")) moved.searchParams.set("world", world.name);
      subscriptions.move(url, moved.href);
    }
    noteOwnAddresses(world, origin);
  });
  move.immediate();
};
