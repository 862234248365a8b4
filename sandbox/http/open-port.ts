import type net from "node:net";
import type { FastifyInstance } from "fastify";
import type { ServiceConfig } from "../config.ts";
import { StartError } from "../host/start-error.ts";

/** Replaces a wildcard address by loopback. */
const toReachable = (address: string): string =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");

/** Listens as configured. @returns the service's address @throws StartError */
export const listen = async (
  app: FastifyInstance,
  { host, port, whenPortTaken }: Pick<ServiceConfig, "host" | "port" | "whenPortTaken">,
): Promise<string> => {
  try {
    return toReachable(await app.listen({ host, port }));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE" && whenPortTaken === "any") return toReachable(await app.listen({ host, port: 0 }));
    if (code === "EADDRINUSE") {
      throw new StartError(
        "port_taken",
        `Port ${port} on ${host} is in use by another program. Stop it, or choose another port with --port (0: any free port).`,
      );
    }
    if (code === "EACCES") {
      throw new StartError(
        "port_taken",
        `You don’t have permission to use port ${port}. Choose one above 1023 with --port.`,
      );
    }
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new StartError(
        "bad_option",
        `This machine has no address ${host}. Choose another with --host; 127.0.0.1 always works.`,
      );
    }
    throw error;
  }
};

const LOOPBACKS = ["127.0.0.1", "[::1]"] as const;

/**
 * Listens on the other loopback address at the same port, because programs differ in how they resolve `localhost`.
 * Missing IPv6 or a taken port there isn't a failure.
 *
 * @param loopbackServer passes its connections to the service
 * @param address the service's address
 * @returns a warning when another program has the port there, and `localhost` may reach it
 */
export const listenAtOtherLoopback = async (loopbackServer: net.Server, address: string): Promise<string | null> => {
  const { hostname, port } = new URL(address);
  const other = LOOPBACKS.find((one) => one !== hostname);
  if (other === undefined || !LOOPBACKS.some((one) => one === hostname)) return null;
  // Sockets take IPv6 addresses without brackets.
  const host = other.replaceAll(/[[\]]/g, "");
  const failure = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    loopbackServer.once("error", resolve);
    loopbackServer.listen({ host, port: Number(port), ipv6Only: true }, () => resolve(null));
  });
  return failure?.code === "EADDRINUSE"
    ? `Another program listens at ${other}:${port}, and http://localhost:${port} may reach it. Call this service as ${address}.`
    : null;
};
