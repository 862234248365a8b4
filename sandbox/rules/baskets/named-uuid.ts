import { hash } from "node:crypto";

/** The namespace of every identifier the sandbox derives from names; any constant would do, this one never changes. */
const NAMESPACE = Buffer.from("5b1f6f0c3d0e4c8e9a475f2c9e61d7a4", "hex");

/** A version 5 UUID (RFC 9562) of a list of names: the same names give the same UUID, on every machine (D83). */
export const namedUuid = (...names: readonly string[]): string => {
  const bytes = hash("sha1", Buffer.concat([NAMESPACE, Buffer.from(JSON.stringify(names))]), "buffer");
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex", 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};
