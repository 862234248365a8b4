import { isWorldName } from "../worlds/world-name.ts";

/** Addresses a scenario may call. */
interface Reach {
  /** Address for calls to the service. */
  readonly address: string;
  /** The service's own base URL, with its uploads below it. */
  readonly baseUrl: string;
  /** Upload URLs prepared in this run. */
  readonly prepared: ReadonlySet<string>;
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Checks whether a path, with or without a query, is in the control plane, in any encoding. */
export const isControlPath = (path: string): boolean =>
  (path.split(/[?#]/, 1)[0] ?? "").split("/").some((segment) => decoded(segment).toLowerCase() === "__sandbox");

/**
 * Resolves a step's route, or explains why a scenario may not call it (D89). Allowed: partner routes of the service
 * under test, and uploads it prepared.
 *
 * @param route a path with a leading slash, or a URL
 */
export const resolveRoute = (
  route: string,
  { address, baseUrl, prepared }: Reach,
): { readonly address: string } | { readonly problem: string } => {
  if (prepared.has(route)) return { address: route };
  const url = URL.parse(route.startsWith("/") ? address + route : route);
  if (!url) return { problem: "is not an address: it must begin with a slash" };
  const own = [address, baseUrl].some((one) => new URL(one).origin === url.origin);
  if (!own) return { problem: `leads to ${url.origin}, which is not the service that the scenario runs against` };
  // The control plane needs a token, which scenarios don't have. They use `control` steps instead.
  return isControlPath(url.pathname)
    ? { problem: "is of the control plane; what a scenario may use of it is said as control" }
    : { address: url.href };
};

/** Reason why a call's headers are invalid; null if they are valid. The service itself refuses invalid world names. */
export const headersProblem = (headers: Readonly<Record<string, unknown>>): string | null => {
  const [, world] = Object.entries(headers).find(([name]) => name.toLowerCase() === "x-sandbox-tenant") ?? [];
  return typeof world === "string" && isWorldName(world)
    ? `names the world ${world}; a scenario stays in its own worlds: say world beside call`
    : null;
};
