import { environment } from "../config.ts";
import { trustSystem } from "../host/system-certificates.ts";
import { isLoopbackHost } from "../rules/webhooks/webhook-url.ts";

/** How a service is called: directly, or through a proxy. */
export interface Route {
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
  /** What a message about a failed call adds: ` through the proxy http://proxy:3128`, or nothing. */
  readonly through: string;
}

/** Calls without a proxy, whatever the environment says. */
export const direct: Route = { fetch: (address, init) => fetch(address, init), through: "" };

/** Whether NO_PROXY names a host: itself, a domain it is in, or `*`. */
const isExcluded = ({ host, hostname }: URL, excluded: string): boolean =>
  excluded
    .toLowerCase()
    .split(/[\s,]+/)
    .map((entry) => entry.replace(/^\*?\./, ""))
    .some((entry) => entry !== "" && (["*", host, hostname].includes(entry) || hostname.endsWith(`.${entry}`)));

/** A proxy that the environment names. */
export interface NamedProxy {
  /** With its user and password, where it has them. */
  readonly address: string;
  /** ` through the proxy http://proxy:3128`, without a password. */
  readonly through: string;
  /** Hosts that are reached without it, as `NO_PROXY` lists them. */
  readonly excluded: string;
}

/**
 * The proxy to an address: the one that `HTTPS_PROXY` or `HTTP_PROXY` names. Null: none, the address is on this machine, or
 * `NO_PROXY` names its host. Small letters count first, as everywhere.
 *
 * @param env left out: this process's
 */
export const proxyTo = (address: string, env = environment()): NamedProxy | null => {
  const url = new URL(address);
  const given = (name: string): string => env[name.toLowerCase()] || env[name] || "";
  const named = given(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  const excluded = given("NO_PROXY");
  if (named === "" || isLoopbackHost(url.hostname) || isExcluded(url, excluded)) return null;
  const proxy = named.includes("://") ? named : `http://${named}`;
  // What is before the @ is a password.
  return {
    address: proxy,
    through: ` through the proxy ${proxy.replace(/\/\/.*@/, "//").replace(/\/$/, "")}`,
    excluded,
  };
};

/** The way to a service from a command: through the proxy to it, where there is one. */
export const routeTo = (address: string, env = environment()): Route => {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" && !isLoopbackHost(hostname)) trustSystem();
  const proxy = proxyTo(address, env);
  if (proxy === null) return direct;
  const client = import("undici").then(({ ProxyAgent, fetch: send }) => ({
    dispatcher: new ProxyAgent(proxy.address),
    send,
  }));
  // Whoever calls is told.
  client.catch(() => {});
  return {
    fetch: async (to, init) => {
      const { dispatcher, send } = await client;
      return (await send(to, { ...init, dispatcher } as object)) as unknown as Response;
    },
    through: proxy.through,
  };
};
