/** Replaces a secret on screens and in records. The explorer masks too, so this is here and not in `secrets/`. */
export const MASK = "••••••••";

/** The formats of the service's own secrets (D20). */
export const KNOWN_SECRETS = /(?:isk|sbx|sbw|sbc|sbp|pwh|(?<![A-Za-z])(?:ac|cs))_[A-Za-z0-9_-]{20,}/g;

/** Shows a secret by its prefix and its last four characters. */
export const maskSecret = (secret: string): string => {
  const prefix = /^[A-Za-z]{2,4}_(?=.)/s.exec(secret)?.[0] ?? "";
  const tail = secret.length - prefix.length >= 12 ? secret.slice(-4) : "";
  return `${prefix}${MASK}${tail}`;
};
