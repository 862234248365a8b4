import { environment } from "../config.ts";
import { isLoopbackHost } from "../rules/webhook-url.ts";

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

/**
 * The way to a service from a command: through the proxy that `HTTPS_PROXY` or `HTTP_PROXY` names, unless the service is on
 * this machine or `NO_PROXY` names its host. Small letters count first, as everywhere.
 *
 * @param env left out: this process's
 */
export const routeTo = (address: string, env = environment()): Route => {
  const url = new URL(address);
  const given = (name: string): string => env[name.toLowerCase()] || env[name] || "";
  const named = given(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (named === "" || isLoopbackHost(url.hostname) || isExcluded(url, given("NO_PROXY"))) return direct;
  const proxy = named.includes("://") ? named : `http://${named}`;
  // What is before the @ is a password.
  const through = ` through the proxy ${proxy.replace(/\/\/.*@/, "//").replace(/\/$/, "")}`;
  const client = import("undici").then(({ ProxyAgent, fetch: send }) => ({ dispatcher: new ProxyAgent(proxy), send }));
  // Whoever calls is told.
  client.catch(() => {});
  return {
    fetch: async (to, init) => {
      const { dispatcher, send } = await client;
      return (await send(to, { ...init, dispatcher } as object)) as unknown as Response;
    },
    through,
  };
};
