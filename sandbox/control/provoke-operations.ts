import { type ExampleCall, type FirstCall, OTHER_WORLD } from "../contract/cause-examples.ts";
import { type Cause, causeNames, causeSentence, causes, findCause } from "../contract/causes.ts";
import { controlOperations } from "../contract/control/all-operations.ts";
import { MAX_FINDINGS, type Provocation } from "../contract/control/explain-operations.ts";
import { policyChoices } from "../contract/control/policies.ts";
import type { Side } from "../contract/control/rows.ts";
import { type ErrorCode, errorCodes, refuse } from "../contract/errors.ts";
import { getDecision } from "../contract/openapi/decisions.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { type Operation, operationCodes, operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { findIgnored, findViolations, parseBody } from "../operations/validation.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";

const operations: readonly Operation[] = partnerOperations;

/** Other routes that take a body or a key. */
const routes = [
  { id: "webhooks.subscribe", scope: "none", errors: [], shapeError: "bad_request" },
  { id: "webhooks.secret", scope: "either", errors: [], shapeError: "bad_request" },
] as const;
type CalledOperation = Pick<Operation, "id" | "scope" | "errors" | "shapeError">;

/** Integration whose key the call uses: a side's pre-loaded one, else its oldest. */
const findKey = ({ db }: World, side: Side): string | null =>
  db.get<{ id: string }>(
    "SELECT integration_id AS id FROM credentials WHERE scope = ? ORDER BY preloaded DESC, seq LIMIT 1",
    side,
  )?.id ?? null;

const otherSide: Readonly<Record<Side, Side>> = { repairer: "supplier", supplier: "repairer" };

const findCaller = (world: World, { scope }: CalledOperation, as: ExampleCall["as"]): string | null => {
  if (scope === "none" || as === "nobody") return null;
  const side = scope === "either" ? "repairer" : scope;
  return findKey(world, as === "other_side" ? otherSide[side] : side);
};

const buildCall = (world: World, operation: CalledOperation, example: object, sends: ExampleCall) => ({
  operation: operation.id,
  body: sends.text ?? JSON.stringify(sends.body ?? example, null, 2),
  act_as: findCaller(world, operation, sends.as),
  ...(sends.tenant === undefined ? {} : { tenant: sends.tenant }),
  headers: Object.entries(sends.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
});

const everyOperation: readonly Operation[] = [...partnerOperations, ...controlOperations];

const buildFirst = (
  world: World,
  { operation: id, body, world: other, save }: FirstCall,
): Provocation["after"][number] => {
  const operation = everyOperation.find((one) => one.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  const tenant = other ?? world.name;
  const isControl = operation.surface === "control";
  return {
    ...{ operation: id, path: operationPath(operation), tenant },
    body: JSON.stringify(isControl ? { world: tenant, ...body } : body),
    act_as: isControl || operation.scope === "none" ? null : findKey(world, "repairer"),
    ...(save === undefined ? {} : { save }),
  };
};

/** Checks whether the caller can make the calls of an example: in another world with the same keys, or on the control plane. */
const canMake = ({ world, access, caller }: ControlContext, after: readonly FirstCall[]): boolean => {
  const isElsewhere = after.some((one) => one.world !== undefined);
  const isControl = after.some(({ operation }) => controlOperations.some(({ id }) => id === operation));
  if (caller.token !== null && (isElsewhere || isControl)) return false;
  return !isElsewhere || (world.name !== OTHER_WORLD && access.findKeys(world.name) === undefined);
};

/** Policy a world must set before a call is refused for this cause. */
const findNeededPolicy = ({ policies }: World, cause: Cause): Provocation["needs_policy"] => {
  const name = findCause(cause)?.decisions.flatMap((id) => getDecision(id).policy ?? [])[0];
  const refuses = name && policyChoices[name].find((choice) => choice === "reject");
  return !refuses || policies[name] === refuses ? null : { name, value: refuses };
};

/** Causes that apply to every operation. */
const commonCauses: ReadonlySet<Cause> = new Set([
  ...causeNames.filter((cause) => causes[cause].check === "json"),
  "tenant",
]);

const provokeRefusals = (
  context: ControlContext,
  operation: CalledOperation,
  cause: Cause,
  example: Record<string, unknown>,
): Provocation[] => {
  const { world } = context;
  const row = findCause(cause);
  const sends = row?.example?.(operation, example);
  if (!row || !sends || !canMake(context, sends.after ?? [])) return [];
  const code = row.code ?? operation.shapeError;
  const status = Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode].status : 400;
  const call = buildCall(world, operation, example, sends);
  const base = { cause, sentence: causeSentence(row, null), own: !commonCauses.has(cause), fault: null };
  const after = (sends.after ?? []).map((one) => buildFirst(world, one));
  return [{ ...base, after, code, status, call, needs_policy: findNeededPolicy(world, cause) }];
};

/** Provokes an error that no call causes by itself: a fault returns it once. */
const provokeFault = (world: World, operation: CalledOperation, code: ErrorCode, example: object): Provocation => {
  const { status, meaning } = errorCodes[code];
  // Browsers retry once after a response that suggests the wrong connection.
  const uses = code === "misdirected_request" ? 2 : 1;
  const fault = { name: `Reproduce ${code}`, operation: operation.id, effect: { error: { code } }, uses };
  const call = buildCall(world, operation, example, {});
  return {
    ...{ code, status, cause: null, sentence: meaning, own: false, needs_policy: null },
    after: [],
    call,
    fault,
  };
};

/** Validation of a body, and a call for every error of an operation. */
export const provokeControls: readonly BoundControl[] = [
  control("operations.check", (_context, { operation: id, body }) => {
    const operation = [...operations, ...controlOperations].find((one) => one.id === id);
    if (!operation) return refuse("not_found", `/operation ${id} doesn’t exist`);
    const { surface, effect, request, shapeError } = operation;
    const refusal = { status: errorCodes[shapeError].status, code: shapeError };
    const parsed = parseBody(Buffer.from(body));
    if ("problem" in parsed) return { findings: [{ pointer: "", message: parsed.problem }], ignored: [], refusal };
    const unknown = findIgnored(request, parsed.value, MAX_FINDINGS);
    // Control operations that write reject unknown members; others ignore them.
    const isStrict = surface === "control" && effect === "write";
    const invalid = findViolations(request, parsed.value, MAX_FINDINGS);
    const findings = [...(isStrict ? unknown : []), ...invalid].slice(0, MAX_FINDINGS);
    return { findings, ignored: isStrict ? [] : unknown, refusal: findings.length === 0 ? null : refusal };
  }),
  control("operations.provoke", (context, { operation: id, code: only }) => {
    const { world, info } = context;
    const operation = operations.find((one) => one.id === id);
    const called = operation ?? routes.find((one) => one.id === id);
    if (!called) return refuse("not_found", `/operation ${id} is not a partner operation`);
    const ofOtherMode = info.mode === "local" ? "https_required" : "url_not_loopback";
    const example: Record<string, unknown> = { ...requestExamples[id as keyof typeof requestExamples] };
    const refused = causeNames
      .filter((cause) => causes[cause].code !== ofOtherMode && (operation || !commonCauses.has(cause)))
      .flatMap((cause) => provokeRefusals(context, called, cause, example));
    const rest = (operation ? operationCodes(operation) : []).filter(
      (code) => !refused.some((one) => one.code === code),
    );
    const items = [...refused, ...rest.map((code) => provokeFault(world, called, code, example))];
    return { items: items.filter(({ code }) => only === undefined || code === only) };
  }),
];
