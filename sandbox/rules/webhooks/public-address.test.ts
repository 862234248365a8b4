import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inRanges, isAddressRange, isPublicAddress } from "./public-address.ts";
import { refuseDeployedUrl } from "./webhook-url.ts";

const privateHosts = [
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "127.0.0.1",
  "127.1",
  "0.0.0.0",
  "0",
  "100.64.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "203.0.113.7",
  "224.0.0.1",
  "255.255.255.255",
  "2130706433",
  "0x7f000001",
  "017700000001",
  "3232235777",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "①⑥⑨.254.169.254",
  "[::]",
  "[::1]",
  "[fe80::1]",
  "[fc00::1]",
  "[fd12:3456::1]",
  "[ff02::1]",
  "[2001:db8::1]",
  "[::ffff:10.0.0.1]",
  "[::ffff:8.8.8.8]",
  "[::ffff:a9fe:a9fe]",
  "[::7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[::ffff:0:10.0.0.1]",
  "[0:0:0:1::1]",
  "[1::1]",
  "[64:ff9b:2::1]",
  "[100::1]",
  "[100:0:0:1::1]",
  "[200::1]",
  "[1fff:ffff::1]",
  "[2001:1::1]",
  "[2001:1ff:ffff::1]",
  "[2620:4f:8000::1]",
  "[3fff::1]",
  "[4000::1]",
  "[5f00::1]",
  "[8000::1]",
  "[e000::1]",
  "[fe00::1]",
  "[fec0::1]",
  "localhost",
  "localhost.",
  "LOCALHOST",
  "app.localhost",
  "printer.local",
  "metadata.google.internal",
  "router.lan",
  "nas.home.arpa",
  "intranet",
];

describe("a subscription url on a deployed sandbox", () => {
  it("is a public https url", () => {
    for (const url of [
      "https://hooks.example.com/",
      "https://hooks.example.com:8443/a?b",
      "HTTPS://HOOKS.EXAMPLE.COM",
      "https://8.8.8.8/",
      "https://[2606:4700::1111]/",
      "https://localhost.example.com/",
      "https://10.0.0.1.example.com/",
    ]) {
      expect(refuseDeployedUrl(url), url).toBeNull();
    }
  });

  it("is refused as https_required if it is public but not https", () => {
    for (const url of [
      "http://hooks.example.com/",
      "http://8.8.8.8/",
      "http://[2606:4700::1111]/",
      "HTTP://hooks.example.com:443/",
    ])
      expect(refuseDeployedUrl(url), url).toBe("https_required");
  });

  it("D77: is refused as private_or_reserved_host in every notation of such a host", () => {
    for (const host of privateHosts) {
      expect(refuseDeployedUrl(`https://${host}/`), host).toBe("private_or_reserved_host");
      expect(refuseDeployedUrl(`https://${host}:8443/hooks`), host).toBe("private_or_reserved_host");
      expect(refuseDeployedUrl(`http://${host}/`), host).toBe("private_or_reserved_host");
    }
  });

  it("D76: is refused as https_required if it is invalid or has another scheme", () => {
    for (const url of [
      "",
      "hooks.example.com",
      "//hooks.example.com/",
      "ftp://hooks.example.com/",
      "file:///etc/hosts",
      "javascript:alert(1)",
      "https://",
      "https://hooks.example.com:99999/",
      "https://hooks.example.com:0/",
      "https://8.8.8.8:0/hooks",
    ])
      expect(refuseDeployedUrl(url), url).toBe("https_required");
    expect(refuseDeployedUrl("https://hooks.example.com/".padEnd(2049, "a"))).toBe("https_required");
  });

  it("with a private host and port 0 is refused for its host", () => {
    expect(refuseDeployedUrl("https://10.0.0.1:0/")).toBe("private_or_reserved_host");
  });

  it("D77: must not contain credentials, and its host is behind the @", () => {
    expect(refuseDeployedUrl("https://user:word@hooks.example.com/")).toBe("https_required");
    expect(refuseDeployedUrl("https://hooks.example.com@10.0.0.1/")).toBe("private_or_reserved_host");
    expect(refuseDeployedUrl("https://hooks.example.com\\@10.0.0.1/")).toBeNull();
  });
});

describe("a public address", () => {
  it("is outside the reserved ranges, up to their last address", () => {
    const edges: [string, boolean][] = [
      ["9.255.255.255", true],
      ["10.0.0.0", false],
      ["10.255.255.255", false],
      ["11.0.0.0", true],
      ["172.15.255.255", true],
      ["172.16.0.0", false],
      ["172.31.255.255", false],
      ["172.32.0.0", true],
      ["169.253.255.255", true],
      ["169.254.0.0", false],
      ["169.255.0.0", true],
      ["100.63.255.255", true],
      ["100.127.255.255", false],
      ["100.128.0.0", true],
      ["223.255.255.255", true],
      ["224.0.0.0", false],
      ["1.0.0.0", true],
      ["0.255.255.255", false],
      ["192.167.255.255", true],
      ["192.169.0.0", true],
      ["1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false],
      ["2000::", true],
      ["2000:ffff::1", true],
      ["2001::", false],
      ["2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", false],
      ["2001:200::", true],
      ["2001:db7:ffff::1", true],
      ["2001:db8::", false],
      ["2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", false],
      ["2001:db9::", true],
      ["2001:ffff::1", true],
      ["2002::", false],
      ["2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false],
      ["2003::", true],
      ["2620:4f:7fff::1", true],
      ["2620:4f:8000::", false],
      ["2620:4f:8000:ffff:ffff:ffff:ffff:ffff", false],
      ["2620:4f:8001::", true],
      ["3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true],
      ["3fff::", false],
      ["3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", false],
      ["3fff:1000::", true],
      ["3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true],
      ["4000::", false],
      ["fbff::1", false],
      ["fc00::", false],
      ["fdff::1", false],
      ["fe00::1", false],
      ["fe80::", false],
      ["febf::1", false],
      ["2606:4700::1", true],
      ["2606:4700::5efe:0:1", false],
      ["2606:4700::5efe:0:1%1", false],
      ["2606:4700::1%eth0", true],
      ["2606:4700::5eff:0:1", true],
      ["2606:4700::100:5efe:0:1", true],
      ["2606:4700::5efe:0:0:1", true],
      ["2001:4860:4860::8888", true],
      // Azure's internal services, reachable only from its virtual machines.
      ["168.63.129.15", true],
      ["168.63.129.16", false],
      ["192.31.196.0", false],
      ["192.52.193.255", false],
      ["192.88.99.1", false],
      ["192.175.48.1", false],
      ["198.19.255.255", false],
      ["255.255.255.255", false],
    ];
    for (const [address, expected] of edges) expect(isPublicAddress(address), address).toBe(expected);
  });

  it("is global unicast in IPv6, outside unassigned ranges", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const [first = ""] = new URL(`http://[${address}]/`).hostname.slice(1).split(":");
        fc.pre(isPublicAddress(address));
        expect(Number.parseInt(first, 16) >>> 13, address).toBe(1);
      }),
    );
  });

  it("is an address, not a name, an empty text or a range", () => {
    for (const text of [
      "",
      "localhost",
      "example.com",
      "8.8.8",
      "8.8.8.8/32",
      "[2606:4700::1]",
      "08.8.8.8",
      "8.8.8.8 ",
    ])
      expect(isPublicAddress(text), text).toBe(false);
  });

  it("never embeds an IPv4 address, which a translator could forward to", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
        const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
        for (const inside of [
          `::ffff:${address}`,
          `::${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `2a00:1450::5efe:${address}`,
          `2a00:1450:1:2:200:5efe:${high}:${low}`,
          `2a00:1450:0:0:0000:5EFE:${high}:${low}`,
        ])
          expect(isPublicAddress(inside), inside).toBe(false);
      }),
    );
  });
});

describe("a range of addresses", () => {
  it("is a network and its length, or one address", () => {
    for (const text of ["10.1.0.0/16", "2a00:1450::/32", "8.8.8.8", "::1"])
      expect(isAddressRange(text), text).toBe(true);
    for (const text of ["", "10.1/16x", "10.0.0.0/33", "example.com", "10.0.0.0-10.0.0.9"])
      expect(isAddressRange(text), text).toBe(false);
  });

  it("contains its addresses, even if written as IPv6", () => {
    const isDenied = inRanges(["52.1.0.0/16", "8.8.8.8", "2a00:1450::/32", "2a02::1"]);
    for (const inside of ["52.1.0.0", "52.1.255.255", "::ffff:52.1.2.3", "8.8.8.8", "2a00:1450:ffff::1", "2a02::1"])
      expect(isDenied(inside), inside).toBe(true);
    for (const outside of ["52.2.0.0", "8.8.8.9", "2a00:1451::1", "2a02::2", "localhost"])
      expect(isDenied(outside), outside).toBe(false);
  });
});
