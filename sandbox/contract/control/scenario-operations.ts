import type { Static } from "typebox";
import * as Type from "typebox";
import { Scenario } from "../scenario.ts";
import { Count, Items, Nullable, OneOf, Text, Timestamp, Uuid } from "../schema.ts";
import { Story } from "../story.ts";
import { commonErrors, read, readOne, withUnprocessable, write, writeOne } from "./declaring.ts";
import { Findings } from "./explain-operations.ts";
import { requestOrigins } from "./rows.ts";
import { policiesSet } from "./world-operations.ts";

const Name = Type.String({
  pattern: "^[a-z0-9][a-z0-9-]{0,63}$",
  description: "File name without .json: 1 to 64 of a–z 0–9 -, starting with a letter or digit",
});
const File = Type.Unknown({ description: "The file" });

/** Size limit of a stored scenario; one with `start` contains a whole world. */
export const MAX_SCENARIO_BYTES = 16 * 1024 * 1024;

export const ScenarioRow = Type.Object({
  name: Name,
  source: OneOf(["shipped", "own"], "shipped: included in the service; own: saved in the data folder"),
  title: Type.String({ description: "The name inside the file" }),
  about: Nullable(Type.String()),
  steps: Count(),
  notes: Count("Number of things its recording or import left out"),
  reproduction: Type.Boolean({ description: "It starts from an exported world" }),
  saved_at: Nullable(Timestamp("Real time; null: shipped")),
  problem: Nullable(Type.String({ description: "Why the file is no longer a valid scenario; null: it is valid" })),
});
export type ScenarioRow = Static<typeof ScenarioRow>;

export const scenariosList = read("scenarios.list", "Shipped and saved scenarios, by name.", {}, Items(ScenarioRow));
export const scenariosGet = readOne(
  "scenarios.get",
  "A scenario as the file that `sandbox run` takes.",
  { name: Name },
  Type.Object({ ...ScenarioRow.properties, scenario: File }),
  withUnprocessable,
);
export const scenariosCheck = read(
  "scenarios.check",
  "Validates a scenario file. Saves and runs nothing.",
  { scenario: File },
  Type.Object({ findings: Findings }),
);
export const scenariosSave = write(
  "scenarios.save",
  "Saves a scenario or reproduction in the data folder. An invalid file is refused with the field’s path.",
  {
    name: Name,
    scenario: File,
    replace: Type.Optional(Type.Boolean({ description: "Replace an existing scenario with this name" })),
  },
  ScenarioRow,
  { errors: [...commonErrors, "unprocessable"] },
);
export const scenariosDelete = writeOne(
  "scenarios.delete",
  "Deletes a saved scenario.",
  { name: Name },
  Type.Object({ ok: Type.Boolean() }),
  withUnprocessable,
);
export const scenariosRecord = readOne(
  "scenarios.record",
  "Records calls as a scenario: each call with its response, its notifications and its prerequisites. With start, the file includes the world as it was before the first step, without secrets, so it reproduces on another machine.",
  {
    trace_ids: Type.Optional(
      Type.Array(Uuid(), { minItems: 1, maxItems: 500, description: "The calls; their prerequisites are added" }),
    ),
    since: Type.Optional(OneOf(["reset"], "Instead of trace_ids: every call since the world was created or reset")),
    name: Type.Optional(Text("The scenario’s name (default: after its last call)")),
    start: Type.Optional(
      Type.Boolean({ description: "true: include the world before the first step (default: start from the seed)" }),
    ),
  },
  Type.Object({ file_name: Type.String({ description: "The file name to use" }), scenario: Scenario }),
  withUnprocessable,
);

const runModes = ["all", "by_hand"] as const;
export type RunMode = (typeof runModes)[number];

const runStates = ["running", "waiting", "held", "differs", "stopped", "failed"] as const;
/** Final states of a run. */
export const endedStates: readonly (typeof runStates)[number][] = ["held", "differs", "stopped", "failed"];

/** The result of one step. */
export const RunStep = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  outcome: OneOf(["held", "differs", "not_run"]),
  detail: Type.String({ description: "The call and its response" }),
  seconds: Type.Number({ minimum: 0 }),
  at: Timestamp("Real time"),
  by: OneOf(requestOrigins, "Who made the call; scenario: the run itself"),
  world: Type.String(),
  trace_id: Nullable(Type.String({ description: "The call in that world; null: none is on record" })),
  difference: Nullable(
    Type.Object({
      path: Type.String({ description: "A JSON Pointer" }),
      expected: Type.Optional(Type.Unknown({ description: "Absent: nothing" })),
      got: Type.Optional(Type.Unknown({ description: "Absent: nothing" })),
    }),
  ),
  answer: Nullable(Type.String({ description: "The beginning of the response; secrets are masked" })),
  explained: Type.Array(Type.String(), {
    description: "The cause of the difference: another setting than the file’s, or another version",
  }),
  decision: Nullable(
    Type.Object(
      {
        id: Type.String(),
        meaning: Type.String(),
        policy: Nullable(Type.String({ description: "The setting for it" })),
      },
      { description: "The assumption behind a response that differs" },
    ),
  ),
});
export type RunStep = Static<typeof RunStep>;

export const RunRow = Type.Object({
  id: Uuid(),
  name: Nullable(Type.String({ description: "The scenario’s file name; null: the run was given the file itself" })),
  title: Type.String(),
  mode: OneOf(runModes),
  state: OneOf(
    runStates,
    "waiting: for its next step (step by step); held: every step passed; failed: it could not run",
  ),
  world: Type.String({ description: "The world its steps run in" }),
  worlds: Type.Array(Type.String(), { description: "Worlds it created that still exist" }),
  policies: Type.Record(Type.String(), Type.String(), { description: "Settings that override the file’s" }),
  started_at: Timestamp("Real time"),
  ended_at: Nullable(Timestamp("Real time")),
  steps: Count(),
  held: Count("Passed steps so far"),
  differs_at: Nullable(Type.Integer({ description: "The failed step" })),
  problem: Nullable(Type.String({ description: "Why it failed" })),
});
export type RunRow = Static<typeof RunRow>;

export const Run = Type.Object({
  ...RunRow.properties,
  results: Type.Array(RunStep, { description: "The latest attempt of each step" }),
  next: Nullable(
    Type.Object(
      {
        number: Type.Integer({ minimum: 1 }),
        world: Type.String(),
        step: Type.Unknown({ description: "With its references resolved" }),
        credential: Nullable(Type.String({ description: "The calling integration" })),
        problem: Nullable(Type.String({ description: "Why its reference can’t be resolved" })),
      },
      { description: "Step by step: the next step" },
    ),
  ),
  scenario: Type.Unknown({ description: "The steps, without the included world" }),
  story: Nullable(Story),
});
export type Run = Static<typeof Run>;

export const runsStart = writeOne(
  "runs.start",
  "Runs a scenario in a new world, either automatically or step by step, where each step waits for its call. The world is deleted at the end, unless a step failed or the run was step by step.",
  {
    name: Type.Optional(Name),
    scenario: Type.Optional(Type.Unknown({ description: "The file’s content, instead of a name" })),
    mode: Type.Optional(OneOf(runModes, "Default: all")),
    policies: Type.Optional(policiesSet.request.properties.policies),
  },
  Run,
  withUnprocessable,
);
export const runsList = read(
  "runs.list",
  "Runs, newest first: those in progress and the latest that ended.",
  {},
  Items(RunRow),
);
export const runsGet = readOne("runs.get", "A run with the results of its steps.", { id: Uuid() }, Run);
export const runsStep = writeOne(
  "runs.step",
  "Step by step: runs the next step, or all steps up to one. Responds when they are done.",
  {
    id: Uuid(),
    to: Type.Optional(Count("The last step to run (default: the next one); 0: only creates the world")),
  },
  Run,
  withUnprocessable,
);
export const runsStop = writeOne(
  "runs.stop",
  "Ends a run and deletes the worlds it created. For an ended run, deletes the worlds it left.",
  { id: Uuid(), keep: Type.Optional(Type.Boolean({ description: "true: its worlds stay (default: false)" })) },
  Run,
);
export const runsStory = readOne(
  "runs.story",
  "The story of a run so far, as one HTML file that plays without a network. Secrets are masked.",
  { id: Uuid("A run of a scenario with `say` in its steps") },
  Type.Object({ file_name: Type.String({ description: "The file name to use" }), html: Type.String() }),
  withUnprocessable,
);
