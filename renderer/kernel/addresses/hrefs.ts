import type { DrillName } from "../../../sandbox/contract/drill-names.ts";
import { choice, id, searchParams, text, type ValuesOf } from "../../lib/search-params.ts";
import type { SettingId } from "./settings-list.ts";

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
