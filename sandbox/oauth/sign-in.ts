import type { FastifyRequest } from "fastify";
import { Refusal, refuse } from "../contract/errors.ts";
import { inRanges } from "../rules/webhooks/public-address.ts";
import { findPerson, PERSON_TOKEN_MS, type Person, type PersonRule, PersonTokens } from "../secrets/people.ts";
import { realTime } from "../storage/real-time.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Address of the connection's peer. Default: the socket's. */
    peer?: string;
  }
}

/** Headers in which oauth2-proxy names the signed-in person. */
const EMAIL_HEADER = "x-forwarded-email";
const GROUPS_HEADER = "x-forwarded-groups";

/** Value of a header that occurs once. A duplicate may come from the caller instead of the proxy. */
const readSingleHeader = ({ raw }: FastifyRequest, name: string): string => {
  const values = raw.headersDistinct[name] ?? [];
  return values.length === 1 ? (values[0] ?? "").trim() : "";
};

/** Creates a token for the signed-in person, with its expiry in milliseconds since 1970. */
export const signIn = (request: FastifyRequest, people: People | null) => {
  if (people === null) return refuse("not_found", "Sign-in is off. Start the service with --people.");
  const person = people.findPerson(request);
  if (person instanceof Refusal) return person;
  const until = realTime() + PERSON_TOKEN_MS;
  return { ...person, until, token: people.tokens.make(person, until) };
};

/** People who sign in at a proxy. Its headers are trusted only on connections from its address. */
export class People {
  readonly tokens: PersonTokens;
  readonly #rules: readonly PersonRule[];
  readonly #isProxy: (address: string) => boolean;

  /** @param secret source of the key that signs their tokens */
  constructor(rules: readonly PersonRule[], proxies: readonly string[], secret: () => string) {
    this.#rules = rules;
    this.#isProxy = inRanges(proxies);
    this.tokens = new PersonTokens(secret, rules);
  }

  /** The signed-in person. Ignores headers that don't come from the proxy. */
  findPerson(request: FastifyRequest): Person | Refusal {
    const peer = request.peer ?? request.raw.socket.remoteAddress ?? "";
    const email = this.#isProxy(peer) ? readSingleHeader(request, EMAIL_HEADER) : "";
    if (!/^[^\s,@]{1,64}@[^\s,@]{1,190}$/.test(email))
      return refuse("unauthorized", "Nobody has signed in. Open /sign-in at the service’s public address.");
    const groups = readSingleHeader(request, GROUPS_HEADER)
      .split(",")
      .map((group) => group.trim())
      .filter(Boolean);
    return (
      findPerson(this.#rules, email, groups) ??
      refuse("forbidden", `No access for ${email}. Ask the operator of this sandbox to add you.`)
    );
  }
}
