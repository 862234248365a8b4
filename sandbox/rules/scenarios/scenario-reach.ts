import { isWorldName } from "../worlds/world-name.ts";

/** What a call of a scenario may reach. */
export interface Reach {
  /** Where the service is called. */
  readonly address: string;
  /** What it calls itself; its uploads are under it. */
  readonly baseUrl: string;
  /** Whole addresses of uploads that this run prepared. */
  readonly prepared: ReadonlySet<string>;
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Whether a path, with or without its query, is of the control plane, however it is written. */
export const isControlPath = (path: string): boolean =>
  (path.split(/[?#]/, 1)[0] ?? "").split("/").some((segment) => decoded(segment).toLowerCase() === "__sandbox");

/**
 * The address that a route leads to, or why a scenario may not call it (D89): partner routes of the service that it runs
 * against, and uploads that it prepared there.
 *
 * @param route a path behind a slash, or a whole address
 */
export const addressReached = (
  route: string,
  { address, baseUrl, prepared }: Reach,
): { readonly address: string } | { readonly problem: string } => {
  if (prepared.has(route)) return { address: route };
  const url = URL.parse(route.startsWith("/") ? address + route : route);
  if (!url) return { problem: "is no address: it begins with no slash" };
  const own = [address, baseUrl].some((one) => new URL(one).origin === url.origin);
  if (!own) return { problem: `leads to ${url.origin}, which is not the service that the scenario runs against` };
  // It takes a token, which no scenario has: what it may use of it is said as `control`.
  return isControlPath(url.pathname)
    ? { problem: "is of the control plane; what a scenario may use of it is said as control" }
    : { address: url.href };
};

/** What is wrong with the headers of a call; null: nothing. A name that is no world's is for the service to refuse. */
export const headersProblem = (headers: Readonly<Record<string, unknown>>): string | null => {
  const [, world] = Object.entries(headers).find(([name]) => name.toLowerCase() === "x-sandbox-tenant") ?? [];
  return typeof world === "string" && isWorldName(world)
    ? `names the world ${world}; a scenario stays in its own worlds: say world beside call`
    : null;
};
