import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLoopbackHost, refuseLocalUrl } from "./webhook-url.ts";

describe("a subscription url on a local server", () => {
  it("may be http or https, to any port and path of a loopback address", () => {
    for (const url of [
      "http://localhost",
      "https://localhost:8443/hooks?a=b#c",
      "http://LocalHost:3000/",
      "HTTP://127.0.0.1/",
      "http://localhost./",
      "http://127.0.0.1",
      "https://127.0.0.1:1/",
      "http://127.0.0.1:65535/",
      "http://127.255.255.254/",
      "http://127.0.0.1./",
      "http://[::1]",
      "https://[::1]:8080/hooks",
      "http://0.0.0.0:8080/",
    ]) {
      expect(refuseLocalUrl(url), url).toBeNull();
    }
  });

  it("has one of the contract's four forms, without other names or surrounding white space", () => {
    for (const url of [
      "http://partner.localhost:3000/",
      "http://localhost.localdomain/",
      " http://localhost/",
      "http://localhost/\n",
    ]) {
      expect(refuseLocalUrl(url), url).toBe("url_not_loopback");
    }
  });

  it("D77: is judged by the address of its host, in any notation", () => {
    for (const host of [
      "127.1",
      "127.0.1",
      "2130706433",
      "0x7f000001",
      "0X7F.1",
      "0177.0.0.1",
      "017700000001",
      "0x7f.0.0.0x1",
      "0",
      "0x0",
      "00000.0.0.0",
      "[0:0:0:0:0:0:0:1]",
      "[::0001]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[0:0:0:0:0:FFFF:7FFF:FFFE]",
      "%31%32%37.0.0.1",
      "１２７.０.０.１",
      "127。0。0。1",
      "①②⑦.⓪.⓪.①",
    ]) {
      expect(refuseLocalUrl(`http://${host}/hooks`), host).toBeNull();
    }
  });

  it("must not lead elsewhere under a name similar to loopback", () => {
    for (const host of [
      "127.0.0.1.evil.test",
      "localhost.evil.test",
      "localhost.evil.test.",
      "127.0.0.1.nip.io",
      "evil-localhost",
      "notlocalhost",
      "localhost1",
      "local host",
      "localhost.localdomain",
      "evil.test",
      "evil.test:80",
      "127.0.0.1%2eevil.test",
      "localhost%2Eevil.test",
      "127.0.0.1-evil.test",
      "ⓛocalhost.evil.test",
    ]) {
      expect(refuseLocalUrl(`http://${host}/`), host).toBe("url_not_loopback");
    }
    for (const url of [
      "http://evil.test/127.0.0.1",
      "http://evil.test/?u=http://localhost",
      "http://evil.test/#@localhost",
      "http://evil.test\\@127.0.0.1/",
    ]) {
      expect(refuseLocalUrl(url), url).toBe("url_not_loopback");
    }
  });

  it("must not be another address, private or public", () => {
    for (const host of [
      "10.0.0.1",
      "192.168.1.1",
      "172.16.0.1",
      "169.254.169.254",
      "126.255.255.255",
      "128.0.0.1",
      "8.8.8.8",
      "0.0.0.1",
      "255.255.255.255",
      "2130706431",
      "0x80000000",
      "0200.0.0.1",
      "[::]",
      "[::2]",
      "[fe80::1]",
      "[fc00::1]",
      "[::ffff:10.0.0.1]",
      "[::ffff:808:808]",
      "[::7f00:1]",
      "[64:ff9b::7f00:1]",
    ]) {
      expect(refuseLocalUrl(`http://${host}/`), host).toBe("url_not_loopback");
    }
  });

  it("D77: must not contain credentials", () => {
    for (const url of [
      "http://localhost@evil.test/",
      "http://127.0.0.1:80@evil.test/",
      "http://user@127.0.0.1/",
      "http://user:word@localhost/",
      "http://:word@[::1]/",
    ]) {
      expect(refuseLocalUrl(url), url).toBe("url_not_loopback");
    }
  });

  it("D76: must be an http or https url", () => {
    for (const url of [
      "",
      " ",
      "localhost",
      "localhost:3000/hooks",
      "127.0.0.1:8080",
      "//127.0.0.1/",
      "/hooks",
      "http://",
      "http:///",
      "http://127.0.0.1:99999/",
      "http://127.0.0.256/",
      "http://[::1/",
      "http://127.0.0.1%00.evil.test/",
      "ftp://127.0.0.1/",
      "ws://127.0.0.1/",
      "wss://localhost/",
      "file:///etc/hosts",
      "file://localhost/etc/hosts",
      "javascript:alert(1)",
      "data:text/plain,localhost",
      "about:blank",
      "unix:/tmp/socket",
      "blob:http://localhost/1",
    ]) {
      expect(refuseLocalUrl(url), url).toBe("url_not_loopback");
    }
  });

  it("must have a port other than 0", () => {
    for (const url of ["http://127.0.0.1:0/", "https://localhost:0/hooks", "http://[::1]:0", "http://0.0.0.0:00000/"])
      expect(refuseLocalUrl(url), url).toBe("url_not_loopback");
    for (const url of ["http://127.0.0.1:80/", "https://localhost:443/", "http://127.0.0.1:1/"])
      expect(refuseLocalUrl(url), url).toBeNull();
  });

  it("D9: has at most 2,048 characters", () => {
    const urlWithLength = (length: number): string => "http://127.0.0.1/".padEnd(length, "a");
    expect(refuseLocalUrl(urlWithLength(2048))).toBeNull();
    expect(refuseLocalUrl(urlWithLength(2049))).toBe("url_not_loopback");
  });

  it("is accepted exactly if its IPv4 host, in any number base, is in 127.0.0.0/8 or 0.0.0.0", () => {
    const near = fc.oneof(
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.integer({ min: 0x7e_ff_ff_00, max: 0x80_00_01_00 }),
      fc.integer({ min: 0, max: 3 }),
    );
    const spelling = fc.constantFrom(
      (n: number) => String(n),
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
      (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 0xff).join("."),
      (n: number) => `0x${(n >>> 24).toString(16)}.${n & 0xff_ff_ff}`,
      (n: number) => `[::ffff:${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}]`,
    );
    fc.assert(
      fc.property(near, spelling, (address, spell) => {
        const host = spell(address);
        const mapped = host.startsWith("[");
        const loopback = address >>> 24 === 127 || (address === 0 && !mapped);
        expect(refuseLocalUrl(`http://${host}/`), host).toBe(loopback ? null : "url_not_loopback");
      }),
    );
  });

  it("treats a bare host name like a url's", () => {
    expect(["localhost", "localhost.", "127.0.0.1", "[::1]", "0.0.0.0"].every(isLoopbackHost)).toBe(true);
    expect(["", "evil.test", "127.0.0.1.evil.test", "10.0.0.1", "::1.evil", "[::2]"].some(isLoopbackHost)).toBe(false);
  });
});
