import type { DrillName } from "../../../sandbox/contract/drill-names.ts";
import { choice, id, searchParams, text, type ValuesOf } from "../../lib/search-params.ts";
import type { SettingId } from "./settings-list.ts";

/**
 * Parameters of Install: the shown organization, the requested side, the address to return to and its label; and the
 * consent page's result.
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

/** Fragment of an order's address that opens its confirmation. */
export const CONFIRMING = "#confirm";

/** The scenario whose story the Overview links to. */
export const STORY_SCENARIO = "install-and-first-order";

/** Addresses of the explorer, built in one place. */
export const hrefs = {
  /** The Overview of the window's world. */
  home: "/",
  /** Pages outside the explorer; they open in a new tab. */
  help: "/help/",
  helpOfError: (code: string, cause: string | null) =>
    `/help/reference/errors/${encodeURIComponent(code)}/${cause === null ? "" : `#${cause}`}`,
  helpOfFaults: "/help/how-to/faults-and-clock/",
  install: (params: Partial<InstallParams>) => `/install${installParams.format("", params)}`,
  /** The list, filtered by buyer. */
  jobsOf: (organization: string) => `/jobs?organization=${organization}`,
  /** The list, filtered by insurer. */
  jobsInsuredBy: (organization: string) => `/jobs?insurer=${organization}`,
  job: (id: string, tab?: string) => `/jobs/${id}${tab ? `/${tab}` : ""}`,
  procurement: (id: string, tab?: string) => `/procurements/${id}${tab ? `/${tab}` : ""}`,
  confirmation: (id: string) => `/procurements/${id}${CONFIRMING}`,
  request: (id: string, tab?: string) => `/requests/${id}${tab ? `/${tab}` : ""}`,
  world: (name: string) => `/worlds/${name}`,
  /** The Console, with its import of calls open. */
  importCalls: "/console?form=import",
  scenarios: "/scenarios",
  /** The story of one order, played. */
  story: `/scenarios/${STORY_SCENARIO}/story`,
  activity: "/activity",
  /** Calls to worlds that don't exist, filtered by a text. */
  strays: (text: string) => `/activity?strays=${encodeURIComponent(text)}`,
  scenario: (name: string, tab?: string) => `/scenarios/${name}${tab ? `/${tab}` : ""}`,
  setting: (id: SettingId) => `/settings/${id}`,
  /** Compares a world with another, or with a named snapshot of its own. */
  compareWorld: (world: string, snapshot?: string) =>
    `/worlds/${world}/compare${snapshot === undefined ? "" : `?snapshot=${encodeURIComponent(snapshot)}`}`,
  /** The place that moves a world's clock. */
  clock: (world: string) => `/worlds/${world}/clock`,
  faults: (world: string) => `/worlds/${world}/faults`,
  counterparts: (world: string) => `/worlds/${world}/counterparts`,
  /** An assumption of a world, by its setting or its decision. */
  assumption: (world: string, of: string) => `/worlds/${world}/${of}`,
  console: (operation: string) => `/console/${operation}`,
  /** The operations that match a text, also by their errors. */
  consoleSearch: (typed: string) => `/console?search=${encodeURIComponent(typed)}`,
  /** Readiness reports of all integrations. */
  integrations: "/install/integrations",
  /** The readiness report of one integration. */
  integration: (id: string) => `/install/integrations/${id}`,
  delivery: (id: string) => `/webhooks/${id}`,
  /** A subscription with its scorecard, or one of its drills. */
  subscription: (id: string, drill: DrillName | null = null) =>
    `/webhooks/subscriptions/${id}${drill === null ? "" : `?drill=${drill}`}`,
  /** Deliveries, filtered by state. */
  deliveries: (status: "pending" | "failed") => `/webhooks?status=${status}`,
  deliveriesTo: (subscription: string, status?: "failed") =>
    `/webhooks?${status === undefined ? "" : `status=${status}&`}subscription=${subscription}`,
};
