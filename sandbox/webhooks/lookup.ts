import dns, { type LookupAddress } from "node:dns";
import fs from "node:fs";
import { isIP, type LookupFunction } from "node:net";
import { ForbiddenAddressError, UnresolvedError } from "./failures.ts";

/** How long a name server is waited for, the first time; the second and last time twice as long. */
const PATIENCE = { timeout: 2_000, tries: 2 };

const HOSTS_FILE = process.platform === "win32" ? String.raw`C:\Windows\System32\drivers\etc\hosts` : "/etc/hosts";

/** Finds the addresses of a name, in the order they are to be tried. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

const addressOf = (address: string): LookupAddress => ({ address, family: isIP(address) });

/** Addresses that this machine itself has for a name; empty if it has none. */
const ownAddresses = async (name: string): Promise<LookupAddress[]> => {
  // RFC 6761: it is this machine everywhere, whatever anybody says of it.
  if (name === "localhost") return ["127.0.0.1", "::1"].map(addressOf);
  const text = await fs.promises.readFile(HOSTS_FILE, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? addressOf(address) : [];
  });
};

/**
 * Looks a name up by asking name servers directly. `dns.lookup` would ask on one of the few threads that all lookups and
 * all files of the process share: names whose servers hang would hold up everybody else's (D88).
 *
 * @param servers the name servers to ask; left out: the machine's
 */
export const resolveWith =
  (servers?: readonly string[]): Resolve =>
  async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    const own = await ownAddresses(name);
    if (own.length > 0) return own;
    // Anew each time, as the machine may be in another network by now.
    const resolver = new dns.promises.Resolver(PATIENCE);
    if (servers) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [four, six].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    if (found.length === 0 && four.status === "rejected") throw new UnresolvedError(four.reason);
    return found.map(addressOf);
  };

/**
 * Resolves a name when a connection is opened and refuses it when any of its addresses is not allowed: whoever owns the
 * name may have changed it since it was subscribed (D77).
 */
export const guardedLookup =
  (resolve: Resolve, allows: (address: string, host: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    const judge = (addresses: LookupAddress[]): void => {
      const forbidden = addresses.find(({ address }) => !allows(address, hostname));
      const [first] = addresses;
      if (forbidden || !first) callback(new ForbiddenAddressError(hostname, forbidden?.address ?? "nothing"), "", 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    resolve(hostname).then(judge, (error) => callback(error, "", 0));
  };
