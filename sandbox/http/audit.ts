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
import { findProvenOrigin } from "./callers.ts";
import { findCaller, OPERATOR } from "./control-access.ts";

interface AuditedCall {
  readonly operation: Pick<Operation, "id" | "effect" | "access">;
  readonly world: string | null;
  readonly body: unknown;
  /** The response, or an Error. */
  readonly value: unknown;
}

const toOutcome = (value: unknown): string => {
  if (value instanceof Refusal) return value.code;
  if (value instanceof NoSuchWorldError) return "no_such_world";
  return value instanceof Error ? "failed" : "ok";
};

/** Not changes: a developer machine's response is recorded with its delivery, and windows sign in every hour. */
const NO_CHANGES: ReadonlySet<string> = new Set([listenAnswer.id, tokensSignIn.id]);

/** Keeps reads and refusals apart, so that they can't push out the records of changes. */
const chooseKind = (
  { effect, id, access }: AuditedCall["operation"],
  isConfined: boolean,
  outcome: string,
): AuditKind => {
  if (effect === "read" || NO_CHANGES.has(id)) return "other";
  if (access?.needs === "anyone") return outcome === "ok" ? "change" : "other";
  return isConfined && outcome !== "ok" && outcome !== "failed" ? "other" : "change";
};

/** ID of a new object, which later records refer to. */
const findCreatedId = (body: unknown, value: unknown): AuditDetail => {
  const id = readText(value, "id");
  return id === undefined || id === readText(body, "id") ? {} : { made: id };
};

/** Name of the caller. Scenario runs and assistants use the service's control token. A person is always named. */
const nameCaller = (request: FastifyRequest, services: AppServices): string => {
  const { name } = request.controlCaller;
  const origin = name === OPERATOR ? findProvenOrigin(request, services) : null;
  return origin === "scenario" || origin === "assistant" ? origin : name;
};

/**
 * Records a control-plane call. Changes are always recorded; other calls once an hour for the same caller, operation,
 * world and outcome. Calls without a valid token are never recorded.
 */
export const audit = async (
  request: FastifyRequest,
  services: AppServices,
  { operation, world, body, value }: AuditedCall,
): Promise<void> => {
  const { token } = request.controlCaller;
  const outcome = toOutcome(value);
  if (outcome === "unauthorized") return;
  const kind = chooseKind(operation, token !== null, outcome);
  const ofToken = operation.id.startsWith("tokens.");
  const isOpen = operation.access?.needs === "anyone";
  const at = realTime();
  // Only a successful response names the link's owner and world.
  const createdToken = isOpen && outcome === "ok" ? value : undefined;
  const by =
    createdToken === undefined
      ? nameCaller(request, services)
      : (findCaller(readText(createdToken, "token") ?? "", services)?.name ??
        readText(createdToken, "name") ??
        "anyone");
  const worldOf = (): string | null => {
    if (token) return token.world;
    if (isOpen) return readText(createdToken, "world") ?? null;
    // A token call belongs to the token's world, whether or not it names it.
    return operation.id.startsWith("service.") ? null : ((ofToken ? readText(value, "world") : undefined) ?? world);
  };
  const where = worldOf();
  if (kind === "other") {
    // Contains no freely chosen values, so that callers can't flood the log and push out other records.
    const key = [token?.id ?? by, operation.id, where, outcome, isRequested(readField(body, "reveal"))].join(" ");
    if (!services.hourlyDeduplicator.isFirst(key, at)) return;
  }
  const recorded = isOpen ? {} : { ...auditDetail(body, token?.world), ...(ofToken ? findCreatedId(body, value) : {}) };
  const detail = JSON.parse(JSON.stringify(recorded, (_name, one) => (typeof one === "string" ? maskKnown(one) : one)));
  const keep = async (): Promise<void> => {
    try {
      await services.audit.insert({ kind, at, by, operation: operation.id, world: where, detail, outcome });
    } catch (error) {
      services.onError(error);
    }
  };
  const inserted = keep();
  // Reads don't wait for shared storage.
  if (kind === "change") await inserted;
};
