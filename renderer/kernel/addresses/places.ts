import {
  IconArrowsExchange,
  IconCar,
  IconChecklist,
  IconHeartbeat,
  IconListDetails,
  IconPlugConnected,
  IconRoute,
  IconSettings,
  IconTerminal,
  IconWebhook,
  IconWorld,
} from "@tabler/icons-react";
import type { IconOf } from "../../components/icon.tsx";
import { worldAccess } from "../../lib/world-access.ts";

/** Path parameters of a place: `/jobs/:id/:tab`. */
export interface PlaceProps {
  readonly id: string | undefined;
  readonly tab: string | undefined;
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
}

/** All places, in the order of the rail. */
export const places: readonly PlaceEntry[] = [
  { name: "overview", path: "/", title: "Overview", icon: IconRoute, letter: "o" },
  { name: "install", path: "/install", title: "Install", icon: IconPlugConnected, letter: "i" },
  { name: "jobs", path: "/jobs", title: "Jobs", icon: IconCar, letter: "j" },
  { name: "procurements", path: "/procurements", title: "Orders", icon: IconArrowsExchange, letter: "p" },
  { name: "webhooks", path: "/webhooks", title: "Webhooks", icon: IconWebhook, letter: "w" },
  { name: "requests", path: "/requests", title: "Requests", icon: IconListDetails, letter: "r", group: "tools" },
  { name: "console", path: "/console", title: "Console", icon: IconTerminal, letter: "c", group: "tools" },
  { name: "scenarios", path: "/scenarios", title: "Scenarios", icon: IconChecklist, letter: "s", group: "tools" },
  { name: "worlds", path: "/worlds", title: "Worlds", icon: IconWorld, letter: "l", group: "tools" },
  { name: "activity", path: "/activity", title: "Activity", icon: IconHeartbeat, letter: "a", group: "tools" },
  { name: "settings", path: "/settings", title: "Settings", icon: IconSettings, letter: "t", group: "settings" },
];

/** Scenarios and runs belong to the service, not to a world. */
const operatorPlaces = new Set(["scenarios"]);

/** Returns whether this window's token opens the place. */
export const isOpen = ({ name }: PlaceEntry): boolean => worldAccess() === null || !operatorPlaces.has(name);
export const openPlaces = (): readonly PlaceEntry[] => places.filter(isOpen);

export const placeAt = (address: string): PlaceEntry | undefined =>
  places.find(({ path }) => (path === "/" ? address === "/" : address === path || address.startsWith(`${path}/`)));
