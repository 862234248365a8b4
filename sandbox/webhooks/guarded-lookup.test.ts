import dns, { type LookupAddress } from "node:dns";
import { describe, expect, it, vi } from "vitest";
import { ForbiddenAddressError, guardedLookup } from "./guarded-lookup.ts";

const isPublic = (address: string): boolean => !address.startsWith("10.");

/** Lets names resolve to these addresses. */
const resolveTo = (...addresses: readonly string[]): void => {
  vi.spyOn(dns, "lookup").mockImplementation(((
    _name: string,
    _options: object,
    callback: (error: Error | null, found: LookupAddress[]) => void,
  ) => {
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  }) as unknown as typeof dns.lookup);
};
const lookUp = (options: { readonly all?: boolean } = {}): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    guardedLookup(isPublic)("hooks.example.com", options, (error, ...found) =>
      error ? reject(error) : resolve(found),
    );
  });

describe("looking up where a notification goes", () => {
  it("gives the addresses when all of them may be connected to, in the form that was asked for", async () => {
    resolveTo("192.0.2.1", "2001:db8::1");
    expect(await lookUp()).toEqual(["192.0.2.1", 4]);
    expect(await lookUp({ all: true })).toEqual([
      [
        { address: "192.0.2.1", family: 4 },
        { address: "2001:db8::1", family: 6 },
      ],
    ]);
  });

  it("D77: fails when one of them may not be, wherever in the list it stands", async () => {
    for (const addresses of [["10.0.0.1"], ["192.0.2.1", "10.0.0.1"], ["10.0.0.1", "192.0.2.1"]]) {
      resolveTo(...addresses);
      await expect(lookUp()).rejects.toThrow(ForbiddenAddressError);
      await expect(lookUp({ all: true })).rejects.toThrow(/hooks\.example\.com resolves to 10\.0\.0\.1/);
    }
  });

  it("fails when there is none", async () => {
    resolveTo();
    await expect(lookUp()).rejects.toThrow(ForbiddenAddressError);
  });

  it("hands on why a name could not be resolved", async () => {
    vi.spyOn(dns, "lookup").mockImplementation(((_name: string, _options: object, callback: (error: Error) => void) => {
      callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
    }) as unknown as typeof dns.lookup);
    await expect(lookUp()).rejects.toMatchObject({ code: "ENOTFOUND" });
  });
});
