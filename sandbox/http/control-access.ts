import type { FastifyReply, FastifyRequest } from "fastify";
import { type Access, isWorldToken } from "../contract/access.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import { accessProblem } from "../rules/access.ts";
import { sameSecret } from "../rules/keys.ts";
import type { TokenRecord } from "../storage/access-store.ts";
import { sendError } from "./answers.ts";
import type { AppServices } from "./app-services.ts";

/** Who calls the control plane. */
export interface ControlCaller {
  /** As the record of changes names them. */
  readonly name: string;
  /** Null: the operator, with the control token. */
  readonly token: TokenRecord | null;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route itself asks {@link refusedAccess}; any other is closed to world tokens. `anyone`: it takes no token. */
    readonly access?: "asks" | "anyone";
  }
  interface FastifyRequest {
    controlCaller: ControlCaller;
  }
}

type Known = Pick<AppServices, "controlToken" | "access">;

/** Whose a secret is; null: nobody's, or one that has expired. */
export const callerOf = (secret: string, { controlToken, access }: Known): ControlCaller | null => {
  if (sameSecret(secret, controlToken)) return { name: "operator", token: null };
  const token = isWorldToken(secret) ? access.find(secret, Date.now()) : undefined;
  return token ? { name: token.name, token } : null;
};

export const bearerOf = ({ headers }: FastifyRequest): string =>
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
      ? "Only the operator can do this, with the control token."
      : `This needs a token with the scope ${problem.needs}; this one has ${token?.scope}. Ask the operator for another.`,
  );
};

/** Finds out who calls, for every route of the control plane. @returns the answer to whoever may not */
export const admit = (request: FastifyRequest, reply: FastifyReply, services: Known): FastifyReply | null => {
  const { access } = request.routeOptions.config;
  const caller = access === "anyone" ? { name: "anyone", token: null } : callerOf(bearerOf(request), services);
  if (caller === null) {
    sendError(
      reply,
      "unauthorized",
      "The control plane needs the control token from the ready line, or a world token that is still valid: Authorization: Bearer <control_token>.",
    );
    return reply;
  }
  request.controlCaller = caller;
  if (caller.token === null || access === "asks") return null;
  sendError(reply, "forbidden", "Only the operator can do this, with the control token.");
  return reply;
};
