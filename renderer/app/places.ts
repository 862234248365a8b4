import { IconArrowsExchange, IconCar, IconPlugConnected, IconRoute, IconWebhook } from "@tabler/icons-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
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
  readonly Place: LazyExoticComponent<ComponentType<PlaceProps>>;
}

/** Every place is its own chunk: `features/<name>/place.tsx` exports `Place`. One that is not there is not shown. */
const modules = import.meta.glob<PlaceModule>("../features/*/place.tsx");

const lazily = (load: () => Promise<PlaceModule>) => lazy(async () => ({ default: (await load()).Place }));

const known: readonly Omit<PlaceEntry, "Place">[] = [
  { name: "overview", path: "/", title: "Overview", icon: IconRoute, letter: "o" },
  { name: "install", path: "/install", title: "Install", icon: IconPlugConnected, letter: "i" },
  { name: "jobs", path: "/jobs", title: "Jobs", icon: IconCar, letter: "j" },
  { name: "procurements", path: "/procurements", title: "Procurements", icon: IconArrowsExchange, letter: "p" },
  { name: "webhooks", path: "/webhooks", title: "Webhooks", icon: IconWebhook, letter: "w" },
];

/** The places of the rail, in its order. */
export const places: readonly PlaceEntry[] = known.flatMap((place) => {
  const load = modules[`../features/${place.name}/place.tsx`];
  return load ? [{ ...place, Place: lazily(load) }] : [];
});

const galleryModule = modules["../features/gallery/place.tsx"];
/** Every component in every state; reachable by address only. */
export const Gallery = galleryModule ? lazily(galleryModule) : null;

/** Whether the explorer has the place yet: for links that must not lead nowhere. */
export const hasPlace = (name: string): boolean => places.some((place) => place.name === name);

/** Addresses of details, so that nobody writes them by hand. */
export const hrefs = {
  job: (id: string, tab?: string) => `/jobs/${id}${tab ? `/${tab}` : ""}`,
  procurement: (id: string, tab?: string) => `/procurements/${id}${tab ? `/${tab}` : ""}`,
  delivery: (id: string) => `/webhooks/${id}`,
};
