import { bytesFromText } from "../../../lib/bytes.ts";
import { fromBase64, fromHex } from "./encodings.ts";

/** Contract, "Signature": what every webhook secret begins with. */
export const SECRET_PREFIX = "pwh_";

/** Another key that a secret may have been turned into. */
export type SecretFormName = "trimmed" | "with_newline" | "without_prefix" | "with_prefix" | "decoded";

export interface SecretForm {
  readonly name: SecretFormName;
  readonly key: Uint8Array;
}

/** The other forms of a secret, none empty and none equal to the secret as it is written. */
export const secretForms = (secret: string): SecretForm[] => {
  const trimmed = secret.trim();
  const bare = trimmed.startsWith(SECRET_PREFIX) ? trimmed.slice(SECRET_PREFIX.length) : null;
  const forms: (readonly [SecretFormName, Uint8Array | null])[] = [
    ["trimmed", bytesFromText(trimmed)],
    ["with_newline", bytesFromText(`${trimmed}\n`)],
    ["without_prefix", bare === null ? null : bytesFromText(bare)],
    ["with_prefix", bare === null ? bytesFromText(SECRET_PREFIX + trimmed) : null],
    ["decoded", fromBase64((bare ?? trimmed).replaceAll("-", "+").replaceAll("_", "/"))],
    ["decoded", fromHex(bare ?? trimmed)],
  ];
  const written = bytesFromText(secret);
  return forms.flatMap(([name, key]) =>
    key === null || key.length === 0 || (key.length === written.length && key.every((byte, at) => byte === written[at]))
      ? []
      : [{ name, key }],
  );
};
