import * as Type from "typebox";
import { Nullable, Text } from "../schema.ts";
import { readOne, view } from "./declaring.ts";

/** So many findings are told at most. */
export const MOST_FINDINGS = 100;

const Finding = Type.Object({
  pointer: Type.String({ description: "JSON Pointer to the invalid field, which may be missing; empty: the body" }),
  message: Type.String({ description: "What is wrong, with the path of the field" }),
});
export const Findings = Type.Array(Finding, {
  description: `At most ${MOST_FINDINGS}; empty: the body is valid`,
});
/** D7: members that are not declared. */
export const Ignored = Type.Array(Finding, {
  description: `Unknown fields, which the operation ignores (D7), each with the nearest known name; at most ${MOST_FINDINGS}`,
});

export const operationsCheck = readOne(
  "operations.check",
  "Validates a body against an operation’s request schema, without sending it. Checks the shape only, no other rule.",
  {
    operation: Text("An API or a control operation"),
    body: Type.String({ description: "The body as text; empty counts as {}" }),
  },
  Type.Object({
    findings: Findings,
    ignored: Ignored,
    refusal: Nullable(
      Type.Object(
        { status: Type.Integer(), code: Type.String() },
        { description: "The error for the first finding, with valid credentials" },
      ),
    ),
  }),
  view,
);
