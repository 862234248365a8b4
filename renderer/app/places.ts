import {
  IconArrowsExchange,
  IconCar,
  IconChecklist,
  IconListDetails,
  IconPlugConnected,
  IconRoute,
  IconSettings,
  IconTerminal,
  IconWebhook,
  IconWorld,
} from "@tabler/icons-react";
import { type ComponentType, createElement, lazy, useState } from "react";
import type { IconOf } from "../components/icon.tsx";

/** What a place gets from its address: `/jobs/:id/:tab`. */
export interface PlaceProps {
  readonly id: string | undefined;
  readonly tab: string | undefined;
}
interface PlaceModule {
  readonly Place: ComponentType<PlaceProps>;
}
export interface PlaceEntry {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly icon: IconOf;
  /** The letter after `g`. */
  readonly letter: string;
  /** The rail draws a line between groups. */
  readonly group?: "tools" | "settings";
  readonly Place: ComponentType<PlaceProps>;
  /** Fetches its code, so that it can be drawn at once. */
  readonly load: () => Promise<PlaceModule>;
}

/** Every place is its own chunk: `features/<name>/place.tsx` exports `Place`. One that is not there is not shown. */
const modules = import.meta.glob<PlaceModule>("../features/*/place.tsx");

/**
 * A place whose code comes when it is needed. Where it is there already it is drawn without suspending: React keeps what
 * it shows meanwhile for 300 ms, however soon the code arrives.
 */
const lazily = (fetchModule: () => Promise<PlaceModule>): Pick<PlaceEntry, "Place" | "load"> => {
  let arrived: ComponentType<PlaceProps> | null = null;
  const load = async (): Promise<PlaceModule> => {
    const module = await fetchModule();
    arrived = module.Place;
    return module;
  };
  // React keeps a failure for good: what could not be fetched is asked for anew when it is drawn again.
  const later = (): ComponentType<PlaceProps> =>
    lazy(async () => {
      try {
        return { default: (await load()).Place };
      } catch (error) {
        Later = later();
        throw error;
      }
    });
  let Later = later();
  const Place = (props: PlaceProps) => {
    // The same for as long as it is mounted: another component would begin anew.
    const [Drawn] = useState<ComponentType<PlaceProps>>(() => arrived ?? Later);
    return createElement(Drawn, props);
  };
  return { Place, load };
};

const known: readonly Omit<PlaceEntry, "Place" | "load">[] = [
  { name: "overview", path: "/", title: "Overview", icon: IconRoute, letter: "o" },
  { name: "install", path: "/install", title: "Install", icon: IconPlugConnected, letter: "i" },
  { name: "jobs", path: "/jobs", title: "Jobs", icon: IconCar, letter: "j" },
  { name: "procurements", path: "/procurements", title: "Procurements", icon: IconArrowsExchange, letter: "p" },
  { name: "webhooks", path: "/webhooks", title: "Webhooks", icon: IconWebhook, letter: "w" },
  { name: "requests", path: "/requests", title: "Requests", icon: IconListDetails, letter: "r", group: "tools" },
  { name: "console", path: "/console", title: "Console", icon: IconTerminal, letter: "c", group: "tools" },
  { name: "scenarios", path: "/scenarios", title: "Scenarios", icon: IconChecklist, letter: "s", group: "tools" },
  { name: "worlds", path: "/worlds", title: "Worlds", icon: IconWorld, letter: "l", group: "tools" },
  { name: "settings", path: "/settings", title: "Settings", icon: IconSettings, letter: "t", group: "settings" },
];

/** The places of the rail, in its order. */
export const places: readonly PlaceEntry[] = known.flatMap((place) => {
  const load = modules[`../features/${place.name}/place.tsx`];
  return load ? [{ ...place, ...lazily(load) }] : [];
});

const galleryModule = modules["../features/gallery/place.tsx"];
/** Every component in every state; reachable by address only. */
export const Gallery = galleryModule ? lazily(galleryModule).Place : null;

/** The place an address' path leads to, if it is there. */
export const placeAt = (address: string): PlaceEntry | undefined =>
  places.find(({ path }) => (path === "/" ? address === "/" : address === path || address.startsWith(`${path}/`)));

/** Fetches the code of the place at an address. Resolves also when it cannot be had: the place says so itself. */
export const loadPlaceAt = async (address: string): Promise<void> => {
  await placeAt(address)
    ?.load()
    .catch(() => undefined);
};

const AFTER_FIRST_USE_MS = 1_000;

/** Fetches the code of all places, once the first one is drawn and of use. */
export const loadPlacesLater = (): void => {
  setTimeout(() => void Promise.allSettled(places.map(({ load }) => load())), AFTER_FIRST_USE_MS);
};

/** Whether the explorer has the place yet: for links that must not lead nowhere. */
export const hasPlace = (name: string): boolean => places.some((place) => place.name === name);

/** Addresses of details, so that nobody writes them by hand. */
export const hrefs = {
  job: (id: string, tab?: string) => `/jobs/${id}${tab ? `/${tab}` : ""}`,
  procurement: (id: string, tab?: string) => `/procurements/${id}${tab ? `/${tab}` : ""}`,
  delivery: (id: string) => `/webhooks/${id}`,
};
