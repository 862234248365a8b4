import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Scenario } from "../scenario.ts";
import { OneOf, Text, Uuid } from "../schema.ts";
import { byId, inWorld } from "./declaring.ts";

export const scenariosRecord = controlOperation({
  ...byId,
  id: "scenarios.record",
  effect: "read",
  summary:
    "Writes a scenario of calls that were made: each as a step with what it was answered, notifications with what their receivers answered, and what had to happen before. With start it begins with the world as it was then: one file without secrets that shows the same on another machine.",
  errors: ["unauthorized", "bad_request", "not_found", "unprocessable"],
  request: inWorld({
    trace_ids: Type.Optional(
      Type.Array(Uuid(), { minItems: 1, maxItems: 500, description: "The calls; those they need come along" }),
    ),
    since: Type.Optional(OneOf(["reset"], "Instead of trace_ids: every call since the world was made or reset")),
    name: Type.Optional(Text("What the scenario is called; left out: after its last call")),
    start: Type.Optional(
      Type.Boolean({ description: "true: with the world before the first step; left out: it begins with the seed" }),
    ),
  }),
  response: Type.Object({
    file_name: Type.String({ description: "What to call the file" }),
    scenario: Scenario,
  }),
});

export const recordingOperations = [scenariosRecord] as const;
