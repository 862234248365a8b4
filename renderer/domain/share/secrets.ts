import { KNOWN_SECRETS, MASK } from "../../../sandbox/contract/known-secrets.ts";
import type { Block } from "./ticket.ts";

/** Minimum length of a secret to mask, in characters. Shorter values match ordinary text by chance. */
const MIN_SECRET_LENGTH = 8;

/** Masks every secret, wherever a partner, a receiver or a person put it. */
export const withoutSecrets = (blocks: readonly Block[], secrets: readonly string[]): Block[] => {
  const own = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const masked = (text: string): string =>
    own.reduce((left, secret) => left.replaceAll(secret, MASK), text).replace(KNOWN_SECRETS, MASK);
  return JSON.parse(JSON.stringify(blocks), (_, value: unknown) =>
    typeof value === "string" ? masked(value) : value,
  ) as Block[];
};
