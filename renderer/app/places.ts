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
import type { QueryClient } from "@tanstack/react-query";
import { type ComponentType, createElement } from "react";
import type { DrillName } from "../../sandbox/contract/drill-names.ts";
import type { IconOf } from "../components/icon.tsx";
import { Skeletons } from "../components/read.tsx";
import { late } from "../lib/late.ts";
import { choice, id, searchParams, text, type ValuesOf } from "../lib/search-params.ts";
import { worldAccess } from "../lib/world-access.ts";
import type { SettingId } from "./settings-list.ts";

/** What a place gets from its address: `/jobs/:id/:tab`. */
export interface PlaceProps {
  readonly id: string | undefined;
  readonly tab: string | undefined;
}
interface PlaceModule {
  readonly Place: ComponentType<PlaceProps>;
  /** Reads what its address shows first, so that it is drawn with it. */
  readonly prefetch?: (client: QueryClient, world: string, at: PlaceProps) => readonly Promise<unknown>[];
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
  /** Fetches its code, so that it can be drawn at once. Resolves also when it cannot be had. */
  readonly preload: () => Promise<void>;
  readonly prefetch: NonNullable<PlaceModule["prefetch"]>;
}

/** Every place is its own chunk: `features/<name>/place.tsx` exports `Place`. One that is not there is not shown. */
const modules = import.meta.glob<PlaceModule>("../features/*/place.tsx");

const known: readonly Omit<PlaceEntry, "Place" | "preload" | "prefetch">[] = [
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

/** Every place there is, in the order of the rail. */
export const places: readonly PlaceEntry[] = known.flatMap((place) => {
  const fetchModule = modules[`../features/${place.name}/place.tsx`];
  if (!fetchModule) return [];
  let prefetch: PlaceModule["prefetch"];
  const { Part, preload } = late(
    async () => {
      const code = await fetchModule();
      prefetch = code.prefetch;
      return code.Place;
    },
    () => createElement(Skeletons, { what: place.title, rows: 6 }),
  );
  return [{ ...place, Place: Part, preload, prefetch: (...of) => prefetch?.(...of) ?? [] }];
});

/** Scenarios and runs are the service's, not a world's. */
const ofTheOperator = new Set(["scenarios"]);

/** The places that this window's token opens. */
export const openPlaces = (): readonly PlaceEntry[] =>
  worldAccess() === null ? places : places.filter(({ name }) => !ofTheOperator.has(name));

/** The place an address' path leads to, if it is there. */
export const placeAt = (address: string): PlaceEntry | undefined =>
  places.find(({ path }) => (path === "/" ? address === "/" : address === path || address.startsWith(`${path}/`)));

/**
 * What an address of Install says: whose install is shown, whose key is wanted, who waits for it and under which name;
 * and what the consent page sent back.
 */
export const installParams = searchParams({
  sides: choice(["repairer", "supplier"]),
  organization: id,
  scope: choice(["repairer", "supplier"]),
  back: text,
  back_label: text,
  code: text,
  state: text,
  error: text,
});
export type InstallParams = ValuesOf<typeof installParams>;

/** Ends the address of an order whose confirmation is wanted. */
export const CONFIRMING = "#confirm";

/** Addresses of details, so that nobody writes them by hand. */
export const hrefs = {
  /** The Overview of the window's world. */
  home: "/",
  /** The pages beside the explorer, which open in a tab of their own. */
  help: "/help/",
  helpOfError: (code: string, cause: string | null) =>
    `/help/reference/errors/${encodeURIComponent(code)}/${cause === null ? "" : `#${cause}`}`,
  install: (asked: Partial<InstallParams>) => `/install${installParams.format("", asked)}`,
  /** The list, narrowed to those of a repairer. */
  jobsOf: (organization: string) => `/jobs?organization=${organization}`,
  /** The list, narrowed to those that an organization insures. */
  jobsInsuredBy: (organization: string) => `/jobs?insurer=${organization}`,
  job: (id: string, tab?: string) => `/jobs/${id}${tab ? `/${tab}` : ""}`,
  procurement: (id: string, tab?: string) => `/procurements/${id}${tab ? `/${tab}` : ""}`,
  confirmation: (id: string) => `/procurements/${id}${CONFIRMING}`,
  request: (id: string, tab?: string) => `/requests/${id}${tab ? `/${tab}` : ""}`,
  world: (name: string) => `/worlds/${name}`,
  /** The Console, with its import of calls open. */
  importCalls: "/console?import",
  scenarios: "/scenarios",
  /** The story of one order, played. */
  story: "/scenarios/install-and-first-order/story",
  activity: "/activity",
  /** Calls to worlds that don't exist, with a text in them. */
  strays: (text: string) => `/activity?strays=${encodeURIComponent(text)}`,
  scenario: (name: string, tab?: string) => `/scenarios/${name}${tab ? `/${tab}` : ""}`,
  setting: (id: SettingId) => `/settings/${id}`,
  /** A world beside another or, by its name, beside a snapshot of its own. */
  compareWorld: (world: string, snapshot?: string) =>
    `/worlds/${world}/compare${snapshot === undefined ? "" : `?snapshot=${encodeURIComponent(snapshot)}`}`,
  /** Where the clock of a world is moved. */
  clock: (world: string) => `/worlds/${world}/clock`,
  faults: (world: string) => `/worlds/${world}/faults`,
  /** One assumption among those of a world, by its switch or by its decision. */
  assumption: (world: string, of: string) => `/worlds/${world}/${of}`,
  console: (operation: string) => `/console/${operation}`,
  /** The operations that a text names, among them by the errors they give. */
  consoleSearch: (typed: string) => `/console?search=${encodeURIComponent(typed)}`,
  /** Where a call is taken out of what another program wrote. */
  importCall: "/console?import",
  /** How ready each integration is. */
  integrations: "/install/integrations",
  /** What one integration has met, and what is left. */
  integration: (id: string) => `/install/integrations/${id}`,
  delivery: (id: string) => `/webhooks/${id}`,
  /** A subscription with its scorecard, or one drill of it. */
  subscription: (id: string, drill: DrillName | null = null) =>
    `/webhooks/subscriptions/${id}${drill === null ? "" : `?drill=${drill}`}`,
  /** The feed, narrowed to those of a state, or to those of a subscription. */
  deliveries: (status: "pending" | "failed") => `/webhooks?status=${status}`,
  deliveriesTo: (subscription: string, status?: "failed") =>
    `/webhooks?${status === undefined ? "" : `status=${status}&`}subscription=${subscription}`,
};
