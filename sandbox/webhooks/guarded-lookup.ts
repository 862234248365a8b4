import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";

/** The name resolves to addresses that notifications may not be sent to. */
export class ForbiddenAddressError extends Error {
  readonly code = "FORBIDDEN_ADDRESS";

  constructor(hostname: string, address: string) {
    super(`${hostname} resolves to ${address}, where notifications may not be sent`);
  }
}

/**
 * Resolves a name at connect time and refuses it when any of its addresses is not allowed: whoever owns the name may
 * have changed it since it was subscribed (D77).
 */
export const guardedLookup =
  (allows: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, "", 0);
        return;
      }
      const forbidden = addresses.find(({ address }) => !allows(address));
      const [first] = addresses;
      if (forbidden || !first) callback(new ForbiddenAddressError(hostname, forbidden?.address ?? "nothing"), "", 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

/** A host that is spelled as an address is never looked up; it is judged as it stands. @throws ForbiddenAddressError */
export const guardAddress = (host: string, allows: (address: string) => boolean): void => {
  if (isIP(host) !== 0 && !allows(host)) throw new ForbiddenAddressError(host, host);
};
