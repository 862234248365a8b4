import { MOST_FINDINGS, operationsCheck } from "../contract/control/check-operations.ts";
import { controlOperations } from "../contract/control/operations.ts";
import { errorCodes, refuse } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { ignoredIn, parseBody, violationsIn } from "../operations/validation.ts";
import { type BoundControl, control } from "./handler.ts";

const operations: readonly Operation[] = [...partnerOperations, ...controlOperations];

/** What a body is held to, for whoever writes one. */
export const checkControls: readonly BoundControl[] = [
  control(operationsCheck, (_context, { operation: id, body }) => {
    const operation = operations.find((one) => one.id === id);
    if (!operation) return refuse("not_found", `/operation ${id} doesn’t exist`);
    const { surface, effect, request, shapeError } = operation;
    const refusal = { status: errorCodes[shapeError].status, code: shapeError };
    const parsed = parseBody(Buffer.from(body));
    if ("problem" in parsed) return { findings: [{ pointer: "", message: parsed.problem }], ignored: [], refusal };
    const unknown = ignoredIn(request, parsed.value, MOST_FINDINGS);
    // A control operation that writes refuses what others ignore.
    const isStrict = surface === "control" && effect === "write";
    const invalid = violationsIn(request, parsed.value, MOST_FINDINGS);
    const findings = [...(isStrict ? unknown : []), ...invalid].slice(0, MOST_FINDINGS);
    return { findings, ignored: isStrict ? [] : unknown, refusal: findings.length === 0 ? null : refusal };
  }),
];
