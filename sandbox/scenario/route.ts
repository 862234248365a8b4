import type { buildConnector } from "undici";
import { environment } from "../config.ts";
import { trustSystem } from "../host/system-certificates.ts";
import { isLoopbackHost } from "../rules/webhooks/webhook-url.ts";
import { InterimResponses } from "../webhooks/interim-responses.ts";

/** Reaches a service directly or through a proxy. */
export interface Route {
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
  /** Suffix for error messages: ` through the proxy http://proxy:3128`, or empty. */
  readonly through: string;
}

/** For the service itself. Ignores the proxies of the environment. */
export const direct: Route = { fetch: (address, init) => fetch(address, init), through: "" };

/** Returns whether NO_PROXY contains the host, one of its parent domains, or `*`. */
const isExcluded = ({ host, hostname }: URL, excluded: string): boolean =>
  excluded
    .toLowerCase()
    .split(/[\s,]+/)
    .map((entry) => entry.replace(/^\*?\./, ""))
    .some((entry) => entry !== "" && (["*", host, hostname].includes(entry) || hostname.endsWith(`.${entry}`)));

/** A proxy from the environment. */
export interface NamedProxy {
  /** Includes user and password, if any. */
  readonly address: string;
  /** ` through the proxy http://proxy:3128`, without a password. */
  readonly through: string;
  /** Hosts that bypass the proxy, in the notation of `NO_PROXY`. */
  readonly excluded: string;
}

/**
 * Returns the proxy for an address from `HTTPS_PROXY` or `HTTP_PROXY`; null for none, for this machine, or for a host
 * in `NO_PROXY`. Lowercase variables take precedence, as is customary.
 *
 * @param env default: this process's
 */
export const proxyTo = (address: string, env = environment()): NamedProxy | null => {
  const url = new URL(address);
  const given = (name: string): string => env[name.toLowerCase()] || env[name] || "";
  const named = given(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  const excluded = given("NO_PROXY");
  if (named === "" || isLoopbackHost(url.hostname) || isExcluded(url, excluded)) return null;
  const proxy = named.includes("://") ? named : `http://${named}`;
  // Removes the password before the @.
  return {
    address: proxy,
    through: ` through the proxy ${proxy.replace(/\/\/.*@/, "//").replace(/\/$/, "")}`,
    excluded,
  };
};

/** The route of a command to a service, through a proxy if one is configured. */
export const routeTo = (address: string, env = environment()): Route => {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" && !isLoopbackHost(hostname)) trustSystem();
  const proxy = proxyTo(address, env);
  const send = createFetch(proxy?.address ?? null, false);
  // The caller gets the error; this prevents an unhandled rejection.
  send.catch(() => {});
  return { fetch: async (to, init) => (await send)(to, init), through: proxy?.through ?? "" };
};

/** Prepares calls to servers that may send interim responses unasked: undici would fail the call. */
export const createFetch = async (proxy: string | null, anyCertificate: boolean): Promise<Route["fetch"]> => {
  const { Agent, Pool, ProxyAgent, buildConnector, fetch: send } = await import("undici");
  const factory = (origin: string | URL, options: object): InstanceType<typeof Pool> => {
    const { connect: open } = options as { readonly connect: buildConnector.connector };
    const connect: buildConnector.connector = (to, callback) =>
      open(to, (...result) => {
        const interim = new InterimResponses();
        result[1]?.on("data", (bytes: Buffer) => interim.skip(bytes));
        callback(...result);
      });
    // Each connection has one response, so the next one's interim responses are recognized.
    return new Pool(origin, { ...options, connect, pipelining: 0 });
  };
  const dispatcher =
    proxy === null
      ? new Agent({ connect: buildConnector({ rejectUnauthorized: !anyCertificate }), factory })
      : new ProxyAgent({ uri: proxy, factory });
  return (to, init) => send(to, { ...init, dispatcher } as object) as unknown as Promise<Response>;
};
