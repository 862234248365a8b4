import crypto from "node:crypto";
import { isIPv4 } from "node:net";

/** A certificate with its private key, both as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly name: string;
}

export interface CertificateOptions {
  /** A host name or an IPv4 address. */
  readonly name: string;
  /** Left out, it signs itself. */
  readonly issuer?: Certificate;
  /** Milliseconds since 1970. */
  readonly validFrom: number;
  readonly validUntil: number;
}

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));

const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))));
const timeOf = (at: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`));
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value));

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));

/** Makes an X.509 certificate (RFC 5280): what a test needs of a receiver whose TLS is or is not in order. */
export const makeCertificate = ({ name, issuer, validFrom, validUntil }: CertificateOptions): Certificate => {
  const { publicKey, privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
  const address = isIPv4(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), crypto.randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(issuer?.name ?? name),
    sequence(timeOf(validFrom), timeOf(validUntil)),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        extension("551d11", sequence(address)),
        extension("551d13", issuer ? sequence() : sequence(der(0x01, Buffer.of(255)))),
      ),
    ),
  );
  const signature = crypto.sign("sha256", content, issuer ? issuer.key : privateKey);
  const bytes = sequence(content, ECDSA_WITH_SHA256, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    name,
  };
};
