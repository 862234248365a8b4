import type { Static } from "typebox";
import * as Type from "typebox";
import { Scenario } from "../scenario.ts";
import { Items, Nullable, OneOf, Text, Timestamp, Uuid } from "../schema.ts";
import { Findings } from "./check-operations.ts";
import { orUnprocessable, read, readOne, write, writeOne } from "./declaring.ts";
import { requestOrigins } from "./rows.ts";
import { policiesSet } from "./world-operations.ts";

const Name = Type.String({
  pattern: "^[a-z0-9][a-z0-9-]{0,63}$",
  description: "What its file is called, without .json: 1 to 64 of a–z 0–9 -, a letter or digit first",
});
const File = Type.Unknown({ description: "The file" });
const Count = Type.Integer({ minimum: 0 });

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

export const scenariosList = read(
  "scenarios.list",
  "The scenarios that ship with this service and those that were saved, by name.",
  {},
  Items(ScenarioRow),
);
export const scenariosGet = readOne(
  "scenarios.get",
  "A scenario with its file, as `sandbox run` takes it.",
  { name: Name },
  Type.Object({ ...ScenarioRow.properties, scenario: File }),
  orUnprocessable,
);
export const scenariosCheck = read(
  "scenarios.check",
  "Says what keeps a file from being a scenario: all that its shape lacks, else the first of what no shape can say. Nothing is kept and nothing is run.",
  { scenario: File },
  Type.Object({ findings: Findings }),
);
export const scenariosSave = write(
  "scenarios.save",
  "Keeps a scenario or reproduction in the data folder; a file that is none is refused, with the field.",
  {
    name: Name,
    scenario: File,
    replace: Type.Optional(Type.Boolean({ description: "Replace the one of that name" })),
  },
  ScenarioRow,
  { errors: ["unauthorized", "bad_request", "unprocessable"] },
);
export const scenariosDelete = writeOne(
  "scenarios.delete",
  "Deletes a scenario that was saved.",
  { name: Name },
  Type.Object({ ok: Type.Boolean() }),
  orUnprocessable,
);
export const scenariosRecord = readOne(
  "scenarios.record",
  "Writes a scenario of calls that were made: each as a step with what it was answered, the notifications it led to, and what had to happen before. With start it begins with the world as it was then: one file without secrets that shows the same on another machine.",
  {
    trace_ids: Type.Optional(
      Type.Array(Uuid(), { minItems: 1, maxItems: 500, description: "The calls; those they need come along" }),
    ),
    since: Type.Optional(OneOf(["reset"], "Instead of trace_ids: every call since the world was made or reset")),
    name: Type.Optional(Text("What the scenario is called; left out: after its last call")),
    start: Type.Optional(
      Type.Boolean({ description: "true: with the world before the first step; left out: it begins with the seed" }),
    ),
  },
  Type.Object({ file_name: Type.String({ description: "What to call the file" }), scenario: Scenario }),
  orUnprocessable,
);

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

export const RunRow = Type.Object({
  id: Uuid(),
  name: Nullable(Type.String({ description: "Of the scenario in the list; null: it was given with the run" })),
  title: Type.String(),
  mode: OneOf(runModes),
  state: OneOf(runStates, "waiting: by hand, for its next step; held: every step did; failed: it could not be run"),
  world: Type.String({ description: "Where its steps run" }),
  worlds: Type.Array(Type.String(), { description: "Those it made which are still there" }),
  policies: Type.Record(Type.String(), Type.String(), { description: "It runs with these, whatever the file says" }),
  started_at: Timestamp("Real time"),
  ended_at: Nullable(Timestamp("Real time")),
  steps: Count,
  held: Type.Integer({ minimum: 0, description: "Steps that held so far" }),
  differs_at: Nullable(Type.Integer({ description: "The step that does not hold" })),
  problem: Nullable(Type.String({ description: "Why it failed" })),
});
export type RunRow = Static<typeof RunRow>;

export const Run = Type.Object({
  ...RunRow.properties,
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

export const runsStart = writeOne(
  "runs.start",
  "Runs a scenario in a fresh world: all at once, or by hand, where each step waits until somebody makes its call there. The world is deleted at the end, unless a step differs or it was run by hand.",
  {
    name: Type.Optional(Name),
    scenario: Type.Optional(Type.Unknown({ description: "Instead of a name: the file itself" })),
    mode: Type.Optional(OneOf(runModes, "Default: all")),
    policies: Type.Optional(policiesSet.request.properties.policies),
  },
  Run,
  orUnprocessable,
);
export const runsList = read(
  "runs.list",
  "The runs that are kept, newest first: those that go on, and the latest that ended.",
  {},
  Items(RunRow),
);
export const runsGet = readOne("runs.get", "A run with what its steps came to.", { id: Uuid() }, Run);
export const runsStep = writeOne(
  "runs.step",
  "By hand: makes the next step, or all up to one; answers when they are done.",
  {
    id: Uuid(),
    to: Type.Optional(Type.Integer({ minimum: 1, description: "The last step to make; left out: the next one" })),
  },
  Run,
  orUnprocessable,
);
export const runsStop = writeOne(
  "runs.stop",
  "Ends a run and deletes the worlds it made; of a run that ended, those it left.",
  { id: Uuid() },
  Run,
);

/** Scenarios, recordings, and runs of them. */
export const scenarioOperations = [
  ...[scenariosList, scenariosGet, scenariosCheck, scenariosSave, scenariosDelete, scenariosRecord],
  ...[runsStart, runsList, runsGet, runsStep, runsStop],
] as const;
