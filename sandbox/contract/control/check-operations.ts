import * as Type from "typebox";
import { Nullable, Text } from "../schema.ts";
import { readOne } from "./declaring.ts";

/** So many findings are told at most. */
export const MOST_FINDINGS = 100;

const Finding = Type.Object({
  pointer: Type.String({ description: "JSON Pointer to the field at fault, which may be missing; empty: the body" }),
  message: Type.String({ description: "What is wrong, with the path of the field" }),
});
export const Findings = Type.Array(Finding, {
  description: `In the order they are named in, at most ${MOST_FINDINGS}; none: it meets the declaration`,
});
/** D7: members that are not declared. */
export const Ignored = Type.Array(Finding, {
  description: `Fields that the operation does not know and ignores (D7), with the one that was likely meant; at most ${MOST_FINDINGS}`,
});

export const operationsCheck = readOne(
  "operations.check",
  "Checks the text of a body against the declaration of an operation, as the service does before it carries a call out. Nothing is sent, and no rule beyond the shape is looked at.",
  {
    operation: Text("A partner's operation or one of the control plane"),
    body: Type.String({ description: "The text as it would be sent; empty counts as {}" }),
  },
  Type.Object({
    findings: Findings,
    ignored: Ignored,
    refusal: Nullable(
      Type.Object(
        { status: Type.Integer(), code: Type.String() },
        { description: "How the call is refused for the first finding, once its credentials are accepted" },
      ),
    ),
  }),
);
