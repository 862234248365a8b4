import dns, { type LookupAddress } from "node:dns";
import fs from "node:fs";
import { isIP, type LookupFunction } from "node:net";
import { ForbiddenAddressError, UnresolvedError } from "./failures.ts";

/** Timeout for a name server. The second and last attempt takes twice as long. */
const RESOLVER_OPTIONS = { timeout: 2_000, tries: 2 };

const HOSTS_FILE = process.platform === "win32" ? String.raw`C:\Windows\System32\drivers\etc\hosts` : "/etc/hosts";

/** Resolves a name to addresses, in the order to try them. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

const toLookupAddress = (address: string): LookupAddress => ({ address, family: isIP(address) });

/** The machine's own addresses for a name; empty if there are none. */
const findLocalAddresses = async (name: string): Promise<LookupAddress[]> => {
  // RFC 6761: always loopback, whatever name servers say.
  if (name === "localhost") return ["127.0.0.1", "::1"].map(toLookupAddress);
  const text = await fs.promises.readFile(HOSTS_FILE, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? toLookupAddress(address) : [];
  });
};

/**
 * Creates a resolver that asks name servers directly. `dns.lookup` uses the few threads that all lookups and file
 * accesses share, so hanging servers would block everything (D88).
 *
 * @param servers name servers; the machine's by default
 */
export const createResolver =
  (servers?: readonly string[]): Resolve =>
  async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    const own = await findLocalAddresses(name);
    if (own.length > 0) return own;
    // Created for each lookup, because the machine may have changed networks.
    const resolver = new dns.promises.Resolver(RESOLVER_OPTIONS);
    if (servers) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [four, six].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    if (found.length === 0 && four.status === "rejected") throw new UnresolvedError(four.reason);
    return found.map(toLookupAddress);
  };

/**
 * Resolves a name for each connection, and refuses it if any address is not allowed: its owner may have changed it
 * since the subscription (D77).
 */
export const guardedLookup =
  (resolve: Resolve, allows: (address: string, host: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    const refuseForbidden = (addresses: LookupAddress[]): void => {
      const forbidden = addresses.find(({ address }) => !allows(address, hostname));
      const [first] = addresses;
      if (forbidden || !first) callback(new ForbiddenAddressError(hostname, forbidden?.address ?? "nothing"), "", 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    resolve(hostname).then(refuseForbidden, (error) => callback(error, "", 0));
  };
