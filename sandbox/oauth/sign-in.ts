import type { FastifyRequest } from "fastify";
import { Refusal, refuse } from "../contract/errors.ts";
import { inRanges } from "../rules/webhooks/public-address.ts";
import { findPerson, PERSON_TOKEN_MS, type Person, type PersonRule, PersonTokens } from "../secrets/people.ts";
import { realTime } from "../storage/real-time.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** From where its connection came; left out: the one that it came over has the address. */
    peer?: string;
  }
}

/** By these headers oauth2-proxy says who has signed in. */
const EMAIL_HEADER = "x-forwarded-email";
const GROUPS_HEADER = "x-forwarded-groups";

/** The value of a header that came once; one that came twice may be the caller's own beside the proxy's. */
const onlyOne = ({ raw }: FastifyRequest, name: string): string => {
  const values = raw.headersDistinct[name] ?? [];
  return values.length === 1 ? (values[0] ?? "").trim() : "";
};

/** A token for who has signed in with a call, and until when it is valid, in milliseconds since 1970. */
export const signIn = (request: FastifyRequest, people: People | null) => {
  if (people === null) return refuse("not_found", "Sign-in is off. Start the service with --people.");
  const person = people.signedIn(request);
  if (person instanceof Refusal) return person;
  const until = realTime() + PERSON_TOKEN_MS;
  return { ...person, until, token: people.tokens.make(person, until) };
};

/** People who sign in at a proxy before the service. Only on connections from its address is its word taken for who they are. */
export class People {
  readonly tokens: PersonTokens;
  readonly #rules: readonly PersonRule[];
  readonly #isProxy: (address: string) => boolean;

  /** @param secret what their tokens are signed with follows from it */
  constructor(rules: readonly PersonRule[], proxies: readonly string[], secret: () => string) {
    this.#rules = rules;
    this.#isProxy = inRanges(proxies);
    this.tokens = new PersonTokens(secret, rules);
  }

  /** Who has signed in with a call. What others than the proxy say of that is not read. */
  signedIn(request: FastifyRequest): Person | Refusal {
    const peer = request.peer ?? request.raw.socket.remoteAddress ?? "";
    const email = this.#isProxy(peer) ? onlyOne(request, EMAIL_HEADER) : "";
    if (!/^[^\s,@]{1,64}@[^\s,@]{1,190}$/.test(email))
      return refuse("unauthorized", "Nobody has signed in. Open /sign-in at the service’s public address.");
    const groups = onlyOne(request, GROUPS_HEADER)
      .split(",")
      .map((group) => group.trim())
      .filter(Boolean);
    return (
      findPerson(this.#rules, email, groups) ??
      refuse("forbidden", `No access for ${email}. Ask the operator of this sandbox to add you.`)
    );
  }
}
