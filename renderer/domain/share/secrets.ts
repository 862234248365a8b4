import { KNOWN_SECRETS, MASK } from "../../../sandbox/contract/known-secrets.ts";
import type { Block } from "./ticket.ts";

/** Shorter texts are no secrets anybody would use, and stand in too many places by chance. */
const SHORTEST = 8;

/** The same with every secret masked, wherever a partner, a receiver or a person put it. */
export const withoutSecrets = (blocks: readonly Block[], secrets: readonly string[]): Block[] => {
  const own = secrets.filter(({ length }) => length >= SHORTEST);
  const masked = (text: string): string =>
    own.reduce((left, secret) => left.replaceAll(secret, MASK), text).replace(KNOWN_SECRETS, MASK);
  return JSON.parse(JSON.stringify(blocks), (_, value: unknown) =>
    typeof value === "string" ? masked(value) : value,
  ) as Block[];
};
