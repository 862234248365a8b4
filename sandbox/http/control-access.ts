import type { FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { type Access, expiredTokenMessage, isWorldToken } from "../contract/access.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { accessProblem } from "../rules/access/access.ts";
import { keyPrefixes, sameSecret } from "../secrets/keys.ts";
import type { TokenRecord } from "../storage/access-store.ts";
import { realTime } from "../storage/real-time.ts";

export interface ControlCaller {
  /** Name in the audit log. */
  readonly name: string;
  /** World token; null for an operator. */
  readonly token: Pick<TokenRecord, "id" | "name" | "world" | "scope" | "expires_at"> | null;
  /** Expiry of an operator's sign-in, in milliseconds since 1970; null for none. */
  readonly until: number | null;
  /** Checks whether the token is still valid. */
  readonly isValid: () => boolean;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * `asks`: the route calls {@link refuseAccess} itself. `anyone`: no token needed. By default, world tokens are
     * refused.
     */
    readonly access?: "asks" | "anyone";
    /** Effect of a control operation. */
    readonly effect?: Operation["effect"];
  }
  interface FastifyRequest {
    controlCaller: ControlCaller;
  }
}

/** Name for the control token, which identifies no person. */
export const OPERATOR = "operator";
const OPERATOR_ONLY = "Only the operator can do this, with the control token.";

type TokenSources = Pick<AppServices, "controlToken" | "access" | "people">;

/**
 * Owner of a secret; null if it is unknown or expired. A signed-in person's scope above `view` requires that the world
 * has its own keys: a later world of that name would reveal the service's keys.
 */
export const findCaller = (secret: string, services: TokenSources): ControlCaller | null => {
  const { controlToken, access, people } = services;
  const isValid = (): boolean => findCaller(secret, services) !== null;
  if (sameSecret(secret, controlToken())) return { name: OPERATOR, token: null, until: null, isValid };
  const token = isWorldToken(secret) ? access.find(secret, realTime()) : undefined;
  // Adds part of the ID, because token names are not unique and may equal the operator's.
  if (token) return { name: `${token.name} (${token.id.slice(-8)})`, token, until: null, isValid };
  const person = people?.tokens.read(secret, realTime());
  if (!person) return null;
  const { email: name, scope, world, until: expires_at } = person;
  if (scope === "operator" || world === null) return { name, token: null, until: expires_at, isValid };
  if (scope !== "view" && !access.findKeys(world)) return null;
  return { name, token: { id: name, name, world, scope, expires_at }, until: null, isValid };
};

export const bearerToken = ({ headers }: FastifyRequest): string =>
  /^Bearer[ \t]+(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";

/**
 * Checks a caller's access to a control operation; null if permitted. The message depends only on declaration, token
 * and body, so it doesn't reveal which worlds exist.
 */
export const refuseAccess = ({ token }: ControlCaller, access: Access | undefined, body: unknown): Refusal | null => {
  const problem = token && accessProblem(access, token, body);
  if (problem === null) return null;
  if (problem.is === "world")
    return refuse("forbidden", `This token only opens the world ${token?.world}. Name that world.`);
  return refuse(
    "forbidden",
    problem.needs === "operator"
      ? OPERATOR_ONLY
      : `This needs a token with the scope ${problem.needs}; this one has ${token?.scope}. Ask the operator for another.`,
  );
};

const isPartnerKey = (secret: string): boolean =>
  secret.startsWith(keyPrefixes.installed) || secret.startsWith(keyPrefixes.preloaded);

const anyone: ControlCaller = { name: "anyone", token: null, until: null, isValid: () => true };

/** Authenticates a control-plane call. @returns a refusal, or null */
export const admit = (request: FastifyRequest, services: TokenSources): Refusal | null => {
  const { access } = request.routeOptions.config;
  const secret = bearerToken(request);
  const caller = access === "anyone" ? anyone : findCaller(secret, services);
  if (caller === null)
    return refuse(
      "unauthorized",
      expiredTokenMessage(secret) ??
        `${isPartnerKey(secret) ? "An API key of partners doesn’t open the control plane. " : ""}The control plane needs the control token from the ready line, or a world token that is still valid: Authorization: Bearer <control_token>.`,
    );
  request.controlCaller = caller;
  if (caller.token === null || access === "asks") return null;
  return refuse("forbidden", OPERATOR_ONLY);
};
