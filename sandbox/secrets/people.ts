import { createHmac } from "node:crypto";
import { type NeededScope, PERSON_TOKEN } from "../contract/access.ts";
import { sameSecret } from "./keys.ts";

/** Grants a scope to people who sign in at a proxy, by address or group. */
export interface PersonRule {
  readonly email?: string;
  readonly group?: string;
  readonly scope: NeededScope;
  /** Absent for operators only. */
  readonly world?: string;
}

export interface Person {
  readonly email: string;
  readonly scope: NeededScope;
  /** Null for all worlds, as an operator. */
  readonly world: string | null;
}

/** Grant of the first matching rule; null if none matches. Case matters for groups, not for addresses. */
export const findPerson = (rules: readonly PersonRule[], email: string, groups: readonly string[]): Person | null => {
  const address = email.toLowerCase();
  const rule = rules.find((one) =>
    one.group === undefined ? one.email?.toLowerCase() === address : groups.includes(one.group),
  );
  return rule ? { email: address, scope: rule.scope, world: rule.world ?? null } : null;
};

/** SHA-256 in base64url. */
const SIGNATURE_CHARS = 43;

/** Maximum validity of a person's token, after which the proxy is asked again. */
const MAX_TOKEN_MS = 3_600_000;
/** A minute less, because another node's clock may be behind. */
export const PERSON_TOKEN_MS = MAX_TOKEN_MS - 60_000;

/**
 * Tokens of signed-in people. Stateless: each contains person and expiry, and is signed with a key derived from the
 * service's secret and the rules. Changed rules invalidate all tokens.
 */
export class PersonTokens {
  readonly #secret: () => string;
  readonly #rules: string;

  constructor(secret: () => string, rules: readonly PersonRule[]) {
    this.#secret = secret;
    this.#rules = `people ${JSON.stringify(rules)}`;
  }

  #signatureOf(content: string): string {
    const key = createHmac("sha256", this.#secret()).update(this.#rules).digest();
    return createHmac("sha256", key).update(content).digest("base64url");
  }

  /** @param until in milliseconds since 1970 */
  make(person: Person, until: number): string {
    const content = Buffer.from(JSON.stringify({ ...person, until })).toString("base64url");
    return PERSON_TOKEN + content + this.#signatureOf(content);
  }

  /** Verifies a token. Null if it is invalid, expired, or valid longer than the service allows. */
  read(token: string, now: number): (Person & { readonly until: number }) | null {
    if (!token.startsWith(PERSON_TOKEN)) return null;
    const content = token.slice(PERSON_TOKEN.length, -SIGNATURE_CHARS);
    if (!sameSecret(token.slice(-SIGNATURE_CHARS), this.#signatureOf(content))) return null;
    const person = JSON.parse(Buffer.from(content, "base64url").toString()) as Person & { readonly until: number };
    return person.until > now && person.until <= now + MAX_TOKEN_MS ? person : null;
  }
}
