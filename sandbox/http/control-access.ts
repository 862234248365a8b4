import type { FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { type Access, endedWords, isWorldToken } from "../contract/access.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { accessProblem } from "../rules/access/access.ts";
import { sameSecret } from "../secrets/keys.ts";
import type { TokenRecord } from "../storage/access-store.ts";
import { realTime } from "../storage/real-time.ts";

/** Who calls the control plane. */
export interface ControlCaller {
  /** As the record of calls names them. */
  readonly name: string;
  /** What confines them to a world; null: nothing, for they are an operator. */
  readonly token: Pick<TokenRecord, "id" | "name" | "world" | "scope" | "expires_at"> | null;
  /** When what an operator showed expires, in milliseconds since 1970; null: it doesn't. */
  readonly until: number | null;
  /** Whether what they showed is still good. */
  readonly isValid: () => boolean;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route itself asks {@link refusedAccess}; any other is closed to world tokens. `anyone`: it takes no token. */
    readonly access?: "asks" | "anyone";
    /** Of an operation of the control plane. */
    readonly effect?: Operation["effect"];
  }
  interface FastifyRequest {
    controlCaller: ControlCaller;
  }
}

/** Who shows the control token: nobody knows which person. */
export const OPERATOR = "operator";
const OPERATOR_ONLY = "Only the operator can do this, with the control token.";

type Known = Pick<AppServices, "controlToken" | "access" | "people">;

/**
 * Whose a secret is; null: nobody's, or one that is no longer valid. Somebody who signed in opens their world by a token of
 * more than `view` as long as it has keys of its own: the next world of that name would show the service's.
 */
export const findCaller = (secret: string, services: Known): ControlCaller | null => {
  const { controlToken, access, people } = services;
  const isValid = (): boolean => findCaller(secret, services) !== null;
  if (sameSecret(secret, controlToken())) return { name: OPERATOR, token: null, until: null, isValid };
  const token = isWorldToken(secret) ? access.find(secret, realTime()) : undefined;
  // Names are anybody's: two tokens may have the same one, or the operator's.
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
 * Why a caller may not call an operation of the control plane; null: they may. What it says depends on the declaration, the
 * token and the body alone, so that nobody learns which worlds there are.
 */
export const refusedAccess = ({ token }: ControlCaller, access: Access | undefined, body: unknown): Refusal | null => {
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

const anyone: ControlCaller = { name: "anyone", token: null, until: null, isValid: () => true };

/** Finds out who calls, for every route of the control plane. @returns why they may not */
export const admit = (request: FastifyRequest, services: Known): Refusal | null => {
  const { access } = request.routeOptions.config;
  const secret = bearerToken(request);
  const caller = access === "anyone" ? anyone : findCaller(secret, services);
  if (caller === null)
    return refuse(
      "unauthorized",
      endedWords(secret) ??
        "The control plane needs the control token from the ready line, or a world token that is still valid: Authorization: Bearer <control_token>.",
    );
  request.controlCaller = caller;
  if (caller.token === null || access === "asks") return null;
  return refuse("forbidden", OPERATOR_ONLY);
};
