import type { FastifyRequest } from "fastify";
import { listenAnswer } from "../contract/control/listen-operations.ts";
import { tokensSignIn } from "../contract/control/token-operations.ts";
import { Refusal } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { auditDetail } from "../rules/audit-detail.ts";
import { textAt } from "../rules/text-at.ts";
import type { AppServices } from "./app-services.ts";
import { originOf } from "./callers.ts";
import { callerOf, OPERATOR } from "./control-access.ts";
import { maskKnown } from "./masking.ts";

interface Audited {
  readonly operation: Pick<Operation, "id" | "effect" | "access">;
  readonly world: string | null;
  readonly body: unknown;
  /** What was answered; undefined: it failed. */
  readonly value: unknown;
}

/** The id of what was made, by which later entries name it. */
const madeIn = (body: unknown, value: unknown): string[] => {
  const id = textAt(value, "id");
  return id === undefined || id === textAt(body, "id") ? [] : [`made=${id}`];
};

/** A run and an assistant have the control token of the service. A person is named whatever else they say. */
const nameOf = (request: FastifyRequest, services: AppServices): string => {
  const { name } = request.controlCaller;
  const origin = name === OPERATOR ? originOf(request, services) : null;
  return origin === "scenario" || origin === "assistant" ? origin : name;
};

/** What a laptop answered is on record with its delivery, and who signs in with the proxy: once an hour for each window. */
const NOT_KEPT: ReadonlySet<string> = new Set([listenAnswer.id, tokensSignIn.id]);

/**
 * Puts a control operation that changes something on record.
 * Of those without a token only a claim that succeeds.
 */
export const audit = async (
  request: FastifyRequest,
  services: AppServices,
  { operation, world, body, value }: Audited,
): Promise<void> => {
  if (operation.effect === "read" || NOT_KEPT.has(operation.id)) return;
  const { token } = request.controlCaller;
  // Whoever has a token for one world could push everything else out with what they may not do.
  if (token !== null && value instanceof Refusal) return;
  const ofToken = operation.id.startsWith("tokens.");
  const isOpen = operation.access?.needs === "anyone";
  if (isOpen && (value instanceof Refusal || value === undefined)) return;
  try {
    await services.audit.insert({
      at: Date.now(),
      // Whose link it was, and which world it opened, the answer says.
      by: isOpen ? (callerOf(textAt(value, "token") ?? "", services)?.name ?? "anyone") : nameOf(request, services),
      operation: operation.id,
      // Of a token its own: the call need not name it.
      world: operation.id.startsWith("service.") ? null : ((ofToken ? textAt(value, "world") : undefined) ?? world),
      detail: isOpen ? "" : maskKnown([auditDetail(body), ...(ofToken ? madeIn(body, value) : [])].join(" ").trim()),
      outcome: value instanceof Refusal ? value.code : value === undefined ? "failed" : "ok",
    });
  } catch (error) {
    services.troubled(error);
  }
};
