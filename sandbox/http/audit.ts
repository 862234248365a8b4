import type { FastifyRequest } from "fastify";
import { listenAnswer } from "../contract/control/listen-operations.ts";
import { Refusal } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { auditDetail } from "../rules/audit-detail.ts";
import type { AppServices } from "./app-services.ts";
import { originOf } from "./callers.ts";
import { maskKnown } from "./masking.ts";

interface Audited {
  readonly operation: Operation;
  readonly world: string | null;
  readonly body: unknown;
  /** What was answered; undefined: it failed. */
  readonly value: unknown;
}

const textIn = (value: unknown, name: string): string | undefined => {
  const found = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === "string" ? found : undefined;
};

const nameOf = (request: FastifyRequest, services: AppServices): string => {
  const { name, token } = request.controlCaller;
  const origin = token === null ? originOf(request, services) : null;
  return origin === "scenario" || origin === "assistant" ? origin : name;
};

/**
 * Puts a control operation that changes something on record; what a laptop answered is on that of its delivery.
 * Of those without a token only a claim that succeeds.
 */
export const audit = (
  request: FastifyRequest,
  services: AppServices,
  { operation, world, body, value }: Audited,
): void => {
  if (operation.effect === "read" || operation.id === listenAnswer.id) return;
  const isOpen = operation.access?.needs === "anyone";
  if (isOpen && (value instanceof Refusal || value === undefined)) return;
  try {
    services.audit.insert({
      at: Date.now(),
      // Whose link it was, and which world it opened, the answer says.
      by: (isOpen && textIn(value, "name")) || nameOf(request, services),
      operation: operation.id,
      world: operation.id.startsWith("service.") ? null : ((isOpen ? textIn(value, "world") : undefined) ?? world),
      detail: isOpen ? "" : maskKnown(auditDetail(body)),
      outcome: value instanceof Refusal ? value.code : value === undefined ? "failed" : "ok",
    });
  } catch (error) {
    services.troubled(error);
  }
};
