import { MOST_FINDINGS, operationsCheck } from "../contract/control/check-operations.ts";
import { controlOperations } from "../contract/control/operations.ts";
import { type ErrorCode, errorCodes, refuse } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { codesOf, isBare } from "../contract/operation-errors.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { ignoredIn, parseBody, type Violation, violationsIn } from "../operations/validation.ts";
import { type BoundControl, control } from "./handler.ts";

const operations: readonly Operation[] = [...partnerOperations, ...controlOperations];

/** What the service refuses, and what it ignores: a control operation that writes refuses what others ignore. */
const inRequest = (
  { surface, effect, request }: Operation,
  text: string,
): Record<"findings" | "ignored", Violation[]> => {
  const parsed = parseBody(Buffer.from(text));
  if ("problem" in parsed) return { findings: [{ pointer: "", message: parsed.problem }], ignored: [] };
  const unknown = ignoredIn(request, parsed.value, MOST_FINDINGS);
  const findings = violationsIn(request, parsed.value, MOST_FINDINGS);
  return surface === "control" && effect === "write"
    ? { findings: [...unknown, ...findings].slice(0, MOST_FINDINGS), ignored: [] }
    : { findings, ignored: unknown };
};

const whole = (message: string): Violation[] => [{ pointer: "", message }];

/** What a refusal is known by, in the form the operation answers it in; null where it has neither form. */
const codeIn = (operation: Operation, value: unknown): string | null => {
  if (typeof value === "string") return isBare(value as ErrorCode, operation) ? value : null;
  const type: unknown = typeof value === "object" && value !== null && "type" in value ? value.type : null;
  return typeof type === "string" && !isBare(type as ErrorCode, operation) ? type : null;
};

const inRefusal = (operation: Operation, status: number, value: unknown): Violation[] => {
  const code = codeIn(operation, value);
  if (code === null) return whole("the body is no refusal of this operation");
  const declared = codesOf(operation).find((one) => one === code);
  if (declared === undefined) return whole(`the operation does not answer ${code}`);
  const due = errorCodes[declared].status;
  return due === status ? [] : whole(`${code} is answered with ${due}, not with ${status}`);
};

const jsonOf = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

const inAnswer = (operation: Operation, status: number, text: string): Violation[] => {
  const parsed = jsonOf(text);
  if (parsed === null) return whole("the answer is not JSON");
  if (status !== 200) return inRefusal(operation, status, parsed.value);
  return violationsIn(operation.response, parsed.value, MOST_FINDINGS);
};

/** What calls and answers are held to, for whoever writes them. */
export const checkControls: readonly BoundControl[] = [
  control(operationsCheck, (_context, { operation: id, body, answer }) => {
    const operation = operations.find((one) => one.id === id);
    if (!operation) return refuse("not_found", `/operation ${id} is no operation`);
    const asked = body === undefined ? null : inRequest(operation, body);
    const { shapeError } = operation;
    const refusal = { status: errorCodes[shapeError].status, code: shapeError };
    return {
      request: asked && { ...asked, refusal: asked.findings.length === 0 ? null : refusal },
      answer: answer ? { findings: inAnswer(operation, answer.status, answer.body) } : null,
    };
  }),
];
