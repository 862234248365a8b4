import { createHmac } from "node:crypto";
import { type NeededScope, PERSON_TOKEN } from "../contract/access.ts";
import { sameSecret } from "./keys.ts";

/** Whom the operator lets in of those who sign in at a proxy, by address or by group, and what that opens. */
export interface PersonRule {
  readonly email?: string;
  readonly group?: string;
  readonly scope: NeededScope;
  /** Left out for operators alone. */
  readonly world?: string;
}

/** Who has signed in, and what that opens. */
export interface Person {
  readonly email: string;
  readonly scope: NeededScope;
  /** Null: every one; the scope is the operator's. */
  readonly world: string | null;
}

/** What the first rule that fits opens; null: none fits. Letters of an address may be large or small, those of a group not. */
export const findPerson = (rules: readonly PersonRule[], email: string, groups: readonly string[]): Person | null => {
  const address = email.toLowerCase();
  const rule = rules.find((one) =>
    one.group === undefined ? one.email?.toLowerCase() === address : groups.includes(one.group),
  );
  return rule ? { email: address, scope: rule.scope, world: rule.world ?? null } : null;
};

/** Of SHA-256, in base64url. */
const SIGNATURE_LENGTH = 43;

/** No token of a person is valid longer; then the proxy is asked again. */
const MOST_MS = 3_600_000;
/** A minute less: another node’s clock may be behind. */
export const PERSON_TOKEN_MS = MOST_MS - 60_000;

/**
 * Tokens of people who have signed in. They are kept nowhere: each says whose it is and until when, and is signed with what
 * follows from a secret of the service and from the rules. With other rules none of them is valid any more.
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

  /** Whose a token is; null: it is none of these, has expired, or is valid longer than any that this service makes. */
  read(token: string, now: number): (Person & { readonly until: number }) | null {
    if (!token.startsWith(PERSON_TOKEN)) return null;
    const content = token.slice(PERSON_TOKEN.length, -SIGNATURE_LENGTH);
    if (!sameSecret(token.slice(-SIGNATURE_LENGTH), this.#signatureOf(content))) return null;
    const said = JSON.parse(Buffer.from(content, "base64url").toString()) as Person & { readonly until: number };
    return said.until > now && said.until <= now + MOST_MS ? said : null;
  }
}
