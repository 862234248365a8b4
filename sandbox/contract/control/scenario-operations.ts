import type { Static } from "typebox";
import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Items, Nullable, OneOf, Timestamp, Uuid } from "../schema.ts";
import { Findings } from "./check-operations.ts";
import { base, byId, inWorld } from "./declaring.ts";
import { requestOrigins } from "./rows.ts";
import { policiesSet } from "./world-operations.ts";

const Name = Type.String({
  pattern: "^[a-z0-9][a-z0-9-]{0,63}$",
  description: "What its file is called, without .json: 1 to 64 of a–z 0–9 -, a letter or digit first",
});
const Count = Type.Integer({ minimum: 0 });
const errors = ["unauthorized", "bad_request", "not_found", "unprocessable"] as const;

/** The largest scenario that is kept; one with `start` holds a whole world. */
export const LARGEST_SCENARIO_BYTES = 16 * 1024 * 1024;

/** A scenario of the list. */
export const ScenarioRow = Type.Object({
  name: Name,
  source: OneOf(["shipped", "own"], "shipped: part of this service; own: saved in its data folder"),
  title: Type.String({ description: "The name in its file" }),
  about: Nullable(Type.String()),
  steps: Count,
  notes: Type.Integer({ minimum: 0, description: "How much could not be taken over when it was drafted or recorded" }),
  reproduction: Type.Boolean({ description: "It begins with an exported world" }),
  saved_at: Nullable(Timestamp("Real time; null: it is shipped")),
  problem: Nullable(Type.String({ description: "Why its file is no scenario any more; null: it is one" })),
});
export type ScenarioRow = Static<typeof ScenarioRow>;

export const scenariosList = controlOperation({
  ...base,
  id: "scenarios.list",
  effect: "read",
  summary: "The scenarios that ship with this service and those that were saved, by name.",
  request: inWorld({}),
  response: Items(ScenarioRow),
});
export const scenariosGet = controlOperation({
  ...byId,
  id: "scenarios.get",
  effect: "read",
  summary: "A scenario with its file, as `sandbox run` takes it.",
  errors,
  request: inWorld({ name: Name }),
  response: Type.Object({ ...ScenarioRow.properties, scenario: Type.Unknown({ description: "The file" }) }),
});
export const scenariosCheck = controlOperation({
  ...base,
  id: "scenarios.check",
  effect: "read",
  summary:
    "Says what keeps a file from being a scenario: all that its shape lacks, else the first of what no shape can say. Nothing is kept and nothing is run.",
  request: inWorld({ scenario: Type.Unknown({ description: "The file" }) }),
  response: Type.Object({ findings: Findings }),
});
export const scenariosSave = controlOperation({
  ...byId,
  id: "scenarios.save",
  effect: "write",
  summary: "Keeps a scenario or reproduction in the data folder; a file that is none is refused, with the field.",
  errors: ["unauthorized", "bad_request", "unprocessable"],
  request: inWorld({
    name: Name,
    scenario: Type.Unknown({ description: "The file" }),
    replace: Type.Optional(Type.Boolean({ description: "Replace the one of that name" })),
  }),
  response: ScenarioRow,
});
export const scenariosDelete = controlOperation({
  ...byId,
  id: "scenarios.delete",
  effect: "write",
  summary: "Forgets a scenario that was saved.",
  errors,
  request: inWorld({ name: Name }),
  response: Type.Object({ ok: Type.Boolean() }),
});

export const runModes = ["all", "by_hand"] as const;
export type RunMode = (typeof runModes)[number];

export const runStates = ["running", "waiting", "held", "differs", "stopped", "failed"] as const;
/** The states of a run that is over. */
export const endedStates: readonly (typeof runStates)[number][] = ["held", "differs", "stopped", "failed"];

/** What a step came to. */
export const RunStep = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  outcome: OneOf(["held", "differs", "not_run"]),
  detail: Type.String({ description: "What was called and what was answered" }),
  seconds: Type.Number({ minimum: 0 }),
  at: Timestamp("Real time"),
  by: OneOf(requestOrigins, "Who called: scenario is the run itself"),
  world: Type.String(),
  trace_id: Nullable(Type.String({ description: "Of its call in that world; null: it made none that is on record" })),
  difference: Nullable(
    Type.Object({
      path: Type.String({ description: "A JSON Pointer" }),
      expected: Type.Optional(Type.Unknown({ description: "Absent: nothing" })),
      got: Type.Optional(Type.Unknown({ description: "Absent: nothing" })),
    }),
  ),
  answer: Nullable(Type.String({ description: "What was answered, its beginning; secrets are masked" })),
  explained: Type.Array(Type.String(), {
    description: "What explains the difference: another policy than the file's, or another version",
  }),
});
export type RunStep = Static<typeof RunStep>;

const runProperties = {
  id: Uuid(),
  name: Nullable(Type.String({ description: "Of the scenario in the list; null: it was given with the run" })),
  title: Type.String(),
  mode: OneOf(runModes),
  state: OneOf(runStates, "waiting: by hand, for its next step; held: every step did; failed: it could not be run"),
  world: Type.String({ description: "Where its steps run" }),
  worlds: Type.Array(Type.String(), { description: "Those it made which are still there" }),
  policies: Nullable(
    Type.Record(Type.String(), Type.String(), { description: "It runs with these, whatever the file says" }),
  ),
  started_at: Timestamp("Real time"),
  ended_at: Nullable(Timestamp("Real time")),
  steps: Count,
  held: Type.Integer({ minimum: 0, description: "Steps that held so far" }),
  differs_at: Nullable(Type.Integer({ description: "The step that does not hold" })),
  problem: Nullable(Type.String({ description: "Why it failed" })),
};
export const RunRow = Type.Object(runProperties);
export type RunRow = Static<typeof RunRow>;

export const Run = Type.Object({
  ...runProperties,
  results: Type.Array(RunStep, { description: "Of each step that was done, its latest attempt" }),
  next: Nullable(
    Type.Object(
      {
        number: Type.Integer({ minimum: 1 }),
        world: Type.String(),
        step: Type.Unknown({ description: "With the values it refers to" }),
        credential: Nullable(Type.String({ description: "The integration that makes the call" })),
        problem: Nullable(Type.String({ description: "Why it refers to nothing" })),
      },
      { description: "By hand: what is to be done now" },
    ),
  ),
  scenario: Type.Unknown({ description: "What is run, without the world it starts with" }),
});
export type Run = Static<typeof Run>;

export const runsStart = controlOperation({
  ...byId,
  id: "runs.start",
  effect: "write",
  summary:
    "Runs a scenario in a fresh world: all at once, or by hand, where each step waits until somebody makes its call there. The world is deleted at the end, unless a step differs or it was run by hand.",
  errors,
  request: inWorld({
    name: Type.Optional(Name),
    scenario: Type.Optional(Type.Unknown({ description: "Instead of a name: the file itself" })),
    mode: Type.Optional(OneOf(runModes, "Default: all")),
    policies: Type.Optional(policiesSet.request.properties.policies),
  }),
  response: Run,
});
export const runsList = controlOperation({
  ...base,
  id: "runs.list",
  effect: "read",
  summary: "The runs that are kept, newest first: those that go on, and the latest that ended.",
  request: inWorld({}),
  response: Items(RunRow),
});
export const runsGet = controlOperation({
  ...byId,
  id: "runs.get",
  effect: "read",
  summary: "A run with what its steps came to.",
  request: inWorld({ id: Uuid() }),
  response: Run,
});
export const runsStep = controlOperation({
  ...byId,
  id: "runs.step",
  effect: "write",
  summary: "By hand: makes the next step, or all up to one; answers when they are done.",
  errors,
  request: inWorld({
    id: Uuid(),
    to: Type.Optional(Type.Integer({ minimum: 1, description: "The last step to make; left out: the next one" })),
  }),
  response: Run,
});
export const runsStop = controlOperation({
  ...byId,
  id: "runs.stop",
  effect: "write",
  summary: "Ends a run and deletes the worlds it made; of a run that ended, those it left.",
  request: inWorld({ id: Uuid() }),
  response: Run,
});

/** Scenarios, and runs of them. */
export const scenarioOperations = [
  scenariosList,
  scenariosGet,
  scenariosCheck,
  scenariosSave,
  scenariosDelete,
  runsStart,
  runsList,
  runsGet,
  runsStep,
  runsStop,
] as const;
