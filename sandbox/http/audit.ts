import type { FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { listenAnswer } from "../contract/control/receiver-operations.ts";
import type { AuditKind } from "../contract/control/service-operations.ts";
import { tokensSignIn } from "../contract/control/service-operations.ts";
import { Refusal } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { isRequested } from "../rules/access/access.ts";
import { type AuditDetail, auditDetail } from "../rules/access/audit-detail.ts";
import { readField, readText } from "../rules/json/untyped.ts";
import { maskKnown } from "../secrets/masking.ts";
import { realTime } from "../storage/real-time.ts";
import { NoSuchWorldError } from "../worlds/world-errors.ts";
import { provenOrigin } from "./callers.ts";
import { findCaller, OPERATOR } from "./control-access.ts";

interface Audited {
  readonly operation: Pick<Operation, "id" | "effect" | "access">;
  readonly world: string | null;
  readonly body: unknown;
  /** What was answered; an Error: why it failed. */
  readonly value: unknown;
}

const outcomeOf = (value: unknown): string => {
  if (value instanceof Refusal) return value.code;
  if (value instanceof NoSuchWorldError) return "no_such_world";
  return value instanceof Error ? "failed" : "ok";
};

/** What a laptop answered is on record with its delivery as well, and every window signs in once an hour. */
const NO_CHANGES: ReadonlySet<string> = new Set([listenAnswer.id, tokensSignIn.id]);

/** Nobody may push changes out with what they only read, or may not do. */
const kindOf = ({ effect, id, access }: Audited["operation"], isConfined: boolean, outcome: string): AuditKind => {
  if (effect === "read" || NO_CHANGES.has(id)) return "other";
  if (access?.needs === "anyone") return outcome === "ok" ? "change" : "other";
  return isConfined && outcome !== "ok" && outcome !== "failed" ? "other" : "change";
};

/** The id of what was made, by which later entries name it. */
const madeIn = (body: unknown, value: unknown): AuditDetail => {
  const id = readText(value, "id");
  return id === undefined || id === readText(body, "id") ? {} : { made: id };
};

/** A run and an assistant have the control token of the service. A person is named whatever else they say. */
const nameOf = (request: FastifyRequest, services: AppServices): string => {
  const { name } = request.controlCaller;
  const origin = name === OPERATOR ? provenOrigin(request, services) : null;
  return origin === "scenario" || origin === "assistant" ? origin : name;
};

/**
 * Puts a call of the control plane on record: each change, and anything else once an hour for the same caller, operation,
 * world and outcome. Calls with a token that is not valid never are: a stranger is nobody.
 */
export const audit = async (
  request: FastifyRequest,
  services: AppServices,
  { operation, world, body, value }: Audited,
): Promise<void> => {
  const { token } = request.controlCaller;
  const outcome = outcomeOf(value);
  if (outcome === "unauthorized") return;
  const kind = kindOf(operation, token !== null, outcome);
  const ofToken = operation.id.startsWith("tokens.");
  const isOpen = operation.access?.needs === "anyone";
  const at = realTime();
  // Whose link it was, and which world it opened, the answer says; of a call that was refused nothing is known.
  const made = isOpen && outcome === "ok" ? value : undefined;
  const by =
    made === undefined
      ? nameOf(request, services)
      : (findCaller(readText(made, "token") ?? "", services)?.name ?? readText(made, "name") ?? "anyone");
  const worldOf = (): string | null => {
    if (token) return token.world;
    if (isOpen) return readText(made, "world") ?? null;
    // Of a token its own: the call need not name it.
    return operation.id.startsWith("service.") ? null : ((ofToken ? readText(value, "world") : undefined) ?? world);
  };
  const where = worldOf();
  if (kind === "other") {
    // Nothing that a world token or nobody chooses as they like is in it: they could push out what others read.
    const key = [token?.id ?? by, operation.id, where, outcome, isRequested(readField(body, "reveal"))].join(" ");
    if (!services.hourlyDeduplicator.isFirst(key, at)) return;
  }
  const said = isOpen ? {} : { ...auditDetail(body, token?.world), ...(ofToken ? madeIn(body, value) : {}) };
  const detail = JSON.parse(JSON.stringify(said, (_name, one) => (typeof one === "string" ? maskKnown(one) : one)));
  const keep = async (): Promise<void> => {
    try {
      await services.audit.insert({ kind, at, by, operation: operation.id, world: where, detail, outcome });
    } catch (error) {
      services.troubled(error);
    }
  };
  const kept = keep();
  // No read waits for another machine.
  if (kind === "change") await kept;
};
